import { Modal, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SmartPlug } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useAddPlug, useChangePlug } from './mqtt.api.ts'

interface Values {
  printer_id: string
  command_topic: string
  state_topic: string
  payload_on: string
  payload_off: string
  off_after_minutes: number | string
  switches_on: boolean
}

const none: Values = {
  ...{ printer_id: '', command_topic: '', state_topic: '', payload_on: 'ON', payload_off: 'OFF' },
  ...{ off_after_minutes: '', switches_on: false },
}

const usePlugForm = (initialValues: Values) => useForm<Values>({ mode: 'controlled', initialValues })

function PlugFields({ form }: { form: ReturnType<typeof usePlugForm> }) {
  return (
    <>
      <TextInput
        label={t('Command topic')}
        description={t('Topic of commands to the plug, such as cmnd/plug_1/POWER')}
        required
        maxLength={200}
        {...form.getInputProps('command_topic')}
      />
      <TextInput
        label={t('State topic')}
        description={t('Topic on which the plug reports its state, such as stat/plug_1/POWER')}
        required
        maxLength={200}
        {...form.getInputProps('state_topic')}
      />
      <TextInput label={t('Message for on')} required maxLength={200} {...form.getInputProps('payload_on')} />
      <TextInput label={t('Message for off')} required maxLength={200} {...form.getInputProps('payload_off')} />
      <NumberInput
        label={t('Minutes until it is switched off')}
        description={t('Counted while it is idle and cool. Empty: never by itself')}
        min={1}
        max={1440}
        allowDecimal={false}
        {...form.getInputProps('off_after_minutes')}
      />
      <Switch
        label={t('Switch it on when a job waits for the printer')}
        {...form.getInputProps('switches_on', { type: 'checkbox' })}
      />
    </>
  )
}

const fieldsOf = ({ off_after_minutes: minutes, ...others }: Values) => ({
  ...others,
  off_after_minutes: minutes === '' ? null : Number(minutes),
})

interface AddPlugDialogProps {
  printers: { value: string; label: string }[]
  onClose: () => void
}

export function AddPlugDialog({ printers, onClose }: AddPlugDialogProps) {
  const form = usePlugForm(none)
  const add = useAddPlug()
  const { submit, problem } = useFormSubmit({
    form,
    mutation: add,
    body: fieldsOf,
    done: () => t('The smart plug is added'),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Add a smart plug')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Select
            label={t('Printer')}
            data={printers}
            searchable
            required
            data-autofocus
            {...form.getInputProps('printer_id')}
          />
          <PlugFields form={form} />
          <FormButtons label={t('Add the smart plug')} isBusy={add.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

export function ChangePlugDialog({ plug, onClose }: { plug: SmartPlug; onClose: () => void }) {
  const { printer_id, command_topic, state_topic, payload_on, payload_off, off_after_minutes, switches_on } = plug
  const form = usePlugForm({
    ...{ printer_id, command_topic, state_topic, payload_on, payload_off, switches_on },
    off_after_minutes: off_after_minutes ?? '',
  })
  const change = useChangePlug(plug.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => {
      const { printer_id: _, ...fields } = fieldsOf(values)
      return fields
    },
    done: () => t('The smart plug is changed'),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Change the plug of {name}', { name: plug.printer_name })} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <PlugFields form={form} />
          <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

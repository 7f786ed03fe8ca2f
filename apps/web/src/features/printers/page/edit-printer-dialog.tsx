import { Button, Group, Modal, NumberInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isStale } from '../../../lib/api/api-error.ts'
import type { PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { hubChoicesQuery } from '../../../lib/api/shared-queries.ts'
import { autoStart } from '../../../lib/auto-start.ts'
import { type ConnectionTexts, connectionOf, missingFields } from '../../../lib/connections/connection-families.ts'
import { ConnectionInputs } from '../../../lib/connections/connection-inputs.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { LoadingRows } from '../../../ui/page/loading.tsx'
import { useChangePrinter } from '../controls/use-printer-commands.ts'
import { printerToEditQuery } from '../printers.api.ts'

interface EditPrinterDialogProps {
  printerId: string
  isOpen: boolean
  onClose: () => void
}

/** The settings of one printer. It is read again when the dialog opens, with the tag that guards the change. */
export function EditPrinterDialog({ printerId, isOpen, onClose }: EditPrinterDialogProps) {
  const read = useQuery({ ...printerToEditQuery(printerId), enabled: isOpen })
  return (
    <Modal opened={isOpen} onClose={onClose} title={t('Edit printer')} size="lg">
      {read.error && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
      {read.data ? (
        <EditPrinterForm
          key={read.data.etag}
          printer={read.data.data}
          etag={read.data.etag}
          onClose={onClose}
          onReadAgain={() => void read.refetch()}
        />
      ) : (
        read.isFetching && <LoadingRows />
      )}
    </Modal>
  )
}

interface EditPrinterFormProps {
  printer: PrinterDetail
  etag: string | undefined
  onClose: () => void
  onReadAgain: () => void
}

function EditPrinterForm({ printer, etag, onClose, onReadAgain }: EditPrinterFormProps) {
  const hubs = useQuery(hubChoicesQuery())
  const change = useChangePrinter(printer.id)
  const [connection, setConnection] = useState<ConnectionTexts>()
  const [missing, setMissing] = useState<Record<string, string>>({})
  const form = useForm<FormValues>({
    initialValues: {
      name: printer.name,
      location: printer.location,
      hub_id: printer.hub_id,
      auto_start: printer.auto_start,
      is_active: printer.is_active,
      current_filament_type: printer.current_filament_type,
      current_color: printer.current_color,
      current_color_hex: printer.current_color_hex,
      loaded_filament_grams: printer.loaded_filament_grams ?? '',
      nozzle_size: printer.nozzle_size ?? '',
      maintenance_interval_hours: printer.maintenance_interval_hours ?? '',
      power_group: printer.power_group,
      notes: printer.notes,
    },
  })

  const { submit, problem } = useFormSubmit({
    form,
    mutation: change,
    body: (values) => ({
      etag,
      body: {
        ...values,
        loaded_filament_grams: numberOf(values.loaded_filament_grams),
        nozzle_size: numberOf(values.nozzle_size),
        maintenance_interval_hours: numberOf(values.maintenance_interval_hours),
        ...(connection && { connection: connectionOf(printer.connection_type, connection) }),
      },
    }),
    done: ({ name }) => t('{name} is changed', { name }),
    onDone: onClose,
  })

  function submitComplete(event: FormEvent<HTMLFormElement>) {
    const unfilled = connection ? missingFields(printer.connection_type, connection) : {}
    setMissing(unfilled)
    if (Object.keys(unfilled).length === 0) submit(event)
    else event.preventDefault()
  }

  return (
    <form onSubmit={submitComplete} noValidate>
      <Stack>
        <FormProblem problem={problem} />
        {isStale(problem) && (
          <Button variant="default" onClick={onReadAgain}>
            {t('Read it again')}
          </Button>
        )}
        <TextInput label={t('Name')} withAsterisk maxLength={120} {...form.getInputProps('name')} />
        <TextInput label={t('Place')} maxLength={200} {...form.getInputProps('location')} />
        <Select
          label={t('Hub')}
          placeholder={t('None: it stays offline')}
          data={(hubs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          clearable
          {...form.getInputProps('hub_id')}
        />
        <Switch {...autoStart} {...form.getInputProps('auto_start', { type: 'checkbox' })} />
        <Switch
          label={t('In use')}
          description={t('Out of use its history stays, and nothing prints on it')}
          {...form.getInputProps('is_active', { type: 'checkbox' })}
        />
        <Group grow align="flex-start">
          <TextInput label={t('Loaded material')} placeholder="PLA" {...form.getInputProps('current_filament_type')} />
          <TextInput label={t('Colour')} {...form.getInputProps('current_color')} />
          <TextInput label={t('Colour code')} placeholder="#1A2B3C" {...form.getInputProps('current_color_hex')} />
        </Group>
        <Group grow align="flex-start">
          <NumberInput label={t('On the spool, in g')} min={0} {...form.getInputProps('loaded_filament_grams')} />
          <NumberInput label={t('Nozzle, in mm')} min={0} step={0.1} {...form.getInputProps('nozzle_size')} />
        </Group>
        <Group grow align="flex-start">
          <NumberInput
            label={t('Maintain after printing, in h')}
            min={1}
            allowDecimal={false}
            {...form.getInputProps('maintenance_interval_hours')}
          />
          <TextInput label={t('Power group')} maxLength={60} {...form.getInputProps('power_group')} />
        </Group>
        <Textarea label={t('Notes')} autosize minRows={2} maxLength={2000} {...form.getInputProps('notes')} />
        {printer.connection_type !== 'virtual' &&
          (connection === undefined ? (
            <Button variant="default" onClick={() => setConnection({})}>
              {t('Change how it is reached')}
            </Button>
          ) : (
            <ConnectionInputs
              type={printer.connection_type}
              values={connection}
              errors={missing}
              onChange={(name, value) => setConnection((before) => ({ ...before, [name]: value }))}
            />
          ))}
        <FormButtons label={t('Save')} isBusy={change.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

interface FormValues {
  name: string
  location: string
  hub_id: string | null
  auto_start: boolean
  is_active: boolean
  current_filament_type: string
  current_color: string
  current_color_hex: string
  loaded_filament_grams: number | string
  nozzle_size: number | string
  maintenance_interval_hours: number | string
  power_group: string
  notes: string
}

/** An empty field is no number. */
function numberOf(value: number | string): number | null {
  return typeof value === 'number' ? value : null
}

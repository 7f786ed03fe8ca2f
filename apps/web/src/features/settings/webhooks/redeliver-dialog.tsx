import { Checkbox, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { MomentInput } from '../../../ui/forms/moment-input.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useRedeliverRange } from './webhooks.api.ts'

interface RedeliverDialogProps {
  webhookId: string
  /** Where the range begins unless it is changed. */
  from: string
  onClose: () => void
}

/** Sends what happened in a stretch of time again. */
export function RedeliverDialog({ webhookId, from, onClose }: RedeliverDialogProps) {
  const form = useForm<{ from: string | null; to: string | null; also_delivered: boolean }>({
    mode: 'controlled',
    initialValues: { from, to: null, also_delivered: false },
    validate: { from: (value) => (value === null ? t('Choose when it begins') : null) },
  })
  const redeliver = useRedeliverRange(webhookId)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: redeliver,
    body: ({ from: chosen, to, also_delivered }) => ({
      from: chosen ?? from,
      ...(to !== null && { to }),
      also_delivered,
    }),
    done: ({ deliveries, continue_from: more }) =>
      t('{deliveries, plural, one {# event} other {# events}} sent{more}', {
        deliveries,
        more: more === null ? '' : t('; there are more: go on from there'),
      }),
    onDone: ({ continue_from: more }) => {
      if (more === null) onClose()
      else form.setFieldValue('from', more)
    },
  })
  return (
    <Modal opened onClose={onClose} title={t('Redeliver a stretch of time')}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t('Events that did not arrive are sent: those given up, and those from while it was paused.')}
          </Text>
          <MomentInput label={t('From')} required {...form.getInputProps('from')} />
          <MomentInput label={t('To')} description={t('Until now when it is empty')} {...form.getInputProps('to')} />
          <Checkbox
            label={t('Also those that were delivered')}
            {...form.getInputProps('also_delivered', { type: 'checkbox' })}
          />
          <FormButtons label={t('Redeliver')} isBusy={redeliver.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

import { Modal, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api/api.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'

interface AssembleDialogProps {
  sku: { id: string; sku: string; available_to_build: number }
  onClose: () => void
}

/** Asks for units to be put together. What they take is taken when they are done. */
export function AssembleDialog({ sku, onClose }: AssembleDialogProps) {
  const queryClient = useQueryClient()
  const form = useForm({ initialValues: { quantity: 1, notes: '' } })
  const ask = useMutation({
    mutationFn: ({ quantity, notes }: typeof form.values) =>
      api.call('POST /skus/{id}/assemble', {
        params: { id: sku.id },
        body: { quantity, ...(notes.trim() !== '' && { notes: notes.trim() }) },
      }),
    onSettled: () => {
      for (const key of ['skus', 'worklist', 'stock']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: ask,
    body: (values) => values,
    done: ({ quantity }) =>
      t('The worklist has a task for {quantity, plural, one {# unit} other {# units}} of {sku}', {
        quantity,
        sku: sku.sku,
      }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={t('Put {sku} together', { sku: sku.sku })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t(
              'Stock is enough for {available_to_build, plural, one {# unit} other {# units}} now. The task is in the worklist; stock moves when it is done.',
              { available_to_build: sku.available_to_build },
            )}
          </Text>
          <NumberInput
            label={t('Units')}
            min={1}
            max={100_000}
            allowDecimal={false}
            required
            data-autofocus
            {...form.getInputProps('quantity')}
          />
          <Textarea label={t('Notes')} autosize minRows={1} maxLength={1000} {...form.getInputProps('notes')} />
          <FormButtons label={t('Add the task')} isBusy={ask.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

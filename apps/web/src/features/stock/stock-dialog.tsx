import { Modal, NumberInput, Select, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { StockedItem } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { adjustmentOf, type StockChange } from './stock-change.ts'

const texts: Record<StockChange, { title: string; label: string; description: string; button: string }> = {
  count: {
    title: t('Count'),
    label: t('Ready units on the shelf'),
    description: t('The difference is booked as a count'),
    button: t('Book the count'),
  },
  restock: {
    title: t('Restock'),
    label: t('Units to add'),
    description: t('They are ready to be shipped'),
    button: t('Add them'),
  },
  adjust: {
    title: t('Adjust'),
    label: t('Change in units'),
    description: t('Below zero takes units off'),
    button: t('Book the change'),
  },
}

const reasons = [
  { value: 'manual', label: t('By hand') },
  { value: 'correction', label: t('Correction') },
  { value: 'damaged', label: t('Damaged') },
  { value: 'returned', label: t('Returned') },
  { value: 'inventory_count', label: t('Counted') },
] as const

interface StockDialogProps {
  item: Pick<StockedItem, 'id' | 'sku' | 'ready_stock' | 'reserved'>
  change: StockChange
  onClose: () => void
}

/** Books a change of ready stock, with why. */
export function StockDialog({ item, change, onClose }: StockDialogProps) {
  const queryClient = useQueryClient()
  const { title, label, description, button } = texts[change]
  const form = useForm({
    initialValues: {
      adjustment: change === 'count' ? item.ready_stock : change === 'restock' ? 1 : 0,
      reason: 'manual' as (typeof reasons)[number]['value'],
      notes: '',
    },
    validate: { adjustment: (value) => (change === 'adjust' && value === 0 ? t('Enter the number of units') : null) },
  })
  const save = useMutation({
    mutationFn: async ({ adjustment, ...values }: typeof form.values) => {
      const body = adjustmentOf(change, { number: Number(adjustment), ...values }, item.ready_stock)
      if (!body) return { ready_stock: item.ready_stock, reserved_missing: 0 }
      return api.call('POST /inventory/{id}/adjust', { params: { id: item.id }, body })
    },
    onSettled: () => {
      for (const key of ['stock', 'products', 'skus']) void queryClient.invalidateQueries({ queryKey: [key] })
    },
  })
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: (values) => values,
    done: ({ ready_stock, reserved_missing }) =>
      t('{sku}: {ready_stock} ready{missing}', {
        sku: item.sku,
        ready_stock: formatCount(ready_stock),
        missing:
          reserved_missing > 0
            ? t('; {reserved_missing} that orders held are to be made again', {
                reserved_missing: formatCount(reserved_missing),
              })
            : '',
      }),
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`${title} ${item.sku}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {t('{ready_stock} are known to be ready, {reserved} of them reserved for orders.', {
              ready_stock: formatCount(item.ready_stock),
              reserved: formatCount(item.reserved),
            })}
          </Text>
          <NumberInput
            label={label}
            description={description}
            {...(change !== 'adjust' && { min: change === 'restock' ? 1 : 0 })}
            max={1_000_000}
            allowDecimal={false}
            required
            data-autofocus
            {...form.getInputProps('adjustment')}
          />
          {change !== 'count' && (
            <Select label={t('Reason')} data={[...reasons]} allowDeselect={false} {...form.getInputProps('reason')} />
          )}
          <Textarea label={t('Notes')} autosize minRows={1} maxLength={1000} {...form.getInputProps('notes')} />
          <FormButtons label={button} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

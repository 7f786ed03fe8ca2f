import { Modal, NumberInput, Select, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import type { StockedItem } from '../../lib/api/api-schema.generated.ts'
import { formatCount } from '../../lib/format.ts'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../ui/forms/use-form-submit.ts'
import { adjustmentOf, type StockChange } from './stock-change.ts'

const texts: Record<StockChange, { title: string; label: string; description: string; button: string }> = {
  count: {
    title: 'Count',
    label: 'Ready units on the shelf',
    description: 'What differs is booked as a count',
    button: 'Book the count',
  },
  restock: { title: 'Restock', label: 'Units to add', description: 'They are ready to be shipped', button: 'Add them' },
  adjust: {
    title: 'Adjust',
    label: 'Change in units',
    description: 'Below zero takes units off',
    button: 'Book the change',
  },
}

const reasons = [
  { value: 'manual', label: 'By hand' },
  { value: 'correction', label: 'Correction' },
  { value: 'damaged', label: 'Damaged' },
  { value: 'returned', label: 'Returned' },
  { value: 'inventory_count', label: 'Counted' },
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
    validate: { adjustment: (value) => (change === 'adjust' && value === 0 ? 'Say how many' : null) },
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
      `${item.sku}: ${formatCount(ready_stock)} ready${
        reserved_missing > 0 ? `; ${formatCount(reserved_missing)} that orders held are to be made again` : ''
      }`,
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={`${title} ${item.sku}`}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm">
            {formatCount(item.ready_stock)} are known to be ready, {formatCount(item.reserved)} of them reserved for
            orders.
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
            <Select label="Why" data={[...reasons]} allowDeselect={false} {...form.getInputProps('reason')} />
          )}
          <Textarea label="Notes" autosize minRows={1} maxLength={1000} {...form.getInputProps('notes')} />
          <FormButtons label={button} isBusy={save.isPending} />
        </Stack>
      </form>
    </Modal>
  )
}

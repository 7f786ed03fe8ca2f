import { Fieldset, Modal, NumberInput, Select, SimpleGrid, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { isEnded, type OrderStatus } from '../order-state.ts'
import { useReturnItems } from '../orders.api.ts'
import type { OrderLine } from './order-lines.ts'
import { type Disposition, dispositionOptions } from './return-list.tsx'

interface ReturnDialogProps {
  order: { id: string; order_number: string; status: OrderStatus }
  lines: readonly OrderLine[]
  onClose: () => void
}

/** Books what came back, line by line, and what becomes of it. */
export function ReturnDialog({ order, lines, onClose }: ReturnDialogProps) {
  const away = lines.filter((line) => line.away > 0)
  const form = useForm({
    initialValues: {
      quantities: Object.fromEntries(away.map(({ id }) => [id, 0])) as Record<string, number | string>,
      dispositions: Object.fromEntries(away.map(({ id }) => [id, 'restock'])) as Record<string, Disposition>,
      notes: '',
    },
  })
  const book = useReturnItems(order.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: book,
    body: ({ quantities, dispositions, notes }) => ({
      items: away.flatMap(({ id }) => {
        const quantity = Number(quantities[id])
        if (!(quantity > 0)) return []
        const text = notes.trim()
        return [
          { item_id: id, quantity, disposition: dispositions[id] ?? 'restock', ...(text !== '' && { notes: text }) },
        ]
      }),
    }),
    done: () => t('The return of order {order_number} is booked', { order_number: order.order_number }),
    onDone: onClose,
  })
  const isEmpty = away.every(({ id }) => !(Number(form.values.quantities[id]) > 0))
  // An order that has ended is not opened again.
  const choices = dispositionOptions.filter(({ value }) => value !== 'remake' || !isEnded(order.status))
  return (
    <Modal opened onClose={onClose} title={t('Return of order {order_number}', { order_number: order.order_number })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm" c="dimmed">
            {t('Pieces that are made again reopen their line by that number. Scrapped pieces are only noted.')}
          </Text>
          {away.map((line) => (
            <Fieldset key={line.id} legend={`${line.product_name}, ${line.sku}`}>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <NumberInput
                  label={t('Came back')}
                  description={t('of {away, plural, one {# piece} other {# pieces}} shipped', { away: line.away })}
                  min={0}
                  max={line.away}
                  allowDecimal={false}
                  {...form.getInputProps(`quantities.${line.id}`)}
                />
                <Select
                  label={t('Disposition')}
                  description={t('For all returned pieces')}
                  data={choices}
                  allowDeselect={false}
                  {...form.getInputProps(`dispositions.${line.id}`)}
                />
              </SimpleGrid>
            </Fieldset>
          ))}
          <Textarea label={t('Notes')} autosize minRows={2} maxLength={500} {...form.getInputProps('notes')} />
          <FormButtons label={t('Book the return')} isBusy={book.isPending} isDisabled={isEmpty} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

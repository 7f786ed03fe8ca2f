import { Modal, NumberInput, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { ApiError } from '../../../lib/api/api-error.ts'
import type { Fulfilment } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useShipOrder } from '../orders.api.ts'
import type { OrderLine } from './order-lines.ts'

interface ShipDialogProps {
  order: { id: string; order_number: string }
  lines: readonly OrderLine[]
  onClose: () => void
}

/** Takes ready stock for what is open, as one parcel, and keeps how it is followed. */
export function ShipDialog({ order, lines, onClose }: ShipDialogProps) {
  const open = lines.filter((line) => line.open > 0 && line.state === 'mapped')
  const form = useForm({
    initialValues: {
      quantities: Object.fromEntries(open.map((line) => [line.id, line.open])) as Record<string, number | string>,
      carrier: '',
      tracking_number: '',
      tracking_url: '',
    },
    validate: {
      tracking_url: (text) =>
        text === '' || /^https?:\/\//i.test(text) ? null : t('Must begin with http:// or https://'),
    },
  })
  const ship = useShipOrder(order.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: ship,
    body: ({ quantities, ...tracking }) => ({
      items: open
        .map(({ id }) => ({ item_id: id, quantity: Number(quantities[id]) }))
        .filter(({ quantity }) => quantity > 0),
      // What is left empty is kept as it is.
      ...Object.fromEntries(
        Object.entries(tracking).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : [])),
      ),
    }),
    done: (result) => outcomeWords(order.order_number, result),
    onDone: onClose,
    fieldErrors: (error) => shortages(error),
  })
  const isEmpty = open.every(({ id }) => !(Number(form.values.quantities[id]) > 0))
  const unmapped = lines.filter((line) => line.open > 0 && line.state === 'unmapped').length
  return (
    <Modal opened onClose={onClose} title={t('Ship order {order_number}', { order_number: order.order_number })}>
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <Text size="sm" c="dimmed">
            {t('The contents of the parcel are taken from the ready stock.')}
            {unmapped > 0 &&
              t(
                ' {unmapped, plural, one {# line} other {# lines}} cannot be shipped before it is known for which SKU.',
                { unmapped },
              )}
          </Text>
          {open.map((line) => (
            <NumberInput
              key={line.id}
              label={`${line.product_name}, ${line.sku}`}
              description={t('{open, plural, one {# piece} other {# pieces}} open{packs}', {
                open: line.open,
                packs: line.pack_size > 1 ? t(', in packs of {pack_size}', { pack_size: line.pack_size }) : '',
              })}
              min={0}
              max={line.open}
              allowDecimal={false}
              {...form.getInputProps(`quantities.${line.id}`)}
            />
          ))}
          <TextInput label={t('Carrier')} maxLength={100} {...form.getInputProps('carrier')} />
          <TextInput label={t('Tracking number')} maxLength={200} {...form.getInputProps('tracking_number')} />
          <TextInput
            label={t('Page that follows the parcel')}
            placeholder="https://"
            maxLength={2000}
            {...form.getInputProps('tracking_url')}
          />
          <FormButtons label={t('Ship')} isBusy={ship.isPending} isDisabled={isEmpty} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

function outcomeWords(number: string, { status, fulfillment_errors }: Fulfilment): string {
  if (fulfillment_errors.length > 0)
    return t('A parcel of order {number} is shipped. {fulfillment_errors}', {
      number,
      fulfillment_errors: fulfillment_errors.join('. '),
    })
  return status === 'fulfilled'
    ? t('Order {number} is shipped whole', { number })
    : t('A parcel of order {number} is shipped', { number })
}

/** What is missing of each line, where the service found nothing to ship. */
function shortages({ code, details }: ApiError): Record<string, string> | undefined {
  if (code !== 'INSUFFICIENT_STOCK') return undefined
  // As the service describes the error.
  const { lines } = details as { lines: { order_item_id: string; needed: number; available: number }[] }
  return Object.fromEntries(
    lines.map(({ order_item_id, needed, available }) => [
      `quantities.${order_item_id}`,
      t('{needed, plural, one {# unit} other {# units}} needed, {available} in stock', { needed, available }),
    ]),
  )
}

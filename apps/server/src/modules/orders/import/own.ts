import type { ImportFormat, ItemField, OrderField } from './formats.ts'
import { filled } from './row-reader.ts'

const orderFields = [
  'order_number',
  'external_id',
  'order_date',
  'ship_by',
  'currency',
  'priority',
  'customer_name',
  'customer_email',
  'customer_phone',
  'shipping_street',
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'shipping_country',
  'shipping_cost',
  'tax_amount',
  'discount_amount',
  'total_revenue',
] as const satisfies readonly OrderField[]

const itemFields = [
  'sku',
  'listing_id',
  'variation',
  'product_name',
  'quantity',
  'unit_price',
] as const satisfies readonly ItemField[]

const personalisationPrefix = /^personali[sz]ation: /i

const ownColumns: ReadonlySet<string> = new Set([...orderFields, ...itemFields, 'order_notes', 'item_notes', 'is_paid'])

/** The columns of our own form, as `docs/orders.md` lists them; `personalisation: NAME` is asked for by any number of columns. */
export const ownFormat: ImportFormat = {
  platform: 'manual',
  needs: ['order_number', 'quantity', 'unit_price'],
  isWrittenByHand: true,
  knows: (column) => ownColumns.has(column) || personalisationPrefix.test(column),
  readRow(cells) {
    const personalisation = cells
      .names()
      .filter((name) => personalisationPrefix.test(name))
      .map((name) => ({ name: name.replace(personalisationPrefix, '').trim(), value: cells(name) }))
      .filter(({ name, value }) => name !== '' && value !== '')
    return {
      key: cells('order_number'),
      isUnpaid: /^(false|no|0)$/i.test(cells('is_paid').trim()),
      order: {
        ...filled(Object.fromEntries(orderFields.map((name) => [name, cells(name)])) as Record<OrderField, string>),
        ...filled({ notes: cells('order_notes') }),
      },
      item: {
        ...filled(Object.fromEntries(itemFields.map((name) => [name, cells(name)])) as Record<ItemField, string>),
        ...filled({ notes: cells('item_notes') }),
        ...(personalisation.length > 0 && { personalisation }),
      },
    }
  },
}

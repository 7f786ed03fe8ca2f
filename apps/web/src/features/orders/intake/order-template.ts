import { t } from '../../../lib/i18n/t.ts'

const columns = [
  ...['order_number', 'external_id', 'order_date', 'ship_by', 'currency', 'priority'],
  ...['customer_name', 'customer_email', 'customer_phone'],
  ...['shipping_street', 'shipping_city', 'shipping_state', 'shipping_zip', 'shipping_country'],
  ...['shipping_cost', 'tax_amount', 'discount_amount', 'total_revenue', 'order_notes'],
  ...['sku', 'listing_id', 'variation', 'product_name', 'quantity', 'unit_price', 'item_notes'],
  t('personalisation: Name'),
]

/** An empty table of our own form, to be filled by a spreadsheet. */
export const templateAddress = `data:text/csv;charset=utf-8,${encodeURIComponent(`${columns.join(',')}\r\n`)}`

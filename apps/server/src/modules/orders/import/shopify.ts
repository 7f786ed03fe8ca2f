import type { ImportFormat } from './formats.ts'
import { filled, joined } from './row-reader.ts'

/** States of a payment that is not there, or not whole. */
const unpaid = /^(pending|authorized|partially_paid|expired)$/i

/**
 * Shopify's export of orders: a row for each line, of which those after the first leave the cells of the order empty. Columns come
 * and go with the years; what a customer wrote on a line is in none of them.
 */
export const shopifyFormat: ImportFormat = {
  platform: 'shopify',
  needs: ['name', 'lineitem quantity', 'lineitem name', 'lineitem price'],
  readRow(cells) {
    const title = cells('lineitem name')
    const sku = cells('lineitem sku')
    const isOver = overOf(cells('fulfillment status'), cells('financial status'), cells('cancelled at'))
    return {
      key: cells('name'),
      order: filled({
        order_number: cells('name'),
        external_id: cells('id'),
        order_date: cells('created at', 'paid at'),
        currency: cells('currency'),
        customer_name: cells('shipping name', 'billing name'),
        customer_email: cells('email'),
        customer_phone: cells('shipping phone', 'phone', 'billing phone'),
        shipping_street: joined(
          ', ',
          cells('shipping company'),
          cells('shipping street') || joined(', ', cells('shipping address1'), cells('shipping address2')),
        ),
        shipping_city: cells('shipping city'),
        shipping_state: cells('shipping province', 'shipping province name'),
        // A leading apostrophe keeps spreadsheets from reading it as a number.
        shipping_zip: cells('shipping zip').replace(/^'/, ''),
        shipping_country: cells('shipping country'),
        shipping_cost: cells('shipping'),
        tax_amount: cells('taxes'),
        discount_amount: cells('discount amount'),
        total_revenue: cells('total'),
        notes: cells('notes'),
      }),
      ...(title !== '' && {
        item: filled({
          sku,
          listing_id: sku === '' ? title : '',
          product_name: title,
          quantity: cells('lineitem quantity'),
          unit_price: cells('lineitem price'),
        }),
      }),
      ...(isOver !== undefined && { isOver }),
      isUnpaid: unpaid.test(cells('financial status')),
    }
  },
}

function overOf(fulfilment: string, payment: string, cancelledAt: string): string | undefined {
  if (cancelledAt !== '') return 'it was cancelled in the shop'
  if (/^(refunded|voided)$/i.test(payment)) return `its payment is ${payment.toLowerCase()} in the shop`
  return /^fulfilled$/i.test(fulfilment) ? 'it is fulfilled in the shop already' : undefined
}

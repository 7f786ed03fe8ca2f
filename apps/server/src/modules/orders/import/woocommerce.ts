import type { ImportFormat } from './formats.ts'
import { filled, joined } from './row-reader.ts'

/**
 * Orders of WooCommerce, which exports none by itself: the plugins that do name their columns in words that differ little. A row for
 * each item; the cells of the order may stand in the first one alone.
 */
export const wooCommerceFormat: ImportFormat = {
  platform: 'woocommerce',
  needs: ['order number', 'item name'],
  readRow(cells) {
    const number = cells('order number').replace(/^#/, '')
    const title = cells('item name', 'product name')
    const sku = cells('sku', 'item sku', 'product sku')
    const isOver = overOf(cells('order status', 'status'))
    const shipped = (name: string) =>
      cells(`${name} (shipping)`, `shipping ${name}`, `${name} (billing)`, `billing ${name}`)
    return {
      key: number,
      order: filled({
        order_number: number,
        external_id: cells('order id'),
        order_date: cells('order date', 'date', 'paid date'),
        currency: cells('order currency', 'currency'),
        customer_name: joined(' ', shipped('first name'), shipped('last name')) || cells('customer name'),
        customer_email: cells('email (billing)', 'billing email', 'customer email', 'email'),
        customer_phone: cells('phone (billing)', 'billing phone', 'phone'),
        shipping_street: joined(
          ', ',
          shipped('company'),
          shipped('address 1&2') || joined(', ', shipped('address 1'), shipped('address 2')),
        ),
        shipping_city: shipped('city'),
        shipping_state: shipped('state code') || shipped('state'),
        shipping_zip: shipped('postcode') || shipped('zip'),
        shipping_country: shipped('country code') || shipped('country'),
        shipping_cost: cells('order shipping amount', 'shipping total', 'order shipping'),
        tax_amount: cells('order total tax amount', 'tax total', 'order tax'),
        discount_amount: cells('cart discount amount', 'discount total', 'order discount'),
        total_revenue: cells('order total amount', 'order total', 'total'),
        notes: cells('customer note'),
      }),
      ...(title !== '' && {
        item: filled({
          sku,
          listing_id: sku === '' ? cells('product id') || title : cells('product id'),
          variation: cells('variation', 'product variation'),
          product_name: title,
          quantity: cells('quantity (- refund)', 'quantity', 'item quantity', 'qty'),
          unit_price: cells('item cost', 'item price', 'price'),
        }),
      }),
      ...(isOver !== undefined && { isOver }),
    }
  },
}

const overStatus = /^(?:wc-)?(completed|cancelled|refunded|failed|trash)$/i

function overOf(status: string): string | undefined {
  const [, name] = overStatus.exec(status.trim()) ?? []
  return name === undefined ? undefined : `it is ${name.toLowerCase()} in the shop`
}

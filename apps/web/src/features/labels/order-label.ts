import type { OrderSummary } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'

/** Channels that people know by name; the others tell nothing on a parcel. */
const channels: Partial<Record<OrderSummary['platform'], string>> = {
  shopify: 'Shopify',
  etsy: 'Etsy',
  woocommerce: 'WooCommerce',
}

/**
 * What the label of an order says: its number, and below that where it was placed and under which number it is known there. A
 * parcel passes through many hands: the label does not name the customer.
 */
export function orderLabel({
  order_number,
  platform,
  external_id,
}: Pick<OrderSummary, 'order_number' | 'platform' | 'external_id'>): { name: string; detail: string } {
  const reference = external_id === order_number ? '' : external_id
  return {
    name: t('Order {order_number}', { order_number }),
    detail: [channels[platform], reference].filter(Boolean).join(' · '),
  }
}

import type { OrderDetails } from '../../../lib/api/api-schema.generated.ts'
import { isEnded, placeOf } from '../order-state.ts'
import { listingWords } from '../page/order-lines.ts'

interface UnmappedLine {
  item_id: string
  order_id: string
  order_number: string
  quantity: number
}

/** Lines that one mapping is for: of one shop, with the same code or else the same listing and variation. */
export interface UnmappedGroup {
  key: string
  /** Where it is sold. */
  place: string
  name: string
  /** What the shop calls it, where that is more than the name. */
  listing: string
  /** In the order of their orders; at least one. */
  lines: [UnmappedLine, ...UnmappedLine[]]
}

/** The open lines of these orders that stand for no SKU, those that are alike together. */
export function unmappedGroups(orders: readonly OrderDetails[]): UnmappedGroup[] {
  const groups = new Map<string, UnmappedGroup>()
  for (const order of orders.filter(({ status }) => !isEnded(status))) {
    for (const item of order.items) {
      if (item.state !== 'unmapped' || item.fulfillment_status !== 'pending') continue
      const line = { item_id: item.id, order_id: order.id, order_number: order.order_number, quantity: item.quantity }
      const words = listingWords(item)
      // A line without any of these is like no other.
      const known = item.seller_sku !== '' ? [item.seller_sku] : ['', item.listing_id, item.variation]
      const key = words === '' ? item.id : JSON.stringify([order.platform, order.shop, ...known])
      const group = groups.get(key)
      if (group) group.lines.push(line)
      else {
        const name = item.product_name || words
        groups.set(key, { key, place: placeOf(order), name, listing: words === name ? '' : words, lines: [line] })
      }
    }
  }
  return [...groups.values()]
}

import type { OrderItemRow } from '../orders.queries.ts'
import { type ItemStatus, isOpen, itemStatus } from '../state/order-status.ts'
import type { ShopLine } from './shop-order.ts'

type KnownLine = Pick<
  OrderItemRow,
  | 'id'
  | 'external_id'
  | 'seller_sku'
  | 'listing_id'
  | 'variation'
  | 'quantity'
  | 'unit_price'
  | 'quantity_fulfilled'
  | 'fulfillment_status'
  | 'personalisation'
  | 'notes'
>

/** What a line is from now on. */
export interface ChangedLine {
  id: OrderItemRow['id']
  external_id: string
  quantity: number
  unit_price: number
  fulfillment_status: ItemStatus
  personalisation: ShopLine['personalisation']
  notes: string
}

/** What an order must change by to be as its shop has it. */
interface LineChanges {
  changed: ChangedLine[]
  added: ShopLine[]
}

/**
 * Compares the lines of an order with those that its shop has now. A line is known by its ID there; one that came another way (a file, a
 * request) is taken for the first like it, and is left alone when the shop has none like it. What has left an order has left it: a line
 * is never less than that.
 *
 * @param isErased whether the customer was erased: what the shop tells of them is left out
 */
export function compareLines(
  items: readonly KnownLine[],
  lines: readonly ShopLine[],
  { isErased = false }: { isErased?: boolean } = {},
): LineChanges {
  const byId = new Map(items.filter((item) => item.external_id !== '').map((item) => [item.external_id, item]))
  const unclaimed = items.filter((item) => item.external_id === '')
  const claim = (line: ShopLine) => {
    const at = unclaimed.findIndex((item) => isLike(item, line))
    return at < 0 ? undefined : unclaimed.splice(at, 1)[0]
  }
  const changed: ChangedLine[] = []
  const added: ShopLine[] = []
  const told = new Set(lines.map((line) => line.external_id))
  for (const line of lines) {
    const item = byId.get(line.external_id) ?? claim(line)
    if (item === undefined) {
      if (line.quantity > 0) added.push(line)
      continue
    }
    const now = { ...lineAfter(item, line.quantity), ...wordsOf(item, line, isErased) }
    if (isOther(item, now)) changed.push(now)
  }
  for (const item of byId.values()) {
    if (told.has(item.external_id)) continue
    const now = { ...lineAfter(item, 0), ...wordsOf(item, undefined, isErased) }
    if (isOther(item, now)) changed.push(now)
  }
  return { changed, added }
}

const isLike = (item: KnownLine, line: ShopLine) =>
  line.sku !== undefined && line.sku !== ''
    ? item.seller_sku === line.sku
    : item.listing_id !== '' && item.listing_id === line.listing_id && item.variation === (line.variation ?? '')

function lineAfter(item: KnownLine, wanted: number) {
  const { id, quantity, quantity_fulfilled, fulfillment_status } = item
  if (wanted <= 0 && quantity_fulfilled === 0) return { id, quantity, fulfillment_status: 'cancelled' as const }
  const left = Math.max(wanted, quantity_fulfilled)
  // What was cancelled with a part of it gone stays so, unless the shop wants more again.
  if (wanted <= quantity_fulfilled && fulfillment_status === 'cancelled') return { id, quantity, fulfillment_status }
  return { id, quantity: left, fulfillment_status: itemStatus({ quantity: left, quantity_fulfilled }) }
}

function wordsOf(item: KnownLine, line: ShopLine | undefined, isErased: boolean) {
  const { unit_price, personalisation, notes } = item
  if (line === undefined) return { external_id: item.external_id, unit_price, personalisation, notes }
  return {
    external_id: line.external_id,
    unit_price: line.unit_price,
    personalisation: isErased ? personalisation : line.personalisation,
    notes: isErased ? notes : (line.notes ?? notes),
  }
}

function isOther(item: KnownLine, now: ChangedLine): boolean {
  return (
    item.external_id !== now.external_id ||
    item.quantity !== now.quantity ||
    item.unit_price !== now.unit_price ||
    item.fulfillment_status !== now.fulfillment_status ||
    item.notes !== now.notes ||
    JSON.stringify(pairsOf(item.personalisation)) !== JSON.stringify(pairsOf(now.personalisation))
  )
}

/** The database keeps fields in an order of its own. */
const pairsOf = (personalisation: ShopLine['personalisation']) =>
  personalisation.map(({ name, value }) => [name, value])

/** True when anything of the lines is still to be fulfilled. */
export function hasOpenLines(items: readonly Pick<OrderItemRow, 'fulfillment_status'>[]): boolean {
  return items.some(isOpen)
}

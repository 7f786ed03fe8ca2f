import type { SkuId } from '../../../kernel/ids.ts'

/** What is still open of an order item. Quantities are packs of `pack_size` units; an item without a SKU is unmapped. */
interface OpenLine {
  product_sku_id: SkuId | null
  quantity: number
  quantity_fulfilled: number
  pack_size: number
  /** The most that is to be taken of the quantity; default: all that is open. */
  most?: number
  /** Units on the shelf that the plan holds for the line; default: none. */
  held?: number
  /** It takes none but those that are held: another unit is not what the customer wants. */
  takesHeldOnly?: boolean
}

/** Number of units that were open of a line, and how many of them the stock has. */
export interface PlannedLine<Line extends OpenLine> {
  item: Line
  needed: number
  taken: number
}

/**
 * Shares the ready stock out to the lines in their order: each takes what is held for it and then what is free, as much as it needs or,
 * when there is less, the whole packs that are left. Lines of the same SKU draw on the same free stock, and none takes what is held
 * for another. A SKU that is not among the free stock has none.
 */
export function planFulfilment<Line extends OpenLine>(
  lines: readonly Line[],
  freeBySku: ReadonlyMap<string, number>,
): PlannedLine<Line>[] {
  const left = new Map(freeBySku)
  return lines.map((item) => {
    const { product_sku_id: skuId, pack_size: packSize, held = 0, takesHeldOnly = false } = item
    const open = item.quantity - item.quantity_fulfilled
    const packs = Math.min(open, item.most ?? open)
    const free = skuId === null || takesHeldOnly ? 0 : Math.max(0, left.get(skuId) ?? 0)
    const reach = skuId === null ? 0 : held + free
    const taken = Math.min(packs, Math.floor(reach / packSize)) * packSize
    if (skuId !== null && taken > held) left.set(skuId, free - (taken - held))
    return { item, needed: packs * packSize, taken }
  })
}

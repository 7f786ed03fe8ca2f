import type { SkuId } from '../../../kernel/ids.ts'

/** What is still open of an order item. Quantities are packs of `pack_size` units; an item without a SKU is unmapped. */
interface OpenLine {
  product_sku_id: SkuId | null
  quantity: number
  quantity_fulfilled: number
  pack_size: number
  /** The most that is to be taken of the quantity; default: all that is open. */
  most?: number
}

/** How many units were open of a line, and how many of them the stock has. */
export interface PlannedLine<Line extends OpenLine> {
  item: Line
  needed: number
  taken: number
}

/**
 * Shares the ready stock out to the lines in their order: each takes what it needs or, when there is less, the whole packs that
 * are left. Lines of the same SKU draw on the same stock. A SKU that is not among the stock has none.
 */
export function planFulfilment<Line extends OpenLine>(
  lines: readonly Line[],
  readyBySku: ReadonlyMap<string, number>,
): PlannedLine<Line>[] {
  const left = new Map(readyBySku)
  return lines.map((item) => {
    const { product_sku_id: skuId, pack_size: packSize } = item
    const open = item.quantity - item.quantity_fulfilled
    const packs = Math.min(open, item.most ?? open)
    const ready = skuId === null ? 0 : (left.get(skuId) ?? 0)
    const taken = Math.max(0, Math.min(packs, Math.floor(ready / packSize))) * packSize
    if (skuId !== null) left.set(skuId, ready - taken)
    return { item, needed: packs * packSize, taken }
  })
}

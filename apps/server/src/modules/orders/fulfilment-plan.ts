import type { SkuId } from '../../kernel/ids.ts'

/** What is still open of an order item. */
interface OpenLine {
  product_sku_id: SkuId
  quantity: number
  quantity_fulfilled: number
}

/** How many units were open of a line, and how many of them the stock has. */
export interface PlannedLine<Line extends OpenLine> {
  item: Line
  needed: number
  taken: number
}

/**
 * Shares the ready stock out to the lines in their order: each takes what it needs or, when there is less, what is left.
 * Lines of the same SKU draw on the same stock. A SKU that is not among the stock has none.
 */
export function planFulfilment<Line extends OpenLine>(
  lines: readonly Line[],
  readyBySku: ReadonlyMap<string, number>,
): PlannedLine<Line>[] {
  const left = new Map(readyBySku)
  return lines.map((item) => {
    const needed = item.quantity - item.quantity_fulfilled
    const ready = left.get(item.product_sku_id) ?? 0
    const taken = Math.max(0, Math.min(needed, ready))
    left.set(item.product_sku_id, ready - taken)
    return { item, needed, taken }
  })
}

const dayMs = 86_400_000

/** Before this is no order of a shop, but the first day of a spreadsheet or a number that is none of milliseconds. */
const firstMs = Date.UTC(2000, 0, 1)
const tooEarly = 'must not be before the year 2000'

/**
 * Answers what is wrong with the times of an order, by field. An order may come in late: only where it says when it was placed, its time to
 * ship cannot lie before that. A day of leeway: a shop that tells days alone may be in another zone.
 */
export function timeProblems({
  orderDate,
  shipBy,
}: {
  orderDate: Date | null
  shipBy: Date | null
}): Partial<Record<'order_date' | 'ship_by', string>> {
  if (orderDate !== null && orderDate.getTime() < firstMs) return { order_date: tooEarly }
  if (shipBy === null) return {}
  if (shipBy.getTime() < firstMs) return { ship_by: tooEarly }
  if (orderDate === null || shipBy.getTime() >= orderDate.getTime() - dayMs) return {}
  return { ship_by: `must not be before the order was placed, ${orderDate.toISOString().slice(0, 10)}` }
}

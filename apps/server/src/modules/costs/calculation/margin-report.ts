import type { SkuId } from '../../../kernel/ids.ts'
import { addMargins, type LineMargin, type Margin, type OrderMargin } from './order-cost.ts'

/** An order with its day by the calendar of the account. */
type DatedOrder = OrderMargin & { date: string }

/** Lines of one SKU; null for those that are not mapped. */
export interface SkuMargin {
  skuId: SkuId | null
  name: string
  units: number
  estimate: Margin
  /** Margin of what has left, with its own revenue; null where nothing of it has. */
  shipped: { units: number; actual: Margin } | null
}

interface SumOfOrders {
  orders: number
  estimate: Margin
  shipped: { orders: number; actual: Margin } | null
}

export interface MarginReport {
  /** Orders in the currency of costs, all together. */
  total: SumOfOrders
  /** Orders in other currencies: they are in no sum. */
  foreignOrders: number
  orders: readonly DatedOrder[]
  /** Those with the most revenue first. */
  skus: SkuMargin[]
  days: ReadonlyMap<string, SumOfOrders>
}

/** Sums of what orders earn. What is in other currencies is counted, and added to nothing. */
export function reportMargins(orders: readonly DatedOrder[]): MarginReport {
  const counted = orders.filter(({ estimate }) => estimate.revenue !== null)
  const lines = counted.flatMap((order) => order.lines)
  const days = Map.groupBy(counted, ({ date }) => date)
  return {
    total: sumOrders(counted),
    foreignOrders: orders.length - counted.length,
    orders,
    skus: [...Map.groupBy(lines, ({ line }) => line.skuId).values()].map(sumLines).toSorted(byRevenue),
    days: new Map([...days].map(([date, its]) => [date, sumOrders(its)])),
  }
}

/** Answers what orders earned together; those that have left once more by what they cost. */
export function sumOrders(orders: readonly DatedOrder[]): SumOfOrders {
  const shipped = orders.flatMap(({ actual }) => actual ?? [])
  return {
    orders: orders.length,
    estimate: addMargins(orders.map(({ estimate }) => estimate)),
    shipped: shipped.length === 0 ? null : { orders: shipped.length, actual: addMargins(shipped) },
  }
}

function sumLines(lines: readonly LineMargin[]): SkuMargin {
  const shipped = lines.flatMap(({ line, actual }) => (actual === null ? [] : [{ line, actual }]))
  const [first] = lines
  return {
    skuId: first?.line.skuId ?? null,
    name: first?.line.skuId ? first.line.name : '',
    units: lines.reduce((sum, { line }) => sum + line.units, 0),
    estimate: addMargins(lines.map(({ estimate }) => estimate)),
    shipped:
      shipped.length === 0
        ? null
        : {
            units: shipped.reduce((sum, { line }) => sum + line.shippedUnits - line.restockedUnits, 0),
            actual: addMargins(shipped.map(({ actual }) => actual)),
          },
  }
}

function byRevenue(one: SkuMargin, other: SkuMargin): number {
  const [a, b] = [one.estimate.revenue ?? 0n, other.estimate.revenue ?? 0n]
  if (a === b) return one.name < other.name ? -1 : 1
  return a > b ? -1 : 1
}

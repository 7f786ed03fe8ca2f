import type { MaterialId, OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'
import type { Platform } from '../../orders/listings/platforms.ts'
import {
  addCosts,
  type Cost,
  knownAmount,
  noCost,
  scaleCost,
  spreadCost,
  totalAmount,
  unknownCost,
  unknownPrinting,
  withoutPart,
} from './cost.ts'
import { type Micros, spreadAmount } from './money.ts'
import { labourCost, materialCost, platformFee, type Rates } from './rates.ts'
import type { UnitCostOf } from './sku-cost.ts'

/** A line that was not cancelled. */
export interface LineFacts {
  id: OrderItemId
  skuId: SkuId | null
  /** Its SKU, else what the shop calls it. */
  name: string
  units: number
  /** In millionths of the order's currency, before discounts of the whole order. */
  price: Micros
  /** Units that left, those that were sent again among them. */
  shippedUnits: number
  /** Units of them that came back into stock. */
  restockedUnits: number
}

export interface OrderFacts {
  id: OrderId
  number: string
  platform: Platform
  currency: string
  /** What the customer pays, and of it what is neither tax nor shipping. */
  paid: Micros
  goods: Micros
  lines: readonly LineFacts[]
  /** Nothing of it is still to leave, and something did. */
  hasLeft: boolean
  /** Packaging that was booked for its parcels. */
  packaging: readonly { id: MaterialId; name: string; pieces: number }[]
  /** Seconds that people recorded for picking and packing; null where a task of the order has none. */
  labourSeconds: number | null
}

/** What was earned with something, and what it cost. */
export interface Margin {
  /** In the currency of costs; null where the order is in another. */
  revenue: Micros | null
  cost: Cost
}

export interface LineMargin {
  line: LineFacts
  estimate: Margin
  /** Null until the order has left. */
  actual: Margin | null
}

export interface OrderMargin {
  order: OrderFacts
  lines: readonly LineMargin[]
  estimate: Margin
  actual: Margin | null
}

/**
 * Answers what an order earns. The fee of the platform, the work on the order and the packaging of its parcels are spread over its lines by
 * their prices, so that the lines add up to the order.
 */
export function orderMargin(rates: Rates, order: OrderFacts, unitCostOf: UnitCostOf): OrderMargin {
  const { lines } = order
  const isForeign = order.currency !== rates.currency
  const subject = { kind: 'order', id: order.id, name: `${order.number} (${order.currency})` } as const
  const fee =
    lines.length === 0
      ? noCost
      : isForeign
        ? unknownCost('platform_fee', 'currency', subject)
        : platformFee(rates, order.platform, order.paid)
  const revenues = spreadAmount(
    order.goods,
    lines.map(({ price }) => price),
  ).map((revenue) => (isForeign ? null : revenue))
  const planned = marginsOf(order, revenues, {
    units: ({ units }) => units,
    way: 'estimate',
    shared: [fee, lines.length === 0 ? noCost : labourCost(rates, rates.orderLabourSeconds, 'order_labour_seconds')],
    unitCostOf,
  })
  const taken = order.hasLeft
    ? marginsOf(order, revenues, {
        units: ({ shippedUnits, restockedUnits }) => Math.max(0, shippedUnits - restockedUnits),
        way: 'actual',
        shared: [fee, ...order.packaging.map(packagingCost(rates)), recordedLabour(rates, order)],
        unitCostOf,
      })
    : null
  return {
    order,
    lines: lines.map((line, at) => ({
      line,
      estimate: planned[at] as Margin,
      actual: taken === null ? null : (taken[at] as Margin),
    })),
    estimate: addMargins(planned, isForeign),
    actual: taken && addMargins(taken, isForeign),
  }
}

interface Way {
  units: (line: LineFacts) => number
  way: 'estimate' | 'actual'
  /** What the order costs as a whole. */
  shared: readonly Cost[]
  unitCostOf: UnitCostOf
}

function marginsOf(
  order: OrderFacts,
  revenues: readonly (Micros | null)[],
  { units, way, shared, unitCostOf }: Way,
): Margin[] {
  const { lines, packaging } = order
  const shares = spreadCost(
    addCosts(shared),
    lines.map(({ price }) => price),
  )
  return lines.map((line, at) => {
    const share = shares[at] ?? noCost
    const count = units(line)
    const revenue = revenues[at] ?? null
    if (line.skuId === null) {
      const missing = unknownPrinting('mapping', { kind: 'order', id: order.id, name: line.name })
      return { revenue, cost: addCosts([missing, share]) }
    }
    const unit = unitCostOf(line.skuId)[way]
    // The parcels say what was taken of packaging, where anything was booked for them.
    const own = way === 'actual' && packaging.length > 0 ? withoutPart(unit, 'packaging') : unit
    return { revenue, cost: addCosts([count === 0 ? noCost : scaleCost(own, count), share]) }
  })
}

const packagingCost = (rates: Rates) => (packaging: OrderFacts['packaging'][number]) =>
  materialCost(rates, { ...packaging, kind: 'packaging' }, packaging.pieces)

function recordedLabour(rates: Rates, { labourSeconds }: OrderFacts): Cost {
  return labourCost(rates, labourSeconds ?? rates.orderLabourSeconds, 'order_labour_seconds')
}

/** The same of several together. What is earned in several currencies is not added up. */
export function addMargins(
  margins: readonly Margin[],
  isForeign = margins.some(({ revenue }) => revenue === null),
): Margin {
  const revenue = margins.reduce((sum, each) => sum + (each.revenue ?? 0n), 0n)
  return { revenue: isForeign ? null : revenue, cost: addCosts(margins.map(({ cost }) => cost)) }
}

/** Answers what is left of the revenue; null while anything of it is not known. */
export function marginAmount({ revenue, cost }: Margin): Micros | null {
  const total = totalAmount(cost)
  return revenue === null || total === null ? null : revenue - total
}

/** Answers what is left after the costs that are known: the margin is at most that. */
export function marginAtMost({ revenue, cost }: Margin): Micros | null {
  return revenue === null ? null : revenue - knownAmount(cost)
}

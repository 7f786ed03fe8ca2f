import type { Demand, OrderDemand, RestockDemand } from './facts.ts'

/**
 * Demands in the order in which they are served: orders by `ship_by`, then priority, then age, then ID; then the SKUs to be
 * restocked, those first that are made of others, so that the parts of kits are taken before parts are put on the shelf.
 */
export function inOrderOfService(demands: readonly Demand[], placeInBoms: (demand: RestockDemand) => number): Demand[] {
  const orders = demands.filter((demand) => demand.kind === 'order_item')
  const restocks = demands.filter((demand) => demand.kind === 'restock')
  return [
    ...orders.sort(compareOrders),
    ...restocks.sort((a, b) => placeInBoms(a) - placeInBoms(b) || compareText(a.id, b.id)),
  ]
}

function compareOrders(a: OrderDemand, b: OrderDemand): number {
  return (
    compareTimes(a.shipByMs, b.shipByMs) ||
    b.priority - a.priority ||
    a.orderedAtMs - b.orderedAtMs ||
    compareText(a.id, b.id)
  )
}

/** Earlier times first, unknown ones last. */
function compareTimes(a: number | null, b: number | null): number {
  if (a === b) return 0
  return (a ?? Number.POSITIVE_INFINITY) < (b ?? Number.POSITIVE_INFINITY) ? -1 : 1
}

/** By code units: the same on every machine, unlike the order of a locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

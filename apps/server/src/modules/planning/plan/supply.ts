import type { SkuId } from '../../../kernel/ids.ts'
import type { Demand, DemandId, Facts, PinnedPeg, Supply } from './facts.ts'
import { compareText } from './order-of-service.ts'

/** States of units by how near they are to the customer, nearest first. */
export const stateOrder = ['reserved', 'to_assemble', 'on_live_job', 'to_print'] as const
export type UnitState = (typeof stateOrder)[number]

/** Units of one SKU that one supply has, and that no demand has taken yet. */
interface Lot {
  supply: Supply
  skuId: SkuId
  left: number
  state: UnitState
  /** Time when they are printed: before all time for what is there, after all time for what is not known. */
  readyAtMs: number
  isQueued: boolean
  /** Pegged whether or not it is needed. */
  isPinned: boolean
}

/** Units that a demand takes of a lot. */
export interface Take {
  lot: Lot
  units: number
}

export const alreadyThere = Number.NEGATIVE_INFINITY
export const notKnown = Number.POSITIVE_INFINITY

/** What demands take from, one after the other. */
export interface SupplyPool {
  /** Answers what the demand would get of so many units: its own first, then what is there, then what is ready soonest. Nearest first. */
  offer(demand: Demand, skuId: SkuId, units: number): Take[]
  /** Lots that were pinned, and of which no demand has taken everything. */
  leftPinned(): { demandId: DemandId; lot: Lot }[]
}

/** `mostOf` says how many units of a SKU a demand could need, its parts counted; a pin holds no more. */
export function createSupply(
  facts: Facts,
  demands: readonly Demand[],
  mostOf: (demand: Demand, skuId: SkuId) => number,
): SupplyPool {
  const free = new Map<SkuId, { lots: Lot[]; next: number }>()
  const own = new Map<DemandId, Map<SkuId, Lot[]>>()

  for (const { lot, dedicatedTo } of lotsOf(facts)) {
    if (dedicatedTo === null) pushTo(free, lot)
    else pushOwn(own, dedicatedTo, lot)
  }
  for (const { lots } of free.values()) lots.sort(compareLots)
  pinLots(facts.pins, demands, mostOf, free, own)
  // What is pinned is pegged in any case: taken after what is made for the demand it would be a peg too many.
  const compareOwn = (a: Lot, b: Lot) => Number(b.isPinned) - Number(a.isPinned) || compareLots(a, b)
  for (const lotsBySku of own.values()) for (const lots of lotsBySku.values()) lots.sort(compareOwn)

  return {
    offer(demand, skuId, units) {
      const its = own.get(demand.id)?.get(skuId)
      const takes = its ? takeFrom(its, 0, units).sort((a, b) => compareNearness(a.lot, b.lot)) : []
      if (demand.kind === 'order_item' && demand.isDedicated) return takes
      const pool = free.get(skuId)
      if (!pool) return takes
      while (pool.lots[pool.next]?.left === 0) pool.next += 1
      const missing = units - sumOf(takes)
      const more = takeFrom(pool.lots, pool.next, missing)
      return takes.length === 0 ? more : [...takes, ...more].sort((a, b) => compareNearness(a.lot, b.lot))
    },
    leftPinned() {
      return [...own].flatMap(([demandId, lotsBySku]) =>
        [...lotsBySku.values()].flatMap((lots) =>
          lots.filter(({ isPinned, left }) => isPinned && left > 0).map((lot) => ({ demandId, lot })),
        ),
      )
    },
  }
}

export function sumOf(takes: readonly { units: number }[]): number {
  return takes.reduce((sum, { units }) => sum + units, 0)
}

function takeFrom(lots: readonly Lot[], from: number, units: number): Take[] {
  const takes: Take[] = []
  let missing = units
  for (let index = from; index < lots.length && missing > 0; index += 1) {
    const lot = lots[index]!
    if (lot.left === 0) continue
    const taken = Math.min(lot.left, missing)
    takes.push({ lot, units: taken })
    missing -= taken
  }
  return takes
}

function pushTo(free: Map<SkuId, { lots: Lot[]; next: number }>, lot: Lot): void {
  const pool = free.get(lot.skuId)
  if (pool) pool.lots.push(lot)
  else free.set(lot.skuId, { lots: [lot], next: 0 })
}

function pushOwn(own: Map<DemandId, Map<SkuId, Lot[]>>, demandId: DemandId, lot: Lot): void {
  const lotsBySku = own.get(demandId) ?? new Map<SkuId, Lot[]>()
  own.set(demandId, lotsBySku)
  const lots = lotsBySku.get(lot.skuId)
  if (lots) lots.push(lot)
  else lotsBySku.set(lot.skuId, [lot])
}

interface OwnedLot {
  lot: Lot
  dedicatedTo: DemandId | null
}

function lotsOf(facts: Facts): OwnedLot[] {
  return [...readyLots(facts), ...assemblyLots(facts), ...jobLots(facts)].filter(({ lot }) => lot.left > 0)
}

function readyLots({ stock }: Facts): OwnedLot[] {
  return stock.map(({ skuId, ready }) => ({
    lot: stockLot('ready_stock', skuId, ready),
    dedicatedTo: null,
  }))
}

function assemblyLots({ stock, assemblyTasks }: Facts): OwnedLot[] {
  const left = new Map<SkuId, number>()
  for (const { skuId, needsAssembly } of stock) left.set(skuId, (left.get(skuId) ?? 0) + Math.max(0, needsAssembly))
  const dedicated = [...assemblyTasks]
    .sort((a, b) => compareText(a.id, b.id))
    .flatMap(({ kind, skuId, unitsLeft, orderItemId }) => {
      if (kind !== 'print_assembly' || orderItemId === null) return []
      const units = Math.min(unitsLeft, left.get(skuId) ?? 0)
      left.set(skuId, (left.get(skuId) ?? 0) - units)
      return [{ lot: stockLot('needs_assembly', skuId, units), dedicatedTo: orderItemId }]
    })
  const rest = [...left].map(([skuId, units]) => ({
    lot: stockLot('needs_assembly', skuId, units),
    dedicatedTo: null,
  }))
  return [...dedicated, ...rest]
}

function stockLot(kind: 'ready_stock' | 'needs_assembly', skuId: SkuId, units: number): Lot {
  return {
    supply: { kind, id: skuId },
    skuId,
    left: Math.max(0, units),
    state: kind === 'ready_stock' ? 'reserved' : 'to_assemble',
    readyAtMs: alreadyThere,
    isQueued: false,
    isPinned: false,
  }
}

function jobLots({ outputs }: Facts): OwnedLot[] {
  return outputs.map(({ jobId, skuId, units, expectedAtMs, dedicatedTo, isQueued }) => ({
    lot: {
      supply: { kind: 'job', id: jobId },
      skuId,
      left: Math.max(0, units),
      state: 'on_live_job',
      readyAtMs: expectedAtMs ?? notKnown,
      isQueued,
      isPinned: false,
    },
    dedicatedTo,
  }))
}

/** Nearest first; of jobs that nothing else tells apart the running one, so that queued ones can be cancelled. */
function compareLots(a: Lot, b: Lot): number {
  return compareNearness(a, b) || Number(a.isQueued) - Number(b.isQueued) || compareText(a.supply.id, b.supply.id)
}

function compareNearness(a: Lot, b: Lot): number {
  if (a.state !== b.state) return stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state)
  if (a.readyAtMs === b.readyAtMs) return 0
  return a.readyAtMs < b.readyAtMs ? -1 : 1
}

/** Takes what is pinned out of what is free. Where pins claim more than there is, those of earlier demands hold. */
function pinLots(
  pins: readonly PinnedPeg[],
  demands: readonly Demand[],
  mostOf: (demand: Demand, skuId: SkuId) => number,
  free: ReadonlyMap<SkuId, { lots: readonly Lot[] }>,
  own: Map<DemandId, Map<SkuId, Lot[]>>,
): void {
  if (pins.length === 0) return
  const pinsOf = Map.groupBy(pins, ({ demandId }) => demandId)
  for (const demand of demands) {
    const heldOf = new Map<SkuId, number>()
    for (const { skuId, supply, units } of (pinsOf.get(demand.id) ?? []).sort(comparePins)) {
      const held = heldOf.get(skuId) ?? 0
      let missing = Math.min(units, mostOf(demand, skuId) - held)
      for (const lot of free.get(skuId)?.lots ?? []) {
        if (missing <= 0) break
        if (lot.supply.kind !== supply.kind || lot.supply.id !== supply.id) continue
        const taken = Math.min(missing, lot.left)
        if (taken === 0) continue
        lot.left -= taken
        missing -= taken
        heldOf.set(skuId, (heldOf.get(skuId) ?? 0) + taken)
        pushOwn(own, demand.id, { ...lot, left: taken, isPinned: true })
      }
    }
  }
}

function comparePins(a: PinnedPeg, b: PinnedPeg): number {
  return (
    compareText(a.skuId, b.skuId) ||
    compareText(a.supply.kind, b.supply.kind) ||
    compareText(a.supply.id, b.supply.id) ||
    a.units - b.units
  )
}

import type { PlannedLine, PlannedOrder } from './shop-plan.ts'

/** Counts by the code of a SKU or of an error. */
class Tally {
  readonly counts = new Map<string, number>()

  add(name: string, count: number): void {
    this.counts.set(name, this.of(name) + count)
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** An order that the service knows. */
export interface KnownOrder {
  planned: PlannedOrder
  id: string
  /** Lines of listings that no one has mapped yet. */
  waiting: PlannedLine[]
  /** When the last of it left, in seconds of the month; of a parcel that came back to be made again, the first time. */
  shippedAt: number | null
  /** Whether a part of it has left and the rest has not: a more pressing order came between the look and the parcel. */
  hasLeftInPart: boolean
  state: 'open' | 'shipped' | 'cancelled'
}

/** What people did and saw themselves, by SKU: what the books of the service are compared with. */
export interface MonthRecord {
  orders: Map<string, KnownOrder>
  shipped: Tally
  restocked: Tally
  /** Came back of no more use, to be made again. */
  remade: Tally
  /** Pieces that were found bad as they came off a plate, or when they were put together. */
  rejected: Tally
  /** Taken off the shelf because they were damaged there. */
  damaged: Tally
  /** Kits that were put together, and what they took. */
  assembled: Tally
  usedInKits: Tally
  /** Units of jobs that were cancelled or failed: another job may have been queued for them. */
  givenUp: Tally
  /** Units of jobs that were queued for someone, and those beyond, as `produce` told. */
  served: Tally
  toldSurplus: Tally
  platesCleared: number
  jobsRetried: number
  jobsCancelled: number
  /** What the service refused because things had changed meanwhile, by code. */
  refused: Tally
  wrong: string[]
}

export function openRecord(): MonthRecord {
  return {
    orders: new Map(),
    shipped: new Tally(),
    restocked: new Tally(),
    remade: new Tally(),
    rejected: new Tally(),
    damaged: new Tally(),
    assembled: new Tally(),
    usedInKits: new Tally(),
    givenUp: new Tally(),
    served: new Tally(),
    toldSurplus: new Tally(),
    platesCleared: 0,
    jobsRetried: 0,
    jobsCancelled: 0,
    refused: new Tally(),
    wrong: [],
  }
}

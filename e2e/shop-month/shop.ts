import type { HandDeed, HandSight } from '../fault-runs/hand-deeds.ts'
import type { FurnishedShop } from './furnish-shop.ts'
import type { KnownOrder, MonthRecord } from './month-record.ts'
import { Refusal, type ShopApi } from './shop-api.ts'
import type { ShopClock } from './shop-clock.ts'
import type { PlannedUnits, ShopPlan } from './shop-plan.ts'

/** A running shop: where everyone who works there finds what they need. */
export interface Shop {
  api: ShopApi
  plan: ShopPlan
  furnished: FurnishedShop
  record: MonthRecord
  clock: ShopClock
  agenda: Agenda
  production: ProductionWay
  /** Hands at a printer; null while it cannot be reached. */
  use(printerId: string, deed: HandDeed): Promise<HandSight | null>
}

/** How the shop decides what to print. */
export interface ProductionWay {
  /** Whether lines that are engraved are kept apart; else the wish is a note for people. */
  keepsEngravings: boolean
  /** Lines of an order are known, with their SKUs. */
  order(order: KnownOrder, units: readonly PlannedUnits[]): Promise<void>
  /** Comes by a few times a day. */
  round(): Promise<void>
  cancel(order: KnownOrder): Promise<void>
  /** Units are gone that an order was to have. */
  lose(order: KnownOrder | null, units: PlannedUnits): Promise<void>
  /** People have time to put kits together that no task asks for. */
  assemble(): Promise<void>
}

/** What is to be done when. */
export class Agenda {
  private entries: { at: number; act: () => Promise<void> }[] = []

  get isEmpty(): boolean {
    return this.entries.length === 0
  }

  put(at: number, act: () => Promise<void>): void {
    this.entries.push({ at, act })
  }

  /** Does what is due by now, the oldest first. */
  async keep(now: number): Promise<void> {
    const due = this.entries.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)
    this.entries = this.entries.filter(({ at }) => at > now)
    for (const { act } of due) await act()
  }
}

/** What is refused because something has changed meanwhile is counted, and done later or not at all. */
export async function attempt<T>({ refused }: MonthRecord, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refused.add(error.code, 1)
    return undefined
  }
}

export function idOfSku({ furnished }: Pick<Shop, 'furnished'>, code: string): string {
  const id = furnished.skus.get(code)
  if (!id) throw new Error(`no SKU ${code}`)
  return id
}

export function codeOfSku({ furnished }: Pick<Shop, 'furnished'>, id: string): string {
  for (const [code, skuId] of furnished.skus) if (skuId === id) return code
  throw new Error(`no SKU with the ID ${id}`)
}

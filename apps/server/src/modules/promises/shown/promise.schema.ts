import Type, { type Static } from 'typebox'
import { nullable, oneOf, resource, timestamp } from '../../../http/schema.ts'
import { type UnknownReason, unknownReasons } from '../forecast/moment.ts'
import type { PromiseRow } from './promise.queries.ts'

const sentences: Record<UnknownReason, (sku: string) => string> = {
  unmapped: (sku) => `A line names no SKU: ${sku || 'map it first'}`,
  no_recipe: (sku) => `${sku} has no recipe`,
  recipe_fits_no_printer: (sku) => `No printer of the farm fits a recipe of ${sku}`,
  missing_component: (sku) => `Components of ${sku} are missing`,
  sku_inactive: (sku) => `${sku} is no longer made`,
  bom_cycle: (sku) => `${sku} is a part of itself`,
  too_many_parts: (sku) => `${sku} would need more parts than can be counted`,
  not_planned: () => 'It is being planned',
  no_printer: (sku) => `No printer that fits ${sku} is in use and out of maintenance`,
  unknown_print_time: (sku) => `A file of ${sku} does not say how long it prints`,
  too_few_prints: (sku) => `Too few prints were done to say how late ${sku} may be`,
}

export const unknownBecause = nullable(
  oneOf(unknownReasons, {
    description:
      'Reason why a time is null; null when none is. As in the plan, and: not_planned: the next plan knows; no_printer: no printer ' +
      'that fits is in use and out of maintenance; unknown_print_time: a file does not say how long it prints; ' +
      'too_few_prints: nothing was learnt of slow prints, so that there is no p90',
  }),
)

export const OrderPromise = nullable(
  resource('OrderPromise', 'Forecast of when an open order is ready, and by when it leaves', {
    is_ready: Type.Boolean({ description: 'Whether all units are on the shelf' }),
    ready_p50_at: nullable(
      timestamp(
        'Time at which it is ready in half of all cases, or was first seen ready; null while that is not known',
      ),
    ),
    ready_p90_at: nullable(timestamp('The same in nine of ten cases')),
    promised_at: nullable(timestamp('End of the working day on which it leaves by its p90')),
    first_promised_at: nullable(timestamp('First promise, made as soon as all of its lines were mapped and known')),
    is_at_risk: Type.Boolean({ description: 'Whether it leaves after its `ship_by`, by its p90 or else its p50' }),
    unknown_because: unknownBecause,
    message: Type.String({ description: 'The reason as a sentence; empty without one' }),
  }),
)

/** A reason that is stored is one of these; what another release stored is told as what is not known yet. */
export function readReason(reason: string | null): UnknownReason | null {
  return reason === null ? null : (unknownReasons.find((each) => each === reason) ?? 'not_planned')
}

/** The reason as a sentence about a SKU, or a product or file by its name. */
export const sentenceOf = (reason: UnknownReason, name: string): string => sentences[reason](name)

/** Null for an order that is not open, and until its first forecast. */
export function presentPromise(row: PromiseRow | undefined, shipBy: Date | null): Static<typeof OrderPromise> {
  if (!row) return null
  const reason = readReason(row.reason)
  const leaves = row.leaves_p90_at ?? row.ready_p50_at
  return {
    is_ready: row.is_ready,
    ready_p50_at: row.ready_p50_at?.toISOString() ?? null,
    ready_p90_at: row.ready_p90_at?.toISOString() ?? null,
    promised_at: row.promised_at?.toISOString() ?? null,
    first_promised_at: row.first_promised_at?.toISOString() ?? null,
    is_at_risk: shipBy !== null && leaves !== null && leaves > shipBy,
    unknown_because: reason,
    message: reason === null ? '' : sentences[reason](row.sku),
  }
}

/** Times when units of a line are printed. */
export interface GroupTimes {
  ready_p50_at: string | null
  ready_p90_at: string | null
  unknown_because: UnknownReason | null
}

export const noTimes: GroupTimes = { ready_p50_at: null, ready_p90_at: null, unknown_because: null }

/** Answers when all of these are: not known as long as one is not. */
export function lastOf(
  times: readonly { p50_at: Date | null; p90_at: Date | null; reason: string | null }[],
): GroupTimes {
  const last = (all: readonly (Date | null)[]) =>
    all.some((at) => at === null) || all.length === 0 ? null : new Date(Math.max(...all.map(Number))).toISOString()
  return {
    ready_p50_at: last(times.map(({ p50_at }) => p50_at)),
    ready_p90_at: last(times.map(({ p90_at }) => p90_at)),
    unknown_because: readReason(times.find(({ reason }) => reason !== null)?.reason ?? null),
  }
}

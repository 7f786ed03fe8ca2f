import type { PrinterId } from '../../../kernel/ids.ts'

/** Reason why nothing, or no p90, is forecast of something. */
export const unknownReasons = [
  'unmapped',
  'no_recipe',
  'recipe_fits_no_printer',
  'missing_component',
  'sku_inactive',
  'bom_cycle',
  'too_many_parts',
  'not_planned',
  'no_printer',
  'unknown_print_time',
  'too_few_prints',
] as const
export type UnknownReason = (typeof unknownReasons)[number]

/** Time when something will be done: half of such things are by p50, nine of ten by p90. Null while that is not known. */
export interface Outlook {
  p50Ms: number | null
  p90Ms: number | null
  /** Reason why a time is null, the gravest of several; null when both are known. */
  reason: UnknownReason | null
}

/** The same of a job, with where it would print. */
export interface JobOutlook extends Outlook {
  /** The printer that would be the first to end it; null where nothing is known of any. Another one may take it. */
  printerId: PrinterId | null
  /** Time when half of such jobs have started; of one that prints, when it did. */
  startsMs: number | null
}

export const unknown = (reason: UnknownReason): Outlook => ({ p50Ms: null, p90Ms: null, reason })
export const unknownJob = (reason: UnknownReason): JobOutlook => ({
  ...unknown(reason),
  printerId: null,
  startsMs: null,
})

/** What is done when all of these are. They all take long, or none does: what slows one down, slows down the others. */
export function whenAll(parts: readonly Outlook[], fromMs: number): Outlook {
  return {
    p50Ms: latest(
      parts.map(({ p50Ms }) => p50Ms),
      fromMs,
    ),
    p90Ms: latest(
      parts.map(({ p90Ms }) => p90Ms),
      fromMs,
    ),
    reason: gravest(parts.flatMap(({ reason }) => reason ?? [])),
  }
}

/** The reasons stand in the order of what a person can do about them first. */
export function gravest(reasons: readonly UnknownReason[]): UnknownReason | null {
  return unknownReasons.find((reason) => reasons.includes(reason)) ?? null
}

function latest(times: readonly (number | null)[], fromMs: number): number | null {
  let last = fromMs
  for (const time of times) {
    if (time === null) return null
    last = Math.max(last, time)
  }
  return last
}

import { type ConnectionProblemReason, readProblem } from '@printyard/protocol/connection-problems'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'

/** One problem as it is kept with a printer or a hub. */
export interface HealthEntry extends ReportedProblem {
  /** Since when it is there, ISO 8601. */
  since: string
}

/** One reason, and since when it is there or is gone. */
interface Sight {
  isThere: boolean
  details: Details
  sinceMs: number
}

/** What a report says of a reason; it may change while the problem stays the same one. */
type Details = Omit<ReportedProblem, 'reason'>

/** What is seen of one printer or hub, over time. */
export interface Observation {
  /** Time when looking began: what was kept before and was never seen is gone since then. */
  fromMs: number
  sights: ReadonlyMap<string, Sight>
}

/** A problem counts once it was there for so long, and is over once it was gone for so long: lines drop, sockets close. */
export const SETTLE_MS = 15_000

/** A printer with our print on it that does not answer. Kept by its own rule, not by what hubs report. */
export const printOutOfReach = 'print_out_of_reach'

/** Out of reach in one way or another: what else is wrong with it cannot be seen meanwhile. */
const outOfReach: ReadonlySet<string> = new Set(['unreachable', 'refused', 'no_answer', 'unknown'])

/** What passes by itself or is no one's fault, such as a printer that is switched off: shown, and no work for anybody. */
const passing: ReadonlySet<ConnectionProblemReason> = new Set([
  'unreachable',
  'refused',
  'no_answer',
  'busy',
  'printer_not_connected',
  // The failed print itself is what people deal with, and its plate.
  'print_error',
  // Asked about by a task of its own.
  printOutOfReach,
  // It was allowed by a setting.
  'hub_plain_text',
  'unknown',
])

/** Nothing is started on a printer that has one of the others: it would fail, or no one could tell what became of it. */
const harmless: ReadonlySet<ConnectionProblemReason> = new Set([
  'busy',
  // Such a printer takes the next print, which takes the words away.
  'print_error',
  // Seen when a file was refused: only the next try can tell whether there is room again.
  'storage_full',
  'storage_faulty',
  'commands_refused',
  // The hub refuses by itself what it cannot record, and only the next command can show that it can again.
  'hub_storage_full',
  'hub_clock_skew',
  'hub_storage_low',
  'hub_plain_text',
  'hub_replaced',
])

export const needsPerson = (problem: ReportedProblem) => !passing.has(readProblem(problem).reason)

export const blocksStarts = (problem: ReportedProblem) => !harmless.has(readProblem(problem).reason)

/** The next sight after a report of what is wrong now. */
export function observe(
  before: Observation | undefined,
  problems: readonly ReportedProblem[],
  nowMs: number,
): Observation {
  const sights = new Map<string, Sight>()
  for (const [reason, sight] of before?.sights ?? []) {
    const isThere = problems.some((problem) => problem.reason === reason)
    sights.set(reason, sight.isThere === isThere ? sight : { ...sight, isThere, sinceMs: nowMs })
  }
  for (const { reason, ...details } of problems) {
    const known = sights.get(reason)
    sights.set(reason, known ? { ...known, details } : { isThere: true, details, sinceMs: nowMs })
  }
  return { fromMs: before?.fromMs ?? nowMs, sights }
}

/** Answers what is kept from now on, given what was kept: the same when nothing has lasted long enough to change it. */
export function settle(kept: readonly HealthEntry[], seen: Observation, nowMs: number): HealthEntry[] {
  const hasLasted = (sinceMs: number) => nowMs - sinceMs >= SETTLE_MS
  const isOutOfReach = [...seen.sights].some(([reason, { isThere }]) => isThere && outOfReach.has(reason))
  const staying = kept.flatMap((entry) => {
    if (entry.reason === printOutOfReach) return entry
    const sight = seen.sights.get(entry.reason)
    if (sight?.isThere) return { since: entry.since, reason: entry.reason, ...detailsIn(sight.details) }
    if (isOutOfReach && !outOfReach.has(entry.reason)) return entry
    return hasLasted(sight?.sinceMs ?? seen.fromMs) ? [] : entry
  })
  const added = [...seen.sights].flatMap(([reason, { isThere, details, sinceMs }]) =>
    isThere && hasLasted(sinceMs) && !kept.some((entry) => entry.reason === reason)
      ? { since: new Date(sinceMs).toISOString(), reason, ...detailsIn(details) }
      : [],
  )
  return [...staying, ...added]
}

/** In the order in which the database gives them back, shortest name first, and nothing but what is kept. */
function detailsIn({ message, certificate_fingerprint }: Details): Details {
  return { message, ...(certificate_fingerprint !== undefined && { certificate_fingerprint }) }
}

/** True when nothing is left to wait for: what is kept is what is seen. */
export function isSettled(kept: readonly HealthEntry[], seen: Observation): boolean {
  const there = [...seen.sights].filter(([, { isThere }]) => isThere)
  const reported = kept.filter(({ reason }) => reason !== printOutOfReach)
  return (
    there.length === reported.length &&
    there.every(([reason, { details }]) =>
      kept.some(
        (entry) =>
          entry.reason === reason &&
          entry.message === details.message &&
          entry.certificate_fingerprint === details.certificate_fingerprint,
      ),
    )
  )
}

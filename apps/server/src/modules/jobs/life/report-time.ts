/** Time when something happened, and for people why that time is the service's own where a hub told another one. */
export interface ReportTime {
  at: Date
  note: string | null
}

/** Clocks of a hub and the service that agree to this are taken to agree; a frame may be on its way for as long. */
const toleranceMs = 10_000

interface TimeBounds {
  /** Time when the report came. */
  now: Date
  /** Time that the clock of the hub is ahead of that of the service, as its last frames show. */
  hubAheadMs: number
  /** What was known before of the attempt: its start, or when its run was seen last. */
  notBefore: Date
}

/**
 * Answers when something happened by the clock of the hub, corrected by how far that clock is off now. A time that cannot be, because
 * the clock was set meanwhile, is the moment in which the service learned of it instead, with a note.
 */
export function timeOfReport(happenedAt: string, { now, hubAheadMs, notBefore }: TimeBounds): ReportTime {
  const told = Date.parse(happenedAt)
  if (!Number.isFinite(told)) return { at: now, note: noteOf('did not tell when it happened') }
  const atMs = told - hubAheadMs
  const name = new Date(told).toISOString()
  if (atMs > now.getTime() + toleranceMs) return { at: now, note: noteOf(`told ${name}, which is yet to come`) }
  if (atMs < notBefore.getTime() - toleranceMs) {
    return { at: now, note: noteOf(`told ${name}, which is before what was seen of the print`) }
  }
  return { at: new Date(Math.min(now.getTime(), Math.max(notBefore.getTime(), atMs))), note: null }
}

/** Answers when it happened, where the service learned of that at least a second later; null where it learned of it at once. */
export function timeIfLate({ at }: ReportTime, now: Date): Date | null {
  return now.getTime() - at.getTime() < 1_000 ? null : at
}

const noteOf = (what: string) => `The time is when the service learned of it: the clock of the hub ${what}.`

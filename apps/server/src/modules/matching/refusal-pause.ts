import { backOffMs } from '../../kernel/back-off.ts'
import type { Refusals } from './farm-facts.ts'

const pauses = { firstMs: 5_000, longestMs: 10 * 60_000 }

/** Refusals older than this count for nothing any more. */
export const refusalMemoryMs = 30 * 60_000

/** A job goes on to another printer at once; only when that many have refused it, it may be the job itself. */
const refusalsForgivenToJob = 2

/**
 * Until when a printer is left alone after it was refused: 5 s, doubled with each refusal in a row, 10 minutes at most. So
 * a stuck door does not wear out a job, and is tried again by itself when a person has closed it.
 */
export function printerPausedUntil(refusals: Refusals | undefined): Date | null {
  return pausedUntil(refusals, 0)
}

/** Until when a job waits after several printers refused it, as those do. */
export function jobPausedUntil(refusals: Refusals | undefined): Date | null {
  return pausedUntil(refusals, refusalsForgivenToJob)
}

function pausedUntil(refusals: Refusals | undefined, forgiven: number): Date | null {
  const counted = (refusals?.count ?? 0) - forgiven
  if (!refusals || counted < 1) return null
  return new Date(refusals.lastAt.getTime() + backOffMs(counted, pauses))
}

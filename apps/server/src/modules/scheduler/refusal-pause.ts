import type { Refusals } from './farm-facts.ts'

const firstPauseMs = 5_000
const longestPauseMs = 10 * 60_000

/** Refusals older than this count for nothing any more. */
export const refusalMemoryMs = 30 * 60_000

/**
 * Until when a printer, or a job, is left alone after it was refused: 5 s, doubled with each refusal in a row, 10 minutes at
 * most. So a stuck door does not wear out a job, and is tried again by itself when somebody has closed it.
 */
export function pausedUntil(refusals: Refusals | undefined): Date | null {
  if (!refusals || refusals.count < 1) return null
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(20, refusals.count - 1))
  return new Date(refusals.lastAt.getTime() + pauseMs)
}

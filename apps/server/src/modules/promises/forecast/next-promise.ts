/** A promise is made again when the order will be ready so much earlier or later, and leaves on another day. Our choice. */
export const leastMoveMs = 4 * 3_600_000

interface Promised {
  readyP90Ms: number
  /** The end of the day on which it leaves. */
  promisedMs: number
}

/** True when what is expected now is a promise of its own beside the last one, if there is any. */
export function isNewPromise(last: Promised | undefined, now: Promised): boolean {
  if (last === undefined) return true
  return last.promisedMs !== now.promisedMs && Math.abs(last.readyP90Ms - now.readyP90Ms) >= leastMoveMs
}

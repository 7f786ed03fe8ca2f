/** A session that is not used for this long is over. */
export const idleMs = 7 * 24 * 3_600_000

/** However much it is used, a session is over after this. */
export const longestMs = 30 * 24 * 3_600_000

/** Interval at which the time of last use of a session is written, at most. */
export const recordUseEveryMs = 60_000

interface Life {
  last_seen_at: Date
  expires_at: Date
  ended_at: Date | null
}

/** True when a session opens a request at this moment. */
export function isAlive({ last_seen_at, expires_at, ended_at }: Life, now: Date): boolean {
  return ended_at === null && expires_at > now && last_seen_at.getTime() + idleMs > now.getTime()
}

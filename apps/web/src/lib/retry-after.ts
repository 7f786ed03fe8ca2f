const longestWaitMs = 120_000

/**
 * Milliseconds to wait by a `Retry-After` header: seconds, or a date (RFC 9110, 10.2.3). Undefined when the header is
 * missing or unreadable. At least one second, so that a 0 or a clock that runs ahead cannot cause a rush; at most two
 * minutes, so that a wrong clock cannot still the page for a day.
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const text = header.trim()
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs
  if (Number.isNaN(waitMs)) return undefined
  return Math.min(longestWaitMs, Math.max(1000, waitMs))
}

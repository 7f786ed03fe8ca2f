/** Reason why an attempt did not deliver. */
export const failures = [
  'status',
  'redirect',
  'timeout',
  'connection',
  'dns',
  'tls',
  'address_refused',
  'event_removed',
  'secret_unreadable',
] as const
export type Failure = (typeof failures)[number]

/** What an attempt came to. */
export interface Outcome {
  /** Null when it was delivered: the receiver answered 2xx. */
  failure: Failure | null
  /** What the receiver answered; null when it did not. */
  status_code: number | null
  /** The beginning of its answer, or what went wrong, for people. */
  answer: string | null
  duration_ms: number
  /** Time that the receiver asks to be left alone; 0 when it does not. */
  retryAfterMs: number
}

/** Characters of an answer that the log keeps. */
const longestAnswer = 500

/** The beginning of an answer as the log keeps it: printable text. */
export function excerpt(text: string): string {
  return text
    .replaceAll(/[^\P{C}\n\t]/gu, '')
    .trim()
    .slice(0, longestAnswer)
    .toWellFormed()
}

/**
 * The wait that a `Retry-After` asks for, in seconds or as a date; 0 for none that can be read.
 *
 * @param now by the clock of who asks, where it said so: a date is one of that clock
 */
export function readRetryAfterMs(header: string | undefined, now: Date): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = Date.parse(header)
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime())
}

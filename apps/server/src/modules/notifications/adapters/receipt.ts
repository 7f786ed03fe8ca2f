import type { Answered } from '../../outbound/send-request.ts'
import type { Receipt, Verdict } from './adapter.ts'

/** Statuses after which the same message may be taken later: too early, too many, or trouble on the other side. */
const passing = new Set([408, 425, 429])

/** Answers what an answer means, where the service has no words of its own for it. */
export function receiptOf(answered: Answered, gone: readonly number[] = [404, 410]): Receipt {
  const { status_code, answer, duration_ms, retryAfterMs } = answered
  return { verdict: verdictOf(answered, gone), status_code, answer, duration_ms, retryAfterMs }
}

function verdictOf({ failure, status_code: status }: Answered, gone: readonly number[]): Verdict {
  if (failure === null) return 'accepted'
  if (failure === 'address_refused' || failure === 'redirect') return 'refused'
  if (status === null) return 'retry'
  if (gone.includes(status)) return 'gone'
  return passing.has(status) || status >= 500 ? 'retry' : 'refused'
}

/** An acceptance whose body does not look like one of this service: something else answers there, such as a login page. */
export function unlikeAnswer(receipt: Receipt, what: string): Receipt {
  return {
    ...receipt,
    verdict: 'retry',
    answer: `Not an answer of ${what}: ${receipt.answer ?? 'empty'}`.slice(0, 500),
  }
}

/** The object in an answer; undefined when it is none. */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Seconds in a field of an answer, in ms; 0 for none. */
export function secondsIn(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.ceil(value * 1_000) : 0
}

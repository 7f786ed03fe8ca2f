import type { ErrorCode } from './generated/api.generated.ts'

/** Any failure of a call. */
export class PrintyardError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

interface Refusal {
  status: number
  code: ErrorCode
  details?: unknown
  requestId?: string | null
  retryAfterSeconds?: number | null
  cause?: unknown
}

/** The service refused. Branch on `code`; `message` is for people and may change. */
export class ApiError extends PrintyardError {
  /** HTTP status. */
  readonly status: number
  readonly code: ErrorCode
  /** Problem, in a form that depends on the code; of `VALIDATION_ERROR` the sentences by field. */
  readonly details: unknown
  /** Quote it when you report a problem; null when the answer came from a proxy. */
  readonly requestId: string | null
  /** Seconds after which to ask again; null when the service does not say. */
  readonly retryAfterSeconds: number | null

  constructor(message: string, { status, code, details, requestId, retryAfterSeconds, cause }: Refusal) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.details = details
    this.requestId = requestId ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
  }

  /** What `details` say of single fields of a request that is not valid; empty for refusals of another kind. */
  get fields(): Record<string, string[]> {
    if (typeof this.details !== 'object' || this.details === null) return {}
    const entries = Object.entries(this.details).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((message) => typeof message === 'string'),
    )
    return Object.fromEntries(entries)
  }
}

/** What came is no answer of Printyard, though its status says success: one cut short, or the page of another site. */
export class UnreadableAnswerError extends PrintyardError {
  /** HTTP status. */
  readonly status: number

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** No answer came: whether the service has done what was asked is not known. The cause is in `cause`. */
export class ConnectionError extends PrintyardError {}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {}

/** A webhook that was not sent by your service, or too long ago. */
export class WebhookVerificationError extends PrintyardError {}

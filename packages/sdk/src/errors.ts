import type { ErrorCode } from './generated/api.generated.ts'

/** Any failure of a call. */
export class PrintyardError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The service refused. Branch on `code`; `message` is for people and may change. */
export class ApiError extends PrintyardError {
  /** HTTP status. */
  readonly status: number
  readonly code: ErrorCode
  /** What is wrong, in a form that depends on the code; of `VALIDATION_ERROR` the sentences by field. */
  readonly details: unknown
  /** Quote it when you report a problem; null when the answer came from a proxy. */
  readonly requestId: string | null
  /** Seconds after which to ask again; null when the service does not say. */
  readonly retryAfterSeconds: number | null

  constructor(
    message: string,
    refusal: {
      status: number
      code: ErrorCode
      details: unknown
      requestId: string | null
      retryAfterSeconds: number | null
    },
  ) {
    super(message)
    this.status = refusal.status
    this.code = refusal.code
    this.details = refusal.details
    this.requestId = refusal.requestId
    this.retryAfterSeconds = refusal.retryAfterSeconds
  }
}

/** No answer came: whether the service has done what was asked is not known. The cause is in `cause`. */
export class ConnectionError extends PrintyardError {}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {}

/** A webhook that was not sent by your service, or too long ago. */
export class WebhookVerificationError extends PrintyardError {}

import { serviceSentence } from '../i18n/service-sentence.ts'

/** Field → what is wrong with it, as the service says in `details` of `VALIDATION_ERROR`. */
type FieldMessages = Record<string, string[]>

interface ErrorFacts {
  code: string
  status: number
  details?: unknown
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/**
 * A call that brought no data. `code` is the service's own, or one of ours: `SERVICE_UNREACHABLE`, `REQUEST_TIMED_OUT`,
 * `UNREADABLE_ANSWER`. `status` is 0 when no answer came.
 */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly details: unknown
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(message: string, { code, status, details, requestId, retryAfterMs, cause }: ErrorFacts) {
    super(message, { cause })
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.details = details
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
  }
}

/** Anything thrown, as an `ApiError`; a fault of this page itself has the code `PAGE_FAULT`. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  return new ApiError(error instanceof Error ? error.message : String(error), {
    code: 'PAGE_FAULT',
    status: 0,
    cause: error,
  })
}

/** What the service says of single fields, in the language of the page; empty for errors of another kind. */
export function fieldMessages(error: unknown): FieldMessages {
  if (!(error instanceof ApiError) || typeof error.details !== 'object' || error.details === null) return {}
  const entries = Object.entries(error.details).filter(
    (entry): entry is [string, string[]] =>
      Array.isArray(entry[1]) && entry[1].every((message) => typeof message === 'string'),
  )
  return Object.fromEntries(entries.map(([field, messages]) => [field, messages.map(serviceSentence)]))
}

/**
 * What was wrong, where no field of a form can say it: `filename: must end in .gcode` instead of a word about details that
 * no one sees.
 */
export function problemText(error: unknown): string {
  const { message } = asApiError(error)
  const sentences = Object.entries(fieldMessages(error)).map(([path, texts]) => {
    const text = texts.join(', ')
    return path === '_root' ? `${text}.` : `${path}: ${text}.`
  })
  return sentences.length === 0 ? message : sentences.join(' ')
}

/** The thing was changed by another since it was read: read it again, then decide. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'PRECONDITION_FAILED'
}

/** No one is signed in (any more). */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'UNAUTHORIZED' || error.code === 'SESSION_EXPIRED')
}

/** The person must show first that it is them. */
export function isProofRequired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'PROOF_REQUIRED'
}

/** The account asks for a second factor, which the person must add first. */
export function isFactorRequired(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'SECOND_FACTOR_REQUIRED'
}

const away = new Set(['SERVICE_UNREACHABLE', 'REQUEST_TIMED_OUT', 'SERVICE_UNAVAILABLE'])

/** The service did not answer, or what stands before it answered in its place. */
export function isServiceAway(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return away.has(error.code) || (error.code === 'UNREADABLE_ANSWER' && error.status >= 502)
}

/** The same call may succeed a moment later. */
export function mayPass(error: unknown): boolean {
  if (isServiceAway(error)) return true
  return error instanceof ApiError && (error.code === 'IDEMPOTENCY_IN_PROGRESS' || error.status === 429)
}

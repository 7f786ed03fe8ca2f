import { ApiError, ConnectionError, TimeoutError, UnreadableAnswerError } from '@printyard/sdk/errors'
import { serviceSentence } from '../i18n/service-sentence.ts'
import { t } from '../i18n/t.ts'

/**
 * A call that brought no data, as the SDK reads it. `code` is the service's own, or one of ours: `SERVICE_UNREACHABLE`,
 * `REQUEST_TIMED_OUT`, `UNREADABLE_ANSWER`. `status` is 0 when no answer came.
 */
export { ApiError }

/** How long a call waits for its answer. */
export const timeoutMs = 30_000

/** A failure of the SDK as this page tells it: always an `ApiError`, in the language of the page. */
export function inWords(error: unknown): unknown {
  if (error instanceof TimeoutError) {
    const message = t('The service gave no answer within {timeoutMs} s.', { timeoutMs: timeoutMs / 1000 })
    return new ApiError(message, { code: 'REQUEST_TIMED_OUT', status: 0, cause: error })
  }
  if (error instanceof ConnectionError) {
    return new ApiError(t('The service cannot be reached.'), { code: 'SERVICE_UNREACHABLE', status: 0, cause: error })
  }
  // A proxy's error page, or an answer cut short.
  if (error instanceof UnreadableAnswerError || (error instanceof ApiError && error.code === 'UNKNOWN')) {
    return new ApiError(t('The answer (HTTP {status}) is not one that Printyard gives.', { status: error.status }), {
      ...error,
      code: 'UNREADABLE_ANSWER',
      cause: error,
    })
  }
  if (error instanceof ApiError) error.message = serviceSentence(error.message)
  return error
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
export function fieldMessages(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, messages]) => [field, messages.map(serviceSentence)]),
  )
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

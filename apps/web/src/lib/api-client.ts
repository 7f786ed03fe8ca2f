import { parseRetryAfter } from './retry-after.ts'

const timeoutMs = 10_000
const assumedRetryAfterMs = 10_000

/**
 * A call that brought no data. `code` is the service's own, or one of ours: `SERVICE_UNREACHABLE`,
 * `REQUEST_TIMED_OUT`, `UNREADABLE_ANSWER`. `status` is 0 when no answer came.
 */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(
    message: string,
    facts: { code: string; status: number; requestId?: string | undefined; retryAfterMs?: number | undefined },
  ) {
    super(message)
    this.name = 'ApiError'
    this.code = facts.code
    this.status = facts.status
    this.requestId = facts.requestId
    this.retryAfterMs = facts.retryAfterMs
  }
}

export type ApiClient = {
  /** One resource. Rejects with `ApiError`, or with the signal's reason when the caller gave up. */
  getOne<Data extends object>(path: string, signal?: AbortSignal): Promise<Data>
  /** One page of a list. Rejects like `getOne`. */
  getList<Row extends object>(path: string, signal?: AbortSignal): Promise<Row[]>
}

export type ApiClientOptions = {
  key: string
  fetch: typeof fetch
  /** Milliseconds since 1970. */
  now: () => number
  /** The service no longer accepts the key. */
  onUnauthorized: (error: ApiError) => void
  /** The service asked to be left alone; until then the client sends nothing. */
  onRateLimited: (untilMs: number) => void
}

/** A client of `/public/v1` for one key. One answer of 429 silences all its callers until the time the service named. */
export function createApiClient({ key, fetch, now, onUnauthorized, onRateLimited }: ApiClientOptions): ApiClient {
  let silentUntilMs = 0

  async function get(path: string, signal: AbortSignal | undefined): Promise<unknown> {
    if (now() < silentUntilMs) {
      throw new ApiError('Waiting, as the service asked', {
        code: 'RATE_LIMITED',
        status: 429,
        retryAfterMs: silentUntilMs - now(),
      })
    }
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await fetch(`/public/v1${path}`, {
        headers: { Accept: 'application/json', Authorization: `Bearer ${key}` },
        cache: 'no-store',
        credentials: 'omit',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      return await readEnvelope(response, now())
    } catch (cause) {
      signal?.throwIfAborted()
      const error = toApiError(cause, timeout.aborted)
      if (error.status === 401) onUnauthorized(error)
      if (error.status === 429) {
        silentUntilMs = Math.max(silentUntilMs, now() + (error.retryAfterMs ?? assumedRetryAfterMs))
        onRateLimited(silentUntilMs)
      }
      throw error
    }
  }

  return {
    async getOne<Data extends object>(path: string, signal?: AbortSignal) {
      const data = await get(path, signal)
      if (!isObject(data) || Array.isArray(data)) throw unreadable(200, undefined)
      // The service closes its response schemas and both are released together; the envelope is what can be foreign.
      return data as Data
    },
    async getList<Row extends object>(path: string, signal?: AbortSignal) {
      const data = await get(path, signal)
      if (!Array.isArray(data) || !data.every(isObject)) throw unreadable(200, undefined)
      // As above.
      return data as Row[]
    },
  }
}

async function readEnvelope(response: Response, nowMs: number): Promise<unknown> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
  const body = parseJson(await response.text())
  if (response.ok && isObject(body) && body.success === true) return body.data
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  if (!response.ok && typeof error?.code === 'string' && typeof error.message === 'string') {
    throw new ApiError(error.message, { code: error.code, status: response.status, requestId, retryAfterMs })
  }
  throw unreadable(response.status, requestId, retryAfterMs)
}

function toApiError(cause: unknown, isTimedOut: boolean): ApiError {
  if (cause instanceof ApiError) return cause
  if (isTimedOut) {
    return new ApiError(`No answer within ${timeoutMs / 1000} s`, { code: 'REQUEST_TIMED_OUT', status: 0 })
  }
  return new ApiError('The service cannot be reached', { code: 'SERVICE_UNREACHABLE', status: 0 })
}

/** A proxy's error page, or an answer cut short. */
function unreadable(status: number, requestId: string | undefined, retryAfterMs?: number) {
  return new ApiError(`The answer (HTTP ${status}) is not one that Printyard gives`, {
    code: 'UNREADABLE_ANSWER',
    status,
    requestId,
    retryAfterMs,
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

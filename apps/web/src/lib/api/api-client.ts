import { backoffMs } from '../backoff.ts'
import { serviceSentence } from '../i18n/service-sentence.ts'
import { t } from '../i18n/t.ts'
import { randomKey } from '../random-key.ts'
import { parseRetryAfter } from '../retry-after.ts'
import { ApiError, isFactorRequired, isProofRequired, isSignedOut, mayPass } from './api-error.ts'
import type { BodyOf, DataOf, ListName, OptionalBodyOf, ParamsOf, QueryOf, RouteName, RowOf } from './api-routes.ts'
import type { Sent, sendTelling } from './send-telling.ts'

export const apiPrefix = '/app/v1'
const timeoutMs = 30_000
const postAttempts = 3
/** Anyone who pressed a button is told rather than kept waiting longer than this. */
const longestPostWaitMs = 5000

type Given<Key extends string, Value> = [Value] extends [never] ? unknown : { [K in Key]: Value }
type GivenQuery<Value> = [Value] extends [never] ? unknown : { query?: Value }

interface CommonOptions {
  signal?: AbortSignal | undefined
  /** The `etag` that `getTagged` gave: the change is refused with `PRECONDITION_FAILED` when another was faster. */
  ifMatch?: string | undefined
  /** Of a POST. One is made when it is left out; give one to make the same intent repeatable by a person. */
  idempotencyKey?: string | undefined
  /** Of a body that is a file or a form: told how much of it was sent. */
  onSent?: ((sent: Sent) => void) | undefined
}

export type CallOptions<Name extends RouteName> = CommonOptions &
  Given<'params', ParamsOf<Name>> &
  GivenQuery<QueryOf<Name>> &
  Given<'body', BodyOf<Name>> &
  ([OptionalBodyOf<Name>] extends [never] ? unknown : { body?: OptionalBodyOf<Name> })

/** Options may be left out where the route needs neither parameters nor a body. */
type Rest<Name extends RouteName> = [ParamsOf<Name>, BodyOf<Name>] extends [never, never]
  ? [options?: CallOptions<Name>]
  : [options: CallOptions<Name>]

export interface Page<Row> {
  rows: Row[]
  /** Null: this is the last page. */
  nextCursor: string | null
}

interface ApiClientParts {
  fetch: typeof fetch
  /** Sends a file or a form, and tells how much of it was sent. */
  sendTelling: typeof sendTelling
  /** Milliseconds since 1970. */
  now: () => number
  wait: (ms: number) => Promise<void>
  /** A call found that no one is signed in any more. */
  onSignedOut: (error: ApiError) => void
  /** A call needs the person to show first that it is them. True when they did: the call is sent again. */
  onProofRequired: (error: ApiError) => Promise<boolean>
  /** The account has started to ask for a second factor, which the person must add first. */
  onFactorRequired: () => void
}

/**
 * Calls to the service this page came from, by the name of a route: `api.call('POST /jobs/{id}/start', { params: { id } })`.
 * All reject with `ApiError`, or with the signal's reason when the caller gave up.
 */
export function createApiClient(parts: ApiClientParts) {
  async function send(name: RouteName, options: AnyOptions): Promise<Answer> {
    const [method = '', path = ''] = name.split(' ')
    const key = method === 'POST' ? (options.idempotencyKey ?? randomKey()) : undefined
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await sendOnce(parts, method, address(path, options), options, key)
      } catch (error) {
        options.signal?.throwIfAborted()
        if (isSignedOut(error)) parts.onSignedOut(error as ApiError)
        if (isFactorRequired(error)) parts.onFactorRequired()
        if (isProofRequired(error)) {
          if (!(await parts.onProofRequired(error as ApiError))) throw error
          continue
        }
        // By its key the service knows a repetition of the same POST: it happens once.
        if (method !== 'POST' || attempt + 1 >= postAttempts || !mayPass(error)) throw error
        const waitMs = (error as ApiError).retryAfterMs ?? backoffMs(attempt)
        if (waitMs > longestPostWaitMs) throw error
        await parts.wait(waitMs)
      }
    }
  }

  return {
    /** The data of the answer. */
    async call<Name extends RouteName>(name: Name, ...[options]: Rest<Name>): Promise<DataOf<Name>> {
      // The service closes its answers by schema and is released together with this page.
      return (await send(name, (options ?? {}) as AnyOptions)).data as DataOf<Name>
    },
    /** The data with the entity tag that a later change sends as `ifMatch`. */
    async getTagged<Name extends RouteName>(
      name: Name,
      ...[options]: Rest<Name>
    ): Promise<{ data: DataOf<Name>; etag: string | undefined }> {
      const { data, etag } = await send(name, (options ?? {}) as AnyOptions)
      return { data: data as DataOf<Name>, etag }
    },
    /** The first page of a list. */
    page<Name extends ListName>(name: Name, ...[options]: Rest<Name>): Promise<Page<RowOf<Name>>> {
      return readPage(name, (options ?? {}) as AnyOptions)
    },
    /** The page of a list that `cursor`, the `nextCursor` of the page before, stands for; the first without one. */
    pageAfter<Name extends ListName>(
      name: Name,
      options: Omit<CallOptions<Name>, 'signal'> | undefined,
      cursor: string | undefined,
      signal: AbortSignal,
    ): Promise<Page<RowOf<Name>>> {
      const given = (options ?? {}) as AnyOptions
      return readPage(name, { ...given, query: { ...given.query, cursor }, signal })
    },
  }

  async function readPage<Name extends ListName>(name: Name, options: AnyOptions): Promise<Page<RowOf<Name>>> {
    const { data, nextCursor } = await send(name, options)
    if (!Array.isArray(data)) throw unreadable(200, undefined)
    return { rows: data as RowOf<Name>[], nextCursor }
  }
}

interface AnyOptions extends CommonOptions {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

interface Answer {
  data: unknown
  etag: string | undefined
  nextCursor: string | null
}

function address(path: string, { params = {}, query = {} }: AnyOptions): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return `${apiPrefix}${filled}${search.size > 0 ? `?${search}` : ''}`
}

async function sendOnce(
  parts: ApiClientParts,
  method: string,
  url: string,
  { body, ifMatch, signal, onSent }: AnyOptions,
  key: string | undefined,
): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const content = contentOf(method, body)
  const headers = {
    Accept: 'application/json',
    // The type of a form names what parts it, which only the browser knows.
    ...(content !== undefined &&
      !(content instanceof FormData) && {
        'Content-Type': body instanceof Blob ? body.type || 'application/octet-stream' : 'application/json',
      }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
  }
  try {
    const response =
      onSent !== undefined && content !== undefined && typeof content !== 'string'
        ? await parts.sendTelling(url, { method, headers, body: content, signal, timeoutMs }, onSent)
        : await parts.fetch(url, {
            method,
            headers,
            ...(content !== undefined && { body: content }),
            cache: 'no-store',
            credentials: 'same-origin',
            signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
          })
    return await readAnswer(response, parts.now())
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    if ((cause as Error).name === 'TimeoutError' || timeout.aborted) {
      const message = t('The service gave no answer within {timeoutMs} s.', { timeoutMs: timeoutMs / 1000 })
      throw new ApiError(message, { code: 'REQUEST_TIMED_OUT', status: 0, cause })
    }
    throw new ApiError(t('The service cannot be reached.'), { code: 'SERVICE_UNREACHABLE', status: 0, cause })
  }
}

function contentOf(method: string, body: unknown): Blob | FormData | string | undefined {
  if (body instanceof Blob || body instanceof FormData) return body
  return body === undefined && method === 'POST' ? '{}' : JSON.stringify(body)
}

/** The answer of the service, or the error that it says. */
export async function readAnswer(response: Response, nowMs: number): Promise<Answer> {
  const requestId = response.headers.get('x-request-id') ?? undefined
  const body = parseJson(await response.text())
  if (response.ok && isObject(body) && body.success === true) {
    const meta = isObject(body.meta) ? body.meta : {}
    return {
      data: body.data,
      etag: response.headers.get('etag') ?? undefined,
      nextCursor: typeof meta.next_cursor === 'string' ? meta.next_cursor : null,
    }
  }
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  if (!response.ok && typeof error?.code === 'string' && typeof error.message === 'string') {
    const { code, message, details } = error
    throw new ApiError(serviceSentence(message), { code, status: response.status, details, requestId, retryAfterMs })
  }
  throw unreadable(response.status, requestId, retryAfterMs)
}

/** A proxy's error page, or an answer cut short. */
function unreadable(status: number, requestId: string | undefined, retryAfterMs?: number) {
  return new ApiError(t('The answer (HTTP {status}) is not one that Printyard gives.', { status }), {
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

import { type Answered, ApiPromise } from './call.ts'
import { ApiError, ConnectionError, PrintyardError, TimeoutError, UnreadableAnswerError } from './errors.ts'
import { type Page, Paged } from './pagination.ts'
import { randomKey } from './random-key.ts'
import { backoffMs, readRetryAfter, wait } from './waits.ts'

export interface ClientOptions extends SendOptions {
  /** An API key of the account. */
  apiKey: string
}

/** What a connection needs: `session` is that of the page which this runs in, of the very service that is called. */
interface ConnectionOptions extends SendOptions {
  credential: { apiKey: string } | 'session'
  /** Waits between tries. Default: by the clock. */
  wait?: typeof wait
}

interface SendOptions {
  /** Address of the service, such as `https://farm.example.com`. */
  baseUrl: string
  /** Time that one attempt may take. Default: 75,000; a start is answered after at most 60 seconds. */
  timeoutMs?: number
  /** Number of times a request is repeated after a failure that may pass. Default: 3. */
  maxRetries?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
  /** Default: the one of the platform. */
  fetch?: typeof fetch
}

/** What one call may say differently from its client. */
export interface RequestOptions {
  signal?: AbortSignal
  timeoutMs?: number
  maxRetries?: number
  /** A `Retry-After` of more than this is not waited for. Default: 65,000; a rate limit lasts a minute. */
  longestWaitMs?: number
  /** Key of a POST. Default: a new one for each call, kept over its retries. */
  idempotencyKey?: string
  /** ETag of the version to change: makes the change only to that version, else `PRECONDITION_FAILED`. */
  ifMatch?: string
  headers?: Readonly<Record<string, string>>
}

type Query<Data> = Data extends { query?: infer Given } ? Given : never
type Body<Data> = Data extends { body?: infer Given } ? Exclude<Given, undefined> : never
/** A call whose answer is the `data` of an envelope; a call that answers bytes is that of a `Response`. */
type Call<Envelope> = Envelope extends { data: infer Data }
  ? ApiPromise<Data, Envelope>
  : ApiPromise<Response, undefined>
type List<Envelope> = Envelope extends { data: (infer Row)[]; meta: infer Meta } ? Paged<Row, Meta> : never
type Feed<Envelope> = List<Envelope>

export type { Body, Call, Feed, List, Query }

/** A request, before retries and keys. */
interface ApiRequest {
  method: string
  path: string
  query?: object | undefined
  json?: unknown
  form?: object | undefined
  /** Their type, unless `options.headers` say another: `application/octet-stream`. */
  bytes?: Blob | Uint8Array<ArrayBuffer> | undefined
  csv?: Blob | string | undefined
  /** A command to a machine, which is never sent again when its outcome is not known. */
  isCommand?: boolean
  options?: RequestOptions | undefined
}

const defaultTimeoutMs = 75_000
const defaultRetries = 3
const longestBackoffMs = 8_000
const defaultLongestWaitMs = 65_000

/**
 * Sends requests to one service with one credential: retries, timeouts and idempotency keys are decided here alone, for programs
 * and for the dashboard.
 */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #baseUrl: string

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#baseUrl = options.baseUrl.replace(/\/+$/, '').replace(/\/public\/v1$/, '')
  }

  /** Sends a request that answers JSON. */
  call<Envelope>(request: ApiRequest): Call<Envelope> {
    const answered = this.#send(request, readEnvelope<Envelope>)
    const unwrap = ({ envelope }: Answered<Envelope>) => (envelope as { data: unknown }).data
    // What the conditional type says of every envelope, which all have `data`.
    return ApiPromise.from(answered, unwrap) as unknown as Call<Envelope>
  }

  /** Sends a request that answers bytes. */
  receive(request: ApiRequest): ApiPromise<Response, undefined> {
    const answered = this.#send(request, async (response) => ({ envelope: undefined, response }))
    return ApiPromise.from(answered, ({ response }) => response)
  }

  /** A list that is walked by `cursor`. */
  list<Envelope>(request: ApiRequest): List<Envelope> {
    return this.#paged(request, 'cursor', ({ meta }) => meta?.next_cursor ?? undefined) as List<Envelope>
  }

  /** A feed that is walked by `after`; it ends where the feed ends now. */
  feed<Envelope>(request: ApiRequest): Feed<Envelope> {
    return this.#paged(request, 'after', ({ data, meta }) =>
      data.length > 0 ? (meta?.last_id ?? undefined) : undefined,
    ) as Feed<Envelope>
  }

  /** Opens a response that stays open, once, without a limit of time. */
  async open(request: ApiRequest, signal: AbortSignal): Promise<Response> {
    const response = await this.#attempt(request, signal)
    if (!response.ok) throw await refusalOfResponse(response)
    return response
  }

  #paged(
    request: ApiRequest,
    position: string,
    next: (
      page: Page<unknown, { next_cursor?: string | null; last_id?: string | null } | undefined>,
    ) => string | undefined,
  ) {
    const get = async (after: string | undefined) => {
      const { offset: _, ...query } = (request.query ?? {}) as Record<string, unknown>
      const asked = after === undefined ? request : { ...request, query: { ...query, [position]: after } }
      const { envelope } = await this.#send(asked, readEnvelope<Page<unknown, undefined>>)
      return { data: envelope.data, meta: envelope.meta }
    }
    return new Paged(get, next)
  }

  async #send<Answer>(request: ApiRequest, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    const { options = {}, method } = request
    if (request.path.split('/').some((part, place) => place > 0 && /^\.{0,2}$/.test(part))) {
      throw new PrintyardError('An ID must not be empty, "." or "..": the request would go to another address.')
    }
    const mostRetries = options.maxRetries ?? this.#options.maxRetries ?? defaultRetries
    const prepared = method === 'POST' ? withIdempotencyKey(request) : request
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.#attemptInTime(prepared, read)
      if ('answer' in outcome) return outcome.answer
      const { failure } = outcome
      if (attempt >= mostRetries || !isWorthRepeating(prepared, failure)) throw failure
      const asked = failure instanceof ApiError ? failure.retryAfterSeconds : null
      if (asked !== null && asked * 1_000 > (options.longestWaitMs ?? defaultLongestWaitMs)) throw failure
      const waitMs = asked === null ? backoffMs(attempt, longestBackoffMs) : asked * 1_000 + Math.random() * 100
      await (this.#options.wait ?? wait)(waitMs, options.signal)
    }
  }

  /** The answer, or why there is none. An abort of the caller is thrown. */
  async #attemptInTime<Answer>(
    request: ApiRequest,
    read: (response: Response) => Promise<Answer>,
  ): Promise<{ answer: Answer } | { failure: PrintyardError }> {
    const { options = {} } = request
    const timeoutMs = options.timeoutMs ?? this.#options.timeoutMs ?? defaultTimeoutMs
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    try {
      const response = await this.#attempt(request, signal)
      return response.ok ? { answer: await read(response) } : { failure: await refusalOfResponse(response) }
    } catch (cause) {
      if (options.signal?.aborted === true) throw options.signal.reason
      if (cause instanceof PrintyardError) return { failure: cause }
      if (timeout.aborted) return { failure: new TimeoutError(`No answer came within ${timeoutMs} ms.`, { cause }) }
      return { failure: new ConnectionError(`No answer came from ${this.#baseUrl}.`, { cause }) }
    }
  }

  #attempt({ method, path, query, json, form, bytes, csv, options = {} }: ApiRequest, signal: AbortSignal) {
    const { credential, fetch: send = fetch } = this.#options
    const isSession = credential === 'session'
    const headers = new Headers({
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && { 'content-type': 'application/octet-stream' }),
      ...(csv !== undefined && { 'content-type': 'text/csv' }),
      ...this.#options.headers,
      ...(!isSession && { authorization: `Bearer ${credential.apiKey}` }),
      ...options.headers,
    })
    if (options.ifMatch !== undefined) headers.set('if-match', options.ifMatch)
    if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey)
    const body = json === undefined ? (bytes ?? csv ?? (form && formOf(form))) : JSON.stringify(json)
    const url = `${this.#baseUrl}${path}${searchOf(query)}`
    return send(url, {
      method,
      headers,
      signal,
      ...(isSession && { cache: 'no-store', credentials: 'same-origin' }),
      ...(body !== undefined && { body }),
    })
  }
}

function withIdempotencyKey(request: ApiRequest): ApiRequest {
  const idempotencyKey = request.options?.idempotencyKey ?? randomKey()
  return { ...request, options: { ...request.options, idempotencyKey } }
}

/**
 * True when the same request may be sent again. A POST has its idempotency key, and GET, PUT and DELETE leave what they would leave
 * sent once. After `HUB_COMMAND_FAILED` and the like the service has done what it could.
 */
function isWorthRepeating({ method, isCommand = false, options = {} }: ApiRequest, failure: PrintyardError): boolean {
  const isSafe = !isCommand && method !== 'PATCH' && options.ifMatch === undefined
  if (failure instanceof ConnectionError) return isSafe
  if (!(failure instanceof ApiError)) return false
  if (failure.status === 429) return failure.code === 'RATE_LIMITED'
  if (failure.code === 'IDEMPOTENCY_IN_PROGRESS') return !isCommand
  if (failure.code === 'SERVICE_UNAVAILABLE') return isSafe
  // Of a proxy, which knows no code of ours.
  return failure.code === 'UNKNOWN' && [502, 503, 504].includes(failure.status) && isSafe
}

async function readEnvelope<Envelope>(response: Response): Promise<Answered<Envelope>> {
  const text = await response.text()
  const { url, status } = response
  const unreadable = (options?: ErrorOptions) =>
    new UnreadableAnswerError(`The answer of ${url} is none of Printyard: is this its address?`, status, options)
  let envelope: { success?: unknown } | null
  try {
    envelope = JSON.parse(text)
  } catch (cause) {
    throw unreadable({ cause })
  }
  if (envelope?.success !== true) throw unreadable()
  // Its type is that of the API description; fields and values that came later are let through.
  return { envelope: envelope as Envelope, response }
}

/** A refusal, by the text and headers of the answer; that of a proxy, which is no envelope, has the code `UNKNOWN`. */
export function readRefusal(text: string, status: number, header: (name: string) => string | null): ApiError {
  const given = refusalOf(text)
  return new ApiError(given?.message ?? `The service answered ${status}.`, {
    status,
    code: given?.code ?? 'UNKNOWN',
    details: given?.details,
    requestId: header('x-request-id'),
    retryAfterSeconds: readRetryAfter(header('retry-after')),
  })
}

async function refusalOfResponse(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  return readRefusal(text, response.status, (name) => response.headers.get(name))
}

/** Answers what an envelope says; undefined for the page of a proxy. */
function refusalOf(text: string): { code: string; message: string; details?: unknown } | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown; details?: unknown } }
    if (typeof error?.code !== 'string') return undefined
    return { code: error.code, message: String(error.message), details: error.details }
  } catch {
    return undefined
  }
}

function searchOf(query: object | undefined): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const part of Array.isArray(value) ? value : [value]) if (part !== undefined) search.append(name, String(part))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

function formOf(fields: object): FormData {
  if (fields instanceof FormData) return fields
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}

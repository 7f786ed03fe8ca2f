import { randomKey } from '@printyard/sdk/random-key'
import { Connection, type RequestOptions } from '@printyard/sdk/request'
import { type ApiError, inWords, isFactorRequired, isProofRequired, isSignedOut, timeoutMs } from './api-error.ts'
import type { BodyOf, DataOf, ListName, OptionalBodyOf, ParamsOf, QueryOf, RouteName, RowOf } from './api-routes.ts'
import type { Sent, sendTelling } from './send-telling.ts'

export const apiPrefix = '/app/v1'
/** As long as the service takes to start again. */
const readRetries = 4
/** Anyone who pressed a button is told rather than kept waiting longer than this. */
const longestWaitMs = 5_000
/** As long as the slowest line takes for the largest picture. */
const longestSendMs = 30 * 60_000
/** Beyond this a list is no longer one to be held as a whole. */
const mostPages = 20

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
  wait?: (ms: number) => Promise<void>
  /** A call found that no one is signed in any more. */
  onSignedOut: (error: ApiError) => void
  /** A call needs the person to show first that it is them. True when they did: the call is sent again. */
  onProofRequired: (error: ApiError) => Promise<boolean>
  /** The account has started to ask for a second factor, which the person must add first. */
  onFactorRequired: () => void
}

/**
 * Calls to the service this page came from, by the name of a route: `api.call('POST /jobs/{id}/start', { params: { id } })`.
 * The SDK sends them, with the session of the page. All reject with `ApiError`, or with the signal's reason when the caller gave up.
 */
export function createApiClient({
  onSignedOut,
  onProofRequired,
  onFactorRequired,
  sendTelling: sendFile,
  ...how
}: ApiClientParts) {
  const connection = new Connection({ baseUrl: '', credential: 'session', timeoutMs, ...how })

  /** A connection that tells how much of a body was sent. It gives up when nothing moves, however long all of it takes. */
  const tellingConnection = (onSent: (sent: Sent) => void) =>
    new Connection({
      ...{ baseUrl: '', credential: 'session', timeoutMs: longestSendMs, ...how },
      fetch: (url, init) => sendFile(String(url), { ...init, timeoutMs }, onSent),
    })

  /** Sends a request, and once more when the person has shown that it is them. */
  async function guarded<Answer>(send: () => PromiseLike<Answer>): Promise<Answer> {
    for (;;) {
      try {
        return await send()
      } catch (reason) {
        const error = inWords(reason)
        if (isSignedOut(error)) onSignedOut(error as ApiError)
        if (isFactorRequired(error)) onFactorRequired()
        if (!isProofRequired(error) || !(await onProofRequired(error as ApiError))) throw error
      }
    }
  }

  const answerOf = <Name extends RouteName>(name: Name, options: object | undefined) => {
    const request = requestOf(name, options)
    const { onSent } = (options ?? {}) as AnyOptions
    const by = onSent === undefined ? connection : tellingConnection(onSent)
    // The service closes its answers by schema and is released together with this page.
    return guarded(() => by.call<{ data: DataOf<Name> }>(request).withResponse())
  }

  const readPage = async <Name extends ListName>(
    name: Name,
    options: object | undefined,
  ): Promise<Page<RowOf<Name>>> => {
    const request = requestOf(name, options)
    const { data, meta } = await guarded(() => connection.list<ListEnvelope<RowOf<Name>>>(request))
    return { rows: data, nextCursor: meta?.next_cursor ?? null }
  }

  return {
    /** The data of the answer. */
    async call<Name extends RouteName>(name: Name, ...[options]: Rest<Name>): Promise<DataOf<Name>> {
      return (await answerOf(name, options)).data
    },
    /** The data with the entity tag that a later change sends as `ifMatch`. */
    async getTagged<Name extends RouteName>(
      name: Name,
      ...[options]: Rest<Name>
    ): Promise<{ data: DataOf<Name>; etag: string | undefined }> {
      const { data, etag } = await answerOf(name, options)
      return { data, etag: etag ?? undefined }
    },
    /** The first page of a list. */
    page<Name extends ListName>(name: Name, ...[options]: Rest<Name>): Promise<Page<RowOf<Name>>> {
      return readPage(name, options)
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
    /** All rows of a list that is small by its nature, page after page: printers, hubs, models. */
    rows<Name extends ListName>(
      name: Name,
      options: Omit<CallOptions<Name>, 'signal'>,
      signal?: AbortSignal,
    ): Promise<RowOf<Name>[]> {
      const request = requestOf(name, { ...options, signal })
      return guarded(async () => {
        const rows: RowOf<Name>[] = []
        let pages = 0
        for await (const { data } of connection.list<ListEnvelope<RowOf<Name>>>(request).pages()) {
          rows.push(...data)
          pages += 1
          if (pages === mostPages) break
        }
        return rows
      })
    },
    /** Bytes that a route answers, such as a picture. */
    bytes<Name extends RouteName>(name: Name, options: CallOptions<Name>): Promise<Blob> {
      const request = requestOf(name, options)
      return guarded(async () => (await connection.receive(request)).blob())
    },
  }
}

interface ListEnvelope<Row> {
  data: Row[]
  meta: { next_cursor?: string | null } | undefined
}

interface AnyOptions extends CommonOptions {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

function requestOf(name: RouteName, given: object = {}) {
  const { params = {}, query = {}, body, signal, ifMatch, idempotencyKey } = given as AnyOptions
  const [method = '', path = ''] = name.split(' ')
  const options: RequestOptions = {
    ...(signal && { signal }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(method === 'POST' && { idempotencyKey: idempotencyKey ?? randomKey() }),
    ...(method === 'GET' ? { maxRetries: readRetries } : { longestWaitMs }),
    ...(body instanceof Blob && body.type !== '' && { headers: { 'content-type': body.type } }),
  }
  return {
    method,
    path: apiPrefix + path.replace(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(params[parameter] ?? '')),
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null && value !== '')),
    options,
    ...contentOf(method, body),
  }
}

function contentOf(method: string, body: unknown) {
  if (body instanceof Blob) return { bytes: body }
  if (body instanceof FormData) return { form: body }
  return { json: body ?? (method === 'POST' ? {} : undefined) }
}

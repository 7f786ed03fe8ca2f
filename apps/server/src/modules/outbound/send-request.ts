import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Clock } from '../../kernel/clock.ts'
import type { TargetPolicy } from '../../kernel/target-policy.ts'
import { excerpt, type Failure, type Outcome, readRetryAfterMs } from './outcome.ts'
import type { ResolveHost } from './resolve-host.ts'

/** An answer must be there, as far as its first line, after this. */
const answerWithinMs = 15_000

/** What comes after the header of an answer is only for the log, unless the request says otherwise. */
const restWithinMs = 2_000
const longestRestBytes = 16 * 1024

/** Time that a connection is kept for the next message. */
const keptConnectionMs = 20_000
const mostKeptConnections = 2

interface SenderOptions {
  policy: TargetPolicy
  resolve: ResolveHost
  clock: Clock
  timeoutMs?: number
  userAgent: string
}

/** What is sent to an address that a user has entered. */
export interface OutboundRequest {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** JSON unless they name another `content-type`. */
  headers: Record<string, string>
  /** Body of the request; a GET has none. */
  body?: string | Buffer
  /** Bytes of the answer that are read, and the time for it, where it is more than something for the log. */
  reads?: { mostBytes: number; withinMs: number }
  /**
   * Must not arrive twice: it takes a connection of its own, because one that was kept may break off after the message was read. Else it is
   * sent once more then.
   */
  isOnce?: boolean
}

/** What an attempt came to, and the beginning of the answer as it came. */
export interface Answered extends Outcome {
  text: string
  /** The answer was longer than what is read of it, or broke off. */
  isCut?: boolean
  /** The time by the clock of who answers; undefined where the answer does not say it. */
  theirNow?: Date
}

/** Sends messages, each by one request. Redirects are never followed. */
export interface Sender {
  /** Never throws, but when `signal` has ended it. */
  send(request: OutboundRequest, signal?: AbortSignal): Promise<Answered>
  close(): void
}

/** An address that nothing is sent to. */
class AddressRefused extends Error {}

class AnswerTimeout extends Error {}

export function createSender({ policy, resolve, clock, userAgent, timeoutMs = answerWithinMs }: SenderOptions): Sender {
  const options = { keepAlive: true, maxFreeSockets: mostKeptConnections, timeout: keptConnectionMs }
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) }

  /** The connection is made to an address that was looked at, so that a name cannot turn to another in between. */
  const lookupFor =
    (isEncrypted: boolean): LookupFunction =>
    (hostname, { all }, callback) => {
      resolve(hostname).then(
        (addresses) => {
          const [first] = addresses
          const problem = addresses
            .map(({ address }) => policy.findAddressProblem(address, isEncrypted))
            .find((each) => each !== undefined)
          if (problem !== undefined) callback(new AddressRefused(`${hostname}: ${problem}`), '')
          else if (!first) callback(new Error(`${hostname} has no address`), '')
          else if (all) callback(null, addresses)
          else callback(null, first.address, first.family)
        },
        (error: NodeJS.ErrnoException) => callback(error, ''),
      )
    }
  const lookups = { http: lookupFor(false), https: lookupFor(true) }

  function start(
    url: URL,
    { method = 'POST', headers, body, isOnce }: OutboundRequest,
    signal: AbortSignal | undefined,
  ) {
    const kind = url.protocol === 'https:' ? 'https' : 'http'
    const send = kind === 'https' ? requestHttps : requestHttp
    const sent = send(url, {
      method,
      agent: isOnce ? false : agents[kind],
      lookup: lookups[kind],
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'user-agent': userAgent,
        ...headers,
        ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      },
      ...(signal && { signal }),
    })
    sent.end(body)
    return sent
  }

  async function attempt(url: URL, request: OutboundRequest, signal: AbortSignal | undefined) {
    const sent = start(url, request, signal)
    const timer = setTimeout(() => sent.destroy(new AnswerTimeout(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    try {
      return await answerOf(sent)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    async send(request, signal) {
      const startedAtMs = performance.now()
      const done = (outcome: Omit<Outcome, 'duration_ms'>, text = '', isCut = false, theirNow?: Date): Answered => ({
        ...outcome,
        text,
        ...(isCut && { isCut }),
        ...(theirNow && { theirNow }),
        duration_ms: Math.round(performance.now() - startedAtMs),
      })
      const url = new URL(request.url)
      const problem = policy.findUrlProblem(request.url)
      if (problem !== undefined) return done(failed('address_refused', problem))
      try {
        const response = await attempt(url, request, signal).catch((error: unknown) => {
          // The receiver had closed a connection that was kept: nothing of this message was read.
          if (error instanceof StaleConnection) return attempt(url, request, signal)
          throw error
        })
        const { text, isCut } = await restOf(response, request.reads)
        const theirNow = dateOf(response)
        return done(outcomeOf(response, excerpt(text), theirNow ?? clock.now()), text, isCut, theirNow)
      } catch (error) {
        if (signal?.aborted) throw error
        return done(failed(failureOf(error), wordsOf(error)))
      }
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

/** A connection that was kept from an earlier message, and was closed before it could take this one. */
class StaleConnection extends Error {}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      reject(isStale ? new StaleConnection(error.message, { cause: error }) : error)
    })
  })
}

/** The beginning of a body; the rest is not waited for. */
async function restOf(
  response: IncomingMessage,
  { mostBytes, withinMs } = { mostBytes: longestRestBytes, withinMs: restWithinMs },
): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => response.destroy(), withinMs)
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > mostBytes) response.destroy()
    }
  } catch {
    // The status is what counts; what came of the rest is enough for the log.
  } finally {
    clearTimeout(timer)
  }
  const text = Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')
  return { text, isCut: !response.complete || bytes > mostBytes }
}

function dateOf({ headers }: IncomingMessage): Date | undefined {
  const date = new Date(headers.date ?? '')
  return Number.isNaN(date.getTime()) ? undefined : date
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage, rest: string, now: Date) {
  const answer = rest === '' ? null : rest
  if (statusCode >= 200 && statusCode < 300) return { failure: null, status_code: statusCode, answer, retryAfterMs: 0 }
  const isRedirect = statusCode >= 300 && statusCode < 400
  const asksForTime = statusCode === 429 || statusCode === 503
  return {
    failure: isRedirect ? ('redirect' as const) : ('status' as const),
    status_code: statusCode,
    answer: isRedirect ? 'Redirects are not followed: enter the URL that answers.' : answer,
    retryAfterMs: asksForTime ? readRetryAfterMs(headers['retry-after'], now) : 0,
  }
}

function failed(failure: Failure, answer: string): Omit<Outcome, 'duration_ms'> {
  return { failure, status_code: null, answer: excerpt(answer), retryAfterMs: 0 }
}

function failureOf(error: unknown): Failure {
  if (error instanceof AddressRefused) return 'address_refused'
  if (error instanceof AnswerTimeout) return 'timeout'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_|EREFUSED|ETIMEOUT|EBADNAME|EBADRESP)/.test(code)) return 'dns'
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO|HOSTNAME_MISMATCH)/.test(code)) return 'tls'
  if (code === 'ETIMEDOUT') return 'timeout'
  return 'connection'
}

function wordsOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error)
}

import { Agent, type IncomingHttpHeaders } from 'node:http'
import { Agent as AgentOfHttps } from 'node:https'
import { boundedSignal } from '../../util/bounded-signal.ts'
import { CONNECT_TIMEOUT, requestOnce } from '../../util/http-request.ts'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import type { FileBody } from './file-body.ts'

/** The largest answer that is read; printers answer a few kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
/** Far longer than any board was seen to write what it had received to its card. */
const STALL_MS = 120_000
/** A printer that is asked every second or two need not be called again for each question. */
const KEEP_OPEN_MS = 4_000

export interface HttpQuestion {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base address, without a leading slash. */
  path: string
  headers?: Record<string, string>
  body?: string | FileBody
  /** From the first byte sent to the last byte of the answer. */
  timeoutMs: number
  /** A file of which nothing more is taken for so long is given up, however much time its size allows. Default: two minutes. */
  stallMs?: number
  /** A longer answer is an error; left out, some megabytes. */
  maxBytes?: number
  signal: AbortSignal
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
  /** The answer as JSON; undefined when it is none. */
  json: unknown
}

export interface PrinterHttp {
  readonly base: URL
  /**
   * Asks once. Rejects with a `DriverError`: `UNREACHABLE` when the question certainly did not arrive, `NO_ANSWER` when it
   * may have, or with the signal's reason.
   */
  ask(question: HttpQuestion): Promise<HttpAnswer>
}

/**
 * Answers where a printer is, from what a person typed: a host, `host:port`, or an address with a path such as
 * `http://host/octoprint`. Throws a `DriverError` when it cannot be understood.
 */
export function printerAddress(connection: Record<string, unknown>, defaultPort: number): URL {
  const { address, port } = connection
  const typed = typeof address === 'string' ? address.trim() : ''
  const withScheme = /^https?:\/\//i.test(typed) ? typed : `http://${typed}`
  let url: URL
  try {
    url = new URL(withScheme)
  } catch {
    throw new DriverError('UNREACHABLE', `the address ${JSON.stringify(typed)} cannot be understood`)
  }
  const hasPort = /:\d+(\/|$)/.test(withScheme.slice('http://'.length))
  if (!hasPort) {
    const wanted = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined
    if (wanted ?? url.protocol === 'http:') url.port = String(wanted ?? defaultPort)
  }
  url.search = ''
  url.hash = ''
  url.username = ''
  url.password = ''
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url
}

/** The port that a person typed, in its own field or behind the host; undefined when none. */
export function typedPort({ address, port }: Record<string, unknown>): number | undefined {
  if (typeof port === 'number') return port
  const digits = typeof address === 'string' ? /:(\d{1,5})(?:\/|$)/.exec(address.trim())?.[1] : undefined
  return digits === undefined ? undefined : Number(digits)
}

/** Another service of the same printer, at the port that its settings name. */
export function addressAtPort(base: URL, port: unknown, defaultPort: number): URL {
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port < 65_536
  return new URL(`http://${base.hostname}:${isPort ? port : defaultPort}/`)
}

/**
 * HTTP to one printer. Redirects are not followed: they would carry the credentials elsewhere. `keepsOpen: false` gives each
 * question a connection of its own, for boards that have very few.
 */
export function createPrinterHttp(
  base: URL,
  headers: Record<string, string>,
  { keepsOpen = true }: { keepsOpen?: boolean } = {},
): PrinterHttp {
  const agent = keepsOpen ? openAgent(base) : undefined
  return {
    base,
    async ask({ method, path, headers: more, body, timeoutMs, stallMs = STALL_MS, maxBytes, signal }) {
      signal.throwIfAborted()
      const bounded = boundedSignal(signal, timeoutMs)
      const isFile = typeof body === 'object'
      const flow = isFile ? watchFlow(body.pieces(), stallMs, bounded.signal) : undefined
      try {
        const answer = await requestOnce(new URL(path, base), {
          method,
          headers: isFile
            ? { 'content-type': body.contentType, ...headers, ...more, 'content-length': body.totalBytes }
            : { ...headers, ...more },
          body: isFile ? flow?.pieces : body,
          // What does something goes on a connection of its own: one that is kept open may be about to close.
          agent: method === 'GET' ? agent : undefined,
          signal: flow?.signal ?? bounded.signal,
        })
        const bytes = await readBytes(answer, maxBytes ?? MAX_ANSWER_BYTES)
        return { status: answer.statusCode ?? 0, headers: answer.headers, ...readingsOf(bytes) }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        if (flow?.isStalled && !bounded.signal.aborted) {
          throw new DriverError('NO_ANSWER', `the printer took nothing of the file for ${stallMs} ms`, { cause: error })
        }
        throw asDriverError(bounded.signal.aborted ? bounded.signal.reason : error, timeoutMs)
      } finally {
        flow?.release()
        bounded.release()
      }
    },
  }
}

/** The pieces of a file as they are taken, and a signal that also aborts when none was taken for too long. */
function watchFlow(source: AsyncGenerator<Uint8Array>, stallMs: number, signal: AbortSignal) {
  const stalling = new AbortController()
  const timer = setTimeout(() => stalling.abort(new DOMException('the upload stalled', 'TimeoutError')), stallMs)
  async function* pieces() {
    for await (const piece of source) {
      timer.refresh()
      yield piece
    }
    // From here on the printer stores what it has; the time for the whole bounds that.
    clearTimeout(timer)
  }
  return {
    pieces: pieces(),
    signal: AbortSignal.any([signal, stalling.signal]),
    get isStalled() {
      return stalling.signal.aborted
    },
    release: () => clearTimeout(timer),
  }
}

function openAgent(base: URL): Agent {
  const keptOpen = { keepAlive: true, maxFreeSockets: 1, timeout: KEEP_OPEN_MS }
  return base.protocol === 'https:' ? new AgentOfHttps(keptOpen) : new Agent(keptOpen)
}

/** True when an upload was refused for want of room: by the status for it, or as the system's own words show through. */
export function isFull({ status, text }: Pick<HttpAnswer, 'status' | 'text'>): boolean {
  return (
    status === 507 || (status >= 400 && /no space left on device|insufficient storage/i.test(text.slice(0, 10_000)))
  )
}

function readingsOf(bytes: Buffer): Pick<HttpAnswer, 'bytes' | 'text' | 'json'> {
  const text = bytes.toString('utf8')
  return { bytes, text, json: parseJson(text) }
}

async function readBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maxBytes) throw new DriverError('NO_ANSWER', 'the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Many answers are no JSON; anyone who needs it checks.
    return undefined
  }
}

/** Nothing was sent when these happened. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  CONNECT_TIMEOUT,
])

function asDriverError(error: unknown, timeoutMs: number): DriverError {
  if (error instanceof DriverError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new DriverError('NO_ANSWER', `no answer within ${timeoutMs} ms`, { cause: error })
  }
  const cause = error instanceof Error ? (error.cause ?? error) : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (/^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/.test(code))
    return new ConnectionProblemError('clock_skew', {}, { cause: error })
  if (/CERT|VERIFY|SIGNED|ISSUER|ALTNAME/.test(code)) {
    return new ConnectionProblemError('certificate_unknown', {}, { cause: error })
  }
  return beforeSending.has(code)
    ? new DriverError('UNREACHABLE', `the printer cannot be reached (${code})`, { cause: error })
    : new DriverError('NO_ANSWER', `the connection broke off${code && ` (${code})`}`, { cause: error })
}

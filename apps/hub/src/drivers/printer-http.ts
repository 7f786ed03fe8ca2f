import { DriverError } from './driver.ts'

/** The largest answer that is read; printers answer a few kilobytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024

export interface HttpQuestion {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base address, without a leading slash. */
  path: string
  headers?: Record<string, string>
  body?: RequestInit['body']
  /** From the first byte sent to the last byte of the answer. */
  timeoutMs: number
  signal: AbortSignal
}

export interface HttpAnswer {
  status: number
  headers: Headers
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
 * Where a printer is, from what a person typed: a host, `host:port`, or an address with a path such as
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

/** HTTP to one printer. Redirects are not followed: they would carry the credentials elsewhere. */
export function createPrinterHttp(base: URL, headers: Record<string, string>): PrinterHttp {
  return {
    base,
    async ask({ method, path, headers: more, body, timeoutMs, signal }) {
      signal.throwIfAborted()
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const response = await fetch(new URL(path, base), {
          method,
          headers: { ...headers, ...more },
          redirect: 'manual',
          signal: bounded,
          ...(body === undefined ? {} : { body }),
        })
        const bytes = await readBytes(response)
        const text = bytes.toString('utf8')
        return { status: response.status, headers: response.headers, bytes, text, json: parseJson(text) }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw asDriverError(error, timeoutMs)
      }
    },
  }
}

async function readBytes(response: Response): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MAX_ANSWER_BYTES) throw new DriverError('NO_ANSWER', 'the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Many answers are no JSON; whoever needs it checks.
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
  'UND_ERR_CONNECT_TIMEOUT',
])

function asDriverError(error: unknown, timeoutMs: number): DriverError {
  if (error instanceof DriverError) return error
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new DriverError('NO_ANSWER', `no answer within ${timeoutMs} ms`, { cause: error })
  }
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return beforeSending.has(code)
    ? new DriverError('UNREACHABLE', `the printer cannot be reached (${code})`, { cause: error })
    : new DriverError('NO_ANSWER', `the connection broke off${code && ` (${code})`}`, { cause: error })
}

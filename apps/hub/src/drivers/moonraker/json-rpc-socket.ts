import { WebSocket } from 'ws'
import { CredentialsRefusedError } from '../connection/keep-connected.ts'
import { DriverError } from '../driver.ts'
import { memberOf, numberIn, textIn } from '../wire/wire-values.ts'

const HANDSHAKE_MS = 5_000
const MAX_FRAME_BYTES = 8 * 1024 * 1024

/** The peer's answer was an error; `status` is the HTTP-like number that it carries. */
export class RpcError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.status = status
  }
}

/** One JSON-RPC 2.0 connection. A question is sent once and never again, whatever happens to the connection. */
export interface JsonRpcSocket {
  /**
   * Rejects with an `RpcError` when the peer refuses, with a `DriverError` `NO_ANSWER` when it may have heard the question,
   * with `UNREACHABLE` when it certainly has not.
   */
  call(method: string, params: Record<string, unknown>, timeoutMs: number, signal: AbortSignal): Promise<unknown>
  /** Resolves when the connection is over, no matter who ended it. */
  readonly closed: Promise<void>
  close(): void
}

interface JsonRpcOptions {
  address: URL
  headers: Record<string, string>
  onNotification(method: string, params: unknown): void
  /** The connection is given up after so long without a word or the answer to a ping. */
  silenceMs: number
  signal: AbortSignal
}

export function openJsonRpcSocket(options: JsonRpcOptions): Promise<JsonRpcSocket> {
  const { address, headers, onNotification, silenceMs, signal } = options
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, {
      headers,
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    })
    const waiting = new Map<number, (message: unknown) => void>()
    const lost = new Set<() => void>()
    let nextId = 1
    let heardAtMs = performance.now()
    const watch = setInterval(() => {
      const silentForMs = performance.now() - heardAtMs
      if (silentForMs > silenceMs) socket.terminate()
      else if (silentForMs > silenceMs / 2 && socket.readyState === socket.OPEN) socket.ping()
    }, silenceMs / 4)
    const onAbort = () => socket.terminate()
    signal.addEventListener('abort', onAbort, { once: true })
    const closed = new Promise<void>((over) => {
      socket.on('close', () => {
        clearInterval(watch)
        signal.removeEventListener('abort', onAbort)
        for (const tell of [...lost]) tell()
        over()
      })
    })
    socket.on('pong', () => {
      heardAtMs = performance.now()
    })
    socket.on('message', (data) => {
      heardAtMs = performance.now()
      const message = parse(data.toString())
      const id = numberIn(memberOf(message, 'id'))
      const method = textIn(memberOf(message, 'method'))
      if (method !== null && id === null) onNotification(method, memberOf(message, 'params'))
      else if (id !== null) waiting.get(id)?.(message)
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      socket.terminate()
      const isRefused = response.statusCode === 401 || response.statusCode === 403
      reject(
        isRefused
          ? new CredentialsRefusedError('credentials refused')
          : new DriverError('REFUSED', `the handshake is answered with status ${response.statusCode}`),
      )
    })
    socket.on('error', (error) => {
      socket.terminate()
      reject(new DriverError('UNREACHABLE', `the printer cannot be reached: ${error.message}`, { cause: error }))
    })
    socket.on('open', () => resolve({ call, closed, close: () => socket.terminate() }))

    function call(method: string, params: Record<string, unknown>, timeoutMs: number, asked: AbortSignal) {
      return new Promise<unknown>((answer, refuse) => {
        if (asked.aborted) return refuse(asked.reason)
        if (socket.readyState !== socket.OPEN) return refuse(new DriverError('UNREACHABLE', 'not connected'))
        const id = nextId
        nextId += 1
        const end = (settle: () => void) => {
          clearTimeout(timer)
          waiting.delete(id)
          lost.delete(onLost)
          asked.removeEventListener('abort', onAsked)
          settle()
        }
        const unanswered = (why: string) => end(() => refuse(new DriverError('NO_ANSWER', why)))
        const onLost = () => unanswered(`the connection broke before ${method} was answered`)
        const onAsked = () => end(() => refuse(asked.reason))
        const timer = setTimeout(() => unanswered(`no answer to ${method} within ${timeoutMs} ms`), timeoutMs)
        waiting.set(id, (message) =>
          end(() => {
            const error = memberOf(message, 'error')
            if (error === undefined) return answer(memberOf(message, 'result'))
            // The traceback beside the message is no one's business.
            const text = textIn(memberOf(error, 'message'), 300) ?? `${method} was refused`
            refuse(new RpcError(numberIn(memberOf(error, 'code')) ?? 0, text))
          }),
        )
        lost.add(onLost)
        asked.addEventListener('abort', onAsked, { once: true })
        socket.send(JSON.stringify({ jsonrpc: '2.0', method, params, id }))
      })
    }
  })
}

/** A frame that is no JSON is ignored; the full picture is asked for again with each connection. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { WebSocket } from 'ws'
import { DriverError } from '../driver.ts'
import { memberOf } from '../wire/wire-values.ts'

const HANDSHAKE_MS = 10_000
const MAX_FRAME_BYTES = 8 * 1024 * 1024

interface PushSocketOptions {
  base: URL
  /** `NAME:SESSION` of a login. */
  auth: string
  onUp(): void
  /** Given each message as parsed JSON. */
  onMessage(message: unknown): void
  /** After this much silence OctoPrint is asked whether it is still there. */
  silenceMs: number
  /**
   * Answers what OctoPrint says by another way that the printer does, as one text; rejects when it does not answer. Undefined where it
   * does not tell.
   */
  askState(signal: AbortSignal): Promise<string | undefined>
  signal: AbortSignal
}

/** What is told by an event at once, a report follows within a second. */
const events = ['PrintStarted', 'PrintDone', 'PrintFailed', 'PrintCancelled', 'FirmwareData']

/**
 * Listens on OctoPrint's push socket until the connection ends; resolves or rejects then.
 *
 * OctoPrint says something each second or two while its printer does, and nothing at all, for minutes, while the printer is in
 * error or not connected: silence is a question and no answer. It is over when the socket does not pong, OctoPrint does not
 * answer, or it tells another state than the socket told last.
 */
export function listenToPushes(options: PushSocketOptions): Promise<void> {
  const { base, auth, onUp, onMessage, silenceMs, askState, signal } = options
  const address = new URL('sockjs/websocket', base)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    })
    const ended = new AbortController()
    let state: unknown
    const give = (end: () => void) => {
      if (ended.signal.aborted) return
      // Frames that came together with the last one would start the clock again.
      socket.removeAllListeners('message')
      clearTimeout(silence)
      signal.removeEventListener('abort', onAbort)
      ended.abort(new Error('the connection has ended'))
      socket.terminate()
      end()
    }
    const onAbort = () => give(() => reject(signal.reason))
    const fallSilent = (cause?: unknown) =>
      give(() => reject(new DriverError('NO_ANSWER', 'OctoPrint fell silent', { cause })))
    const onSilence = async () => {
      if (socket.readyState !== WebSocket.OPEN) return fallSilent()
      const askedAt = state
      try {
        const [told] = await Promise.all([askState(ended.signal), pongOf(socket, silenceMs, ended.signal)])
        // A report that came meanwhile has set the clock already.
        if (ended.signal.aborted || state !== askedAt) return
        if (told !== undefined && told !== memberOf(state, 'text')) return fallSilent()
        waitForWord()
      } catch (error) {
        fallSilent(error)
      }
    }
    const waitForWord = () => {
      clearTimeout(silence)
      silence = setTimeout(onSilence, silenceMs)
    }
    let silence = setTimeout(onSilence, silenceMs)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('open', () => {
      // In this order: what we want is set before anything is sent to us.
      const subscribe = { state: { logs: false, messages: false }, events, plugins: false }
      for (const message of [{ subscribe }, { auth }, { throttle: 2 }]) socket.send(JSON.stringify(message))
    })
    socket.on('message', (data) => {
      waitForWord()
      const message = parse(data.toString())
      if (memberOf(message, 'reauthRequired') !== undefined) {
        return give(() => reject(new DriverError('REFUSED', 'OctoPrint asks to log in again')))
      }
      const report = memberOf(message, 'current') ?? memberOf(message, 'history')
      state = memberOf(report, 'state') ?? state
      if (report !== undefined) onUp()
      onMessage(message)
    })
    socket.on('error', (error) => give(() => reject(new DriverError('UNREACHABLE', error.message, { cause: error }))))
    socket.on('close', () => give(resolve))
  })
}

/** Resolves when the other end of the socket answers; rejects when it does not in time. */
function pongOf(socket: WebSocket, timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      socket.off('pong', onPong)
      signal.removeEventListener('abort', onAbort)
    }
    const onPong = () => {
      leave()
      resolve()
    }
    const onAbort = () => {
      leave()
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      leave()
      reject(new Error(`no pong within ${timeoutMs} ms`))
    }, timeoutMs)
    socket.on('pong', onPong)
    signal.addEventListener('abort', onAbort, { once: true })
    socket.ping()
  })
}

/** A frame that is no JSON is ignored: the next one comes within a second. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

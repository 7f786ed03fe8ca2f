import { WebSocket } from 'ws'
import { DriverError } from '../driver.ts'

const HANDSHAKE_MS = 5_000
const MAX_FRAME_BYTES = 8 * 1024 * 1024

/** A WebSocket to a printer that speaks text and has a sign of life of its own. Nothing is ever sent twice. */
export interface TextSocket {
  /**
   * Rejects with a `DriverError` `UNREACHABLE` when the text certainly was not sent, `NO_ANSWER` when it broke on the way.
   */
  send(text: string): Promise<void>
  /** Resolves when the connection is over, no matter who ended it. */
  readonly closed: Promise<void>
  /** Nothing is heard of it any more. */
  close(): void
}

interface TextSocketOptions {
  address: URL
  /** A text, on this socket: the first may come before anyone who opened it has it in hand. */
  onText(text: string, socket: TextSocket): void
  /** A question without any effect that makes a living printer say something. */
  question: { text: string; everyMs: number }
  /** The connection is given up after so long without a word. */
  silenceMs: number
  signal: AbortSignal
}

export function openTextSocket(options: TextSocketOptions): Promise<TextSocket> {
  const { address, onText, question, silenceMs, signal } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = new WebSocket(address, {
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: MAX_FRAME_BYTES,
      perMessageDeflate: false,
    })
    const onSilence = () => socket.terminate()
    let silence = setTimeout(onSilence, silenceMs)
    const asking = setInterval(() => {
      if (socket.readyState === socket.OPEN) socket.send(question.text)
    }, question.everyMs)
    const onAbort = () => socket.terminate()
    signal.addEventListener('abort', onAbort, { once: true })
    const closed = new Promise<void>((over) => {
      socket.on('close', () => {
        clearTimeout(silence)
        clearInterval(asking)
        signal.removeEventListener('abort', onAbort)
        // Of no consequence once it was open.
        reject(signal.aborted ? signal.reason : new DriverError('UNREACHABLE', 'the printer closed the connection'))
        over()
      })
    })
    socket.on('message', (data) => {
      clearTimeout(silence)
      silence = setTimeout(onSilence, silenceMs)
      onText(data.toString(), opened)
    })
    socket.on('error', (error) => {
      socket.terminate()
      reject(new DriverError('UNREACHABLE', `the printer cannot be reached: ${error.message}`, { cause: error }))
    })
    const opened: TextSocket = { send, closed, close }
    socket.on('open', () => resolve(opened))

    function close(): void {
      // Frames that came together with the last one are no one's any more.
      socket.removeAllListeners('message')
      socket.terminate()
    }

    function send(text: string): Promise<void> {
      return new Promise((sent, failed) => {
        if (socket.readyState !== socket.OPEN) return failed(new DriverError('UNREACHABLE', 'not connected'))
        socket.send(text, (error) =>
          error ? failed(new DriverError('NO_ANSWER', 'the connection broke while sending', { cause: error })) : sent(),
        )
      })
    }
  })
}

/** A frame as JSON; undefined when it is none, which is nothing to stop for: pictures are asked for again. */
export function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

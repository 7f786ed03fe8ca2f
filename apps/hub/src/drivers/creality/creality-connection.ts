import { openTextSocket, parseFrame, type TextSocket } from '../wire/text-socket.ts'
import { memberOf } from '../wire/wire-values.ts'
import { askBoxes, askEverything } from './creality-commands.ts'

/** Not everything is pushed. */
const ASK_INTERVAL_MS = 5_000
const SILENCE_MS = 30_000

interface CrealityConnectionOptions {
  /** Names host and port of the printer. */
  base: URL
  /** See `DriverContext`. */
  waitFactor: number
  /** Asked at each interval. */
  hasMaterialBox(): boolean
  /** A frame with something to say, on this socket. */
  onFrame(frame: unknown, socket: TextSocket): void
  /** Ends the connection. */
  signal: AbortSignal
}

/** One connection to a printer, from its beginning to its end; resolves or rejects when it is over. */
export async function keepCrealityConnection(options: CrealityConnectionOptions): Promise<void> {
  const { base, waitFactor, signal } = options
  const address = new URL(base)
  address.protocol = 'ws:'
  const opened = await openTextSocket({
    address,
    question: { text: askEverything, everyMs: ASK_INTERVAL_MS * waitFactor },
    silenceMs: SILENCE_MS * waitFactor,
    signal,
    onText(text, own) {
      const frame = parseFrame(text)
      // Without this answer the printer closes the connection.
      if (memberOf(frame, 'ModeCode') === 'heart_beat') return void own.send('ok').catch(own.close)
      options.onFrame(frame, own)
    },
  })
  // A spool that is changed is not pushed either.
  const askingBoxes = setInterval(() => {
    if (options.hasMaterialBox()) opened.send(askBoxes).catch(opened.close)
  }, ASK_INTERVAL_MS * waitFactor)
  try {
    await opened.send(askEverything)
    await opened.send(askBoxes)
    await opened.closed
  } finally {
    clearInterval(askingBoxes)
    opened.close()
  }
}

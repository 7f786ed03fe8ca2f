import { Transform, type TransformCallback } from 'node:stream'

/** A reader that takes nothing for so long has left without saying so. */
const stalledMs = 5 * 60_000

/** The bytes of an export on their way to one reader. Fails when the reader takes none for minutes. */
export class ExportBytes extends Transform {
  /** Resolves with the first bytes; never where there are none. */
  readonly started: Promise<void>
  /** Number of bytes that were let through so far; what waits in the buffers of the connection counts. */
  bytesTaken = 0
  #start: () => void = () => undefined
  readonly #timer: NodeJS.Timeout

  constructor() {
    super()
    this.started = new Promise((resolve) => {
      this.#start = resolve
    })
    this.#timer = setInterval(() => this.#look(), stalledMs).unref()
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#start()
    this.bytesTaken += piece.length
    this.#timer.refresh()
    done(null, piece)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearInterval(this.#timer)
    done(error)
  }

  /** Where nothing waits to be read, it is the export that takes long. */
  #look(): void {
    if (this.readableLength > 0) this.destroy(new Error('Nothing was read from the export for minutes.'))
  }
}

/** What is written at once, in bytes: chunks of a connection are 64 KB at most, and each write is a trip to another thread. */
export const blockBytes = 1 << 20

/** How much is written before the disk is told to take it, in bytes: at the end little is left to wait for. */
const flushBytes = 32 * (1 << 20)

/** What it needs of a file. */
export interface BlockTarget {
  /** Writes all of a block, or rejects. */
  write(block: Buffer[]): Promise<void>
  datasync(): Promise<void>
  sync(): Promise<void>
}

/**
 * Writes what comes in chunks into a file, in blocks. While one block is being written the next one gathers, so that at most two are in
 * memory, and the disk takes what was written meanwhile.
 */
export class BlockWriter {
  readonly #file: BlockTarget
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #unflushedBytes = 0
  #writing: Promise<void> = Promise.resolve()
  #flushing: Promise<void> = Promise.resolve()
  #isFlushing = false

  constructor(file: BlockTarget) {
    this.#file = file
  }

  /** Waits while two blocks are on their way. @throws when the disk did not take an earlier block. */
  async add(chunk: Buffer): Promise<void> {
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.length
    if (this.#gatheredBytes >= blockBytes) await this.#write()
  }

  /** Everything is on the disk when it ends. */
  async finish(): Promise<void> {
    await this.#write()
    await this.#writing
    // The system tells of a failed flush once: the first time that it is asked.
    await this.#flushing
    await this.#file.sync()
  }

  /** Ends when nothing uses the file any more, whatever became of it. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#flushing])
  }

  async #write(): Promise<void> {
    await this.#writing
    if (this.#gatheredBytes === 0) return
    const block = this.#gathered
    const bytes = this.#gatheredBytes
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#writing = this.#file.write(block)
    // It is told of where it is waited for.
    this.#writing.catch(() => undefined)
    this.#unflushedBytes += bytes
    if (this.#unflushedBytes >= flushBytes && !this.#isFlushing) this.#flush()
  }

  #flush(): void {
    this.#unflushedBytes = 0
    this.#isFlushing = true
    // After one that failed there is no other, so that its failure is still there at the end.
    this.#flushing = this.#file.datasync().then(() => {
      this.#isFlushing = false
    })
    this.#flushing.catch(() => undefined)
  }
}

import type { Blocks } from './blocks.ts'

/** Blocks that are in memory at once: while some are hashed and written the next one fills. */
const mostBlocks = 4

/** Bytes written before the disk is told to take them: at the end little is left to wait for. */
const flushBytes = 32 * (1 << 20)

const nothing = new Uint8Array()

/** What it needs of a file. */
export interface BlockTarget {
  /** Writes the first bytes of a block behind what was written before, and gives its memory back; or rejects. */
  write(block: ArrayBuffer, bytes: number): Promise<ArrayBuffer>
  datasync(): Promise<void>
}

/**
 * Writes what comes in chunks into a file, in blocks. The few blocks that there are fill again and again, so that no more is in memory
 * however slow the disk is, and the disk takes what was written meanwhile.
 */
export class BlockWriter {
  readonly #file: BlockTarget
  readonly #blocks: Blocks
  readonly #free: ArrayBuffer[] = []
  readonly #writing = new Set<Promise<void>>()
  #made = 0
  #filling: Uint8Array<ArrayBuffer> | undefined
  #filledBytes = 0
  #failure: { error: unknown } | undefined
  #unflushedBytes = 0
  #flushing: Promise<void> = Promise.resolve()
  #isFlushing = false

  constructor(file: BlockTarget, blocks: Blocks) {
    this.#file = file
    this.#blocks = blocks
  }

  /**
   * Takes a copy of the chunk: at once, or, while all blocks are being written, as soon as one is back. @throws and rejects with what
   * became of an earlier block
   */
  add(chunk: Uint8Array): Promise<void> | undefined {
    const rest = this.#fill(chunk)
    return rest.length === 0 ? undefined : this.#addInTime(rest)
  }

  /** Ends when the file has taken everything, or rejects. */
  async finish(): Promise<void> {
    if (this.#filledBytes > 0) this.#writeFilled()
    await Promise.all(this.#writing)
    if (this.#failure) throw this.#failure.error
    // The system tells of a failed flush once: the first time that it is asked.
    await this.#flushing
  }

  /** To be called in the end, whatever became of the file. When it ends nothing uses the file, and the memory is given back. */
  async release(): Promise<void> {
    await Promise.allSettled([...this.#writing, this.#flushing])
    if (this.#filling !== undefined) this.#free.push(this.#filling.buffer)
    this.#filling = undefined
    for (const block of this.#free.splice(0)) this.#blocks.giveBack(block)
  }

  async #addInTime(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; rest = this.#fill(rest)) await Promise.race(this.#writing)
  }

  /** Returns what there is no room for. */
  #fill(chunk: Uint8Array): Uint8Array {
    if (this.#failure) throw this.#failure.error
    let rest = chunk
    while (rest.length > 0) {
      this.#filling ??= this.#takeBlock()
      if (this.#filling === undefined) break
      const room = this.#blocks.bytes - this.#filledBytes
      // A view costs as much as a copy of some thousand bytes, and most chunks need none.
      const part = rest.length <= room ? rest : rest.subarray(0, room)
      this.#filling.set(part, this.#filledBytes)
      this.#filledBytes += part.length
      rest = part === rest ? nothing : rest.subarray(part.length)
      if (this.#filledBytes === this.#blocks.bytes) this.#writeFilled()
    }
    return rest
  }

  #takeBlock(): Uint8Array<ArrayBuffer> | undefined {
    let block = this.#free.pop()
    if (block === undefined && this.#made < mostBlocks) {
      this.#made += 1
      block = this.#blocks.take()
    }
    return block && new Uint8Array(block, 0, this.#blocks.bytes)
  }

  #writeFilled(): void {
    if (this.#filling === undefined) return
    const written = this.#write(this.#filling.buffer, this.#filledBytes).finally(() => this.#writing.delete(written))
    this.#writing.add(written)
    this.#unflushedBytes += this.#filledBytes
    this.#filling = undefined
    this.#filledBytes = 0
    if (this.#unflushedBytes >= flushBytes && !this.#isFlushing) this.#flush()
  }

  async #write(block: ArrayBuffer, bytes: number): Promise<void> {
    try {
      this.#free.push(await this.#file.write(block, bytes))
    } catch (error) {
      this.#failure ??= { error }
    }
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

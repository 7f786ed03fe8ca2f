import type { FileHandle } from 'node:fs/promises'

/** What is written at once, in bytes: chunks of a connection are 64 KB at most, and each write is a trip to another thread. */
const blockBytes = 1 << 20

/** How much is written before the disk is told to take it, in bytes: at the end little is left to wait for. */
const flushBytes = 32 * (1 << 20)

/** What it needs of a file. */
interface Target extends Pick<FileHandle, 'datasync' | 'sync'> {
  writev(buffers: readonly NodeJS.ArrayBufferView[]): Promise<{ bytesWritten: number }>
}

/**
 * Writes what comes in chunks into a file, in blocks. While one block is being written the next one gathers, so that at most two are in
 * memory, and the disk takes what was written meanwhile.
 */
export class BlockWriter {
  readonly #file: Target
  readonly #ownsChunks: boolean
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #unflushedBytes = 0
  #writing: Promise<void> = Promise.resolve()
  #flushing: Promise<void> = Promise.resolve()
  #isFlushing = false

  /**
   * @param ownsChunks whether no one else looks at a chunk any more. Its memory is then given back as soon as it is written: the garbage
   *   collector, to which a chunk is a few bytes, would leave megabytes of them lying about and then stop everything to look for them.
   */
  constructor(file: Target, { ownsChunks = false } = {}) {
    this.#file = file
    this.#ownsChunks = ownsChunks
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
    const block = this.#gathered
    const bytes = this.#gatheredBytes
    this.#gathered = []
    this.#gatheredBytes = 0
    this.#writing = this.#writeWhole(block)
    // It is told of where it is waited for.
    this.#writing.catch(() => undefined)
    this.#unflushedBytes += bytes
    if (this.#unflushedBytes >= flushBytes && !this.#isFlushing) this.#flush()
  }

  /** A write may take less than it was given, on a disk that is nearly full above all. */
  async #writeWhole(block: Buffer[]): Promise<void> {
    for (let rest = block; rest.length > 0; ) {
      const { bytesWritten } = await this.#file.writev(rest)
      rest = skip(rest, bytesWritten)
    }
    if (this.#ownsChunks) for (const chunk of block) giveBack(chunk)
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

/** One that shares its memory with others is left to the garbage collector. */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer.byteLength === byteLength && buffer instanceof ArrayBuffer) buffer.transfer(0)
}

/** What follows the first `bytes` of these buffers. */
function skip(buffers: Buffer[], bytes: number): Buffer[] {
  let left = bytes
  for (const [index, buffer] of buffers.entries()) {
    if (left < buffer.length) return [buffer.subarray(left), ...buffers.slice(index + 1)]
    left -= buffer.length
  }
  return []
}

import { closeSync, constants, ftruncateSync, openSync, write as writeWithCallback } from 'node:fs'
import { promisify } from 'node:util'

const write = promisify(writeWithCallback)

/** What is written at once, in bytes: a multiple of what any disk wants of lengths and places. */
const bufferBytes = 1 << 20

/** A page of WebAssembly, in bytes. Such memory begins at a multiple of it, which no other memory of JavaScript promises and a disk demands. */
const pageBytes = 1 << 16

// Types of Node leave it to those of browsers.
const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: MemoryMaker } }).WebAssembly
type MemoryMaker = new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer }

/** How many files are written so at once; those beyond go through the memory of the system. */
const mostFiles = 8

interface DirectFiles {
  direct: number
  /** For the size in the end, and for a disk that refuses the other way after all. */
  plain: number
}

/** The memory out of which direct files are written, two buffers for each; it is used again, because it is given back late. */
export class DirectMemory {
  readonly #free: ArrayBuffer[] = []
  #made = 0

  /** Undefined when all of it is in use. */
  take(): ArrayBuffer | undefined {
    const free = this.#free.pop()
    if (free !== undefined || this.#made === mostFiles) return free
    this.#made += 1
    const pages = (2 * bufferBytes) / pageBytes
    return new Memory({ initial: pages, maximum: pages }).buffer
  }

  giveBack(memory: ArrayBuffer): void {
    this.#free.push(memory)
  }
}

type Pool = Pick<DirectMemory, 'take' | 'giveBack'>

/**
 * A large file that is written past the memory in which the system keeps files (`O_DIRECT`). Where it is short, half a gigabyte in it costs more of the
 * processor than receiving and hashing it, and drives out what the database reads there. While one buffer is written the other one fills.
 */
export class DirectFile {
  readonly #files: DirectFiles
  readonly #pool: Pool
  readonly #memory: ArrayBuffer
  #filling: Uint8Array<ArrayBuffer>
  #other: Uint8Array<ArrayBuffer>
  #filledBytes = 0
  /** Where the buffer that fills belongs in the file. */
  #position = 0
  #writing: Promise<void> = Promise.resolve()
  #isRefused = false

  /**
   * @param path of an empty file
   * @returns undefined where system, disk or memory have no room for it: the file is written as any other then
   */
  static open(path: string, pool: Pool): DirectFile | undefined {
    // Of Linux alone.
    if (constants.O_DIRECT === undefined) return undefined
    const direct = openDirect(path, constants.O_DIRECT)
    if (direct === undefined) return undefined
    const memory = pool.take()
    if (memory !== undefined) return new DirectFile({ direct, plain: openSync(path, 'r+') }, pool, memory)
    closeSync(direct)
    return undefined
  }

  private constructor(files: DirectFiles, pool: Pool, memory: ArrayBuffer) {
    this.#files = files
    this.#pool = pool
    this.#memory = memory
    this.#filling = new Uint8Array(memory, 0, bufferBytes)
    this.#other = new Uint8Array(memory, bufferBytes)
  }

  /** Takes a copy of the chunk. @throws what became of an earlier write */
  async add(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, bufferBytes - this.#filledBytes)
      this.#filling.set(part, this.#filledBytes)
      this.#filledBytes += part.length
      rest = rest.subarray(part.length)
      if (this.#filledBytes === bufferBytes) await this.#writeFilled(bufferBytes)
    }
  }

  /** Writes what is left, and gives the file its size: the disk takes whole pages only. */
  async finish(): Promise<void> {
    const sizeBytes = this.#position + this.#filledBytes
    if (this.#filledBytes > 0) await this.#writeFilled(Math.ceil(this.#filledBytes / pageBytes) * pageBytes)
    await this.#writing
    ftruncateSync(this.#files.plain, sizeBytes)
  }

  /** To be called in the end, whatever became of the file. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#writing])
    closeSync(this.#files.direct)
    closeSync(this.#files.plain)
    this.#pool.giveBack(this.#memory)
  }

  async #writeFilled(bytes: number): Promise<void> {
    await this.#writing
    const filled = this.#filling
    this.#filling = this.#other
    this.#other = filled
    this.#writing = this.#write(filled.subarray(0, bytes), this.#position)
    // It is told of where it is waited for.
    this.#writing.catch(() => undefined)
    this.#position += bytes
    this.#filledBytes = 0
  }

  async #write(block: Uint8Array, position: number): Promise<void> {
    for (let at = 0; at < block.length; ) {
      const fd = this.#isRefused ? this.#files.plain : this.#files.direct
      try {
        at += (await write(fd, block, at, block.length - at, position + at)).bytesWritten
      } catch (error) {
        // A disk with larger pages than any known, or one that took a part that is no multiple of its pages.
        if (this.#isRefused || !isRefusal(error)) throw error
        this.#isRefused = true
      }
    }
  }
}

function openDirect(path: string, flag: number): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | flag)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

/** What a file system answers that has no such way. */
function isRefusal(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EINVAL'
}

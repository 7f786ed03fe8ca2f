import { closeSync, constants, ftruncateSync, openSync, write as writeWithCallback } from 'node:fs'
import { promisify } from 'node:util'

const write = promisify(writeWithCallback)

/** Disks take multiples of their pages only; none has larger ones, in bytes. */
const pageBytes = 1 << 16

/**
 * A large file that is written past the memory in which the system keeps files (`O_DIRECT`). Where it is short, half a gigabyte in it costs more of the
 * processor than receiving and hashing it, and drives out what the database reads there.
 */
export class DirectFile {
  readonly #direct: number
  /** For the size in the end, and for a disk that refuses the other way after all. */
  readonly #plain: number
  #isRefused = false
  #sizeBytes = 0

  /**
   * @param path of an empty file
   * @param plain the same file, open for writing; it stays the caller's
   * @returns undefined where system or disk have no such way: the file is written as any other then
   */
  static open(path: string, plain: number): DirectFile | undefined {
    // Of Linux alone.
    if (constants.O_DIRECT === undefined) return undefined
    const direct = openDirect(path, constants.O_DIRECT)
    return direct === undefined ? undefined : new DirectFile(direct, plain)
  }

  private constructor(direct: number, plain: number) {
    this.#direct = direct
    this.#plain = plain
  }

  /**
   * Writes the first bytes of a block behind what was given before, which may still be on its way: a disk takes several at once in less time.
   * All blocks but the last are whole pages.
   */
  async write(block: ArrayBuffer, bytes: number): Promise<void> {
    const start = this.#sizeBytes
    this.#sizeBytes += bytes
    const wholePages = new Uint8Array(block, 0, Math.ceil(bytes / pageBytes) * pageBytes)
    // What a block had in it before may be of another file.
    wholePages.fill(0, bytes)
    for (let at = 0; at < bytes; ) at += await this.#writeSome(wholePages.subarray(at), start + at)
  }

  /** Once everything is written: gives the file its size. */
  finish(): void {
    ftruncateSync(this.#plain, this.#sizeBytes)
  }

  /** To be called in the end, once nothing is being written. */
  close(): void {
    closeSync(this.#direct)
  }

  async #writeSome(bytes: Uint8Array, position: number): Promise<number> {
    const fd = this.#isRefused ? this.#plain : this.#direct
    try {
      return (await write(fd, bytes, 0, bytes.length, position)).bytesWritten
    } catch (error) {
      // A disk with larger pages than any known, or one that took a part that is no multiple of its pages.
      if (fd === this.#plain || !isRefusal(error)) throw error
      this.#isRefused = true
      return 0
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

import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type BlockTarget, blockBytes } from './block-writer.ts'
import type { HashThread } from './hash-thread.ts'
import { skipBytes } from './skip-bytes.ts'

type OpenFile = Pick<FileHandle, 'fd' | 'datasync' | 'sync'> & {
  writev(buffers: readonly NodeJS.ArrayBufferView[]): Promise<{ bytesWritten: number }>
}

/**
 * A file that is written from its beginning, and the SHA-256 of what was. A file of more than a block is hashed and written by another thread:
 * half a gigabyte takes a third of a second to hash, in which the service would do nothing else.
 */
export class HashedFile implements BlockTarget {
  readonly #file: OpenFile
  readonly #thread: HashThread
  readonly #ownsChunks: boolean
  readonly #directPath: string | undefined
  #here: Hash | undefined
  #there: ReturnType<HashThread['begin']> | undefined

  /**
   * @param ownsChunks whether no one else looks at a chunk any more, so that its memory may go to the thread, which gives it back at once
   * @param directPath where the file is, when it is to be written past the memory of the system
   */
  constructor(
    file: OpenFile,
    thread: HashThread,
    { ownsChunks, directPath }: { ownsChunks: boolean; directPath?: string | undefined },
  ) {
    this.#file = file
    this.#thread = thread
    this.#ownsChunks = ownsChunks
    this.#directPath = directPath
  }

  async write(block: Buffer[]): Promise<void> {
    if (this.#here === undefined && this.#there === undefined) {
      const bytes = block.reduce((sum, chunk) => sum + chunk.length, 0)
      if (bytes < blockBytes) this.#here = createHash('sha256')
      else this.#there = this.#thread.begin(this.#file.fd, this.#directPath)
    }
    if (this.#there !== undefined) return this.#there.write(block.map((chunk) => this.#detached(chunk)))
    for (const chunk of block) this.#here?.update(chunk)
    // A write may take less than it was given, on a disk that is nearly full above all.
    for (let rest = block; rest.length > 0; ) {
      const { bytesWritten } = await this.#file.writev(rest)
      rest = skipBytes(rest, bytesWritten)
    }
  }

  /** The SHA-256 of all that was written, as hex. Nothing can be written after it. */
  async digest(): Promise<string> {
    if (this.#there !== undefined) return this.#there.digest()
    return (this.#here ?? createHash('sha256')).digest('hex')
  }

  /** To be called in the end, whatever became of the file. */
  forget(): void {
    this.#there?.forget()
  }

  async datasync(): Promise<void> {
    // What went past the memory of the system has left nothing there to wait for.
    if (await this.#there?.isDirect()) return
    await this.#file.datasync()
  }

  async sync(): Promise<void> {
    await this.#there?.finish()
    await this.#file.sync()
  }

  /** Memory that may leave this thread: that of the chunk itself, unless someone else uses it. */
  #detached(chunk: Buffer): Uint8Array<ArrayBuffer> {
    const { buffer, byteLength } = chunk
    const isWhole = this.#ownsChunks && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    return isWhole ? new Uint8Array(buffer) : Uint8Array.from(chunk)
  }
}

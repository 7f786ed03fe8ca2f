import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { HashThread } from './hash-thread.ts'
import { LargeFile } from './large-file.ts'
import { skipBytes } from './skip-bytes.ts'

type OpenFile = Pick<FileHandle, 'fd' | 'datasync' | 'sync'> & {
  writev(buffers: readonly NodeJS.ArrayBufferView[]): Promise<{ bytesWritten: number }>
}

/** From which size on a file is hashed by another thread, in bytes. */
const largeFromBytes = 1 << 20

/**
 * A file that is written from its beginning, and the SHA-256 of what was. A large one is hashed and written by another thread: half a
 * gigabyte takes a third of a second to hash, in which the service would do nothing else.
 */
export class HashedFile {
  readonly #file: OpenFile
  readonly #thread: HashThread
  readonly #ownsChunks: boolean
  readonly #directPath: string | undefined
  /** All that came, while it is not known to be much. */
  #gathered: Buffer[] = []
  #gatheredBytes = 0
  #large: LargeFile | undefined

  /**
   * @param ownsChunks whether no one else looks at a chunk any more, so that its memory may be given back at once
   * @param directPath where the file is, when a large one is to be written past the memory of the system
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

  /** Takes a chunk: at once, or when the promise says so; nothing may be added before. @throws and rejects when it cannot be written */
  add(chunk: Buffer): Promise<void> | undefined {
    if (this.#large !== undefined) return this.#addToLarge(this.#large, chunk)
    this.#gathered.push(chunk)
    this.#gatheredBytes += chunk.length
    return this.#gatheredBytes < largeFromBytes ? undefined : this.#becomeLarge()
  }

  /** Ends when all of it is on the disk. @returns the SHA-256 as hex */
  async finish(): Promise<string> {
    const sha256 = await (this.#large === undefined ? this.#writeGathered() : this.#large.finish())
    await this.#file.sync()
    return sha256
  }

  /** To be called in the end, whatever became of the file: when it ends nothing uses it any more. */
  async release(): Promise<void> {
    await this.#large?.release()
  }

  async #becomeLarge(): Promise<void> {
    const large = new LargeFile(this.#file, this.#thread.begin(this.#file.fd, this.#directPath))
    this.#large = large
    const chunks = this.#gathered
    this.#gathered = []
    for (const chunk of chunks) await this.#addToLarge(large, chunk)
  }

  #addToLarge(large: LargeFile, chunk: Buffer): Promise<void> | undefined {
    const adding = large.add(chunk)
    if (adding !== undefined) return adding.then(() => this.#dropMemory(chunk))
    this.#dropMemory(chunk)
  }

  /** The garbage collector, to which a chunk is a few bytes, would leave megabytes of them lying about. */
  #dropMemory({ buffer, byteLength }: Buffer): void {
    const isWhole = this.#ownsChunks && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    if (isWhole) buffer.transfer(0)
  }

  async #writeGathered(): Promise<string> {
    const hash = createHash('sha256')
    for (const chunk of this.#gathered) hash.update(chunk)
    // A write may take less than it was given, on a disk that is nearly full above all.
    for (let rest = this.#gathered; rest.length > 0; ) {
      const { bytesWritten } = await this.#file.writev(rest)
      rest = skipBytes(rest, bytesWritten)
    }
    return hash.digest('hex')
  }
}

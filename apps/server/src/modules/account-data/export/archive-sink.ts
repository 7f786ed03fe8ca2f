import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { manifestName, sumsName } from '../format/manifest.ts'
import { blockBytes, endOfArchive, headerOf } from '../format/tar.ts'
import type { ExportSink } from './export-sink.ts'

const zeros = Buffer.alloc(64 * 1024)

/**
 * An export as one tar archive. Parts are written to it as soon as the reader takes them, without holding up the snapshot that they
 * come from, and removed; files go straight from their store. The manifest comes last: only then is known what is in it.
 */
export class ArchiveSink implements ExportSink {
  readonly #draft: string
  readonly #contents: StoredContents
  readonly #out: Writable
  #sending: Promise<void> = Promise.resolve()
  #fault: unknown

  constructor(draft: string, contents: StoredContents, out: Writable) {
    this.#draft = draft
    this.#contents = contents
    this.#out = out
  }

  addPart(path: string): void {
    if (this.#fault !== undefined) throw this.#fault
    this.#sending = this.#sending
      .then(() => this.#send(path))
      .catch((error: unknown) => {
        this.#fault ??= error
      })
  }

  async addFile(sha256: string): Promise<{ bytes: number } | undefined> {
    await this.#allSent()
    if ((await this.#contents.sizeOf(sha256)) === undefined) return undefined
    const { content, sizeBytes } = await this.#contents.read(sha256)
    await this.#begin(`files/${sha256.slice(0, 2)}/${sha256}`, sizeBytes, new Date())
    const hash = createHash('sha256')
    let left = sizeBytes
    for await (const piece of content as AsyncIterable<Buffer>) {
      hash.update(piece)
      await this.#write(piece.subarray(0, left))
      left -= Math.min(left, piece.length)
    }
    // The header has said how long it is. What is not its content is not in the manifest, and is passed over by who reads that.
    for (; left > 0; left -= Math.min(left, zeros.length)) await this.#write(zeros.subarray(0, left))
    await this.#pad(sizeBytes)
    return hash.digest('hex') === sha256 ? { bytes: sizeBytes } : undefined
  }

  async finish(): Promise<void> {
    this.addPart(manifestName)
    this.addPart(sumsName)
    await this.#allSent()
    await this.#write(endOfArchive)
  }

  async #allSent(): Promise<void> {
    await this.#sending
    if (this.#fault !== undefined) throw this.#fault
  }

  async #send(name: string): Promise<void> {
    const path = join(this.#draft, name)
    const { size, mtime } = await stat(path)
    await this.#begin(name, size, mtime)
    for await (const piece of createReadStream(path)) await this.#write(piece as Buffer)
    await this.#pad(size)
    await rm(path)
  }

  #begin(name: string, size: number, time: Date): Promise<void> {
    return this.#write(headerOf({ name, size, mtimeSeconds: Math.floor(time.getTime() / 1000) }))
  }

  async #pad(size: number): Promise<void> {
    const rest = size % blockBytes
    if (rest > 0) await this.#write(zeros.subarray(0, blockBytes - rest))
  }

  /** Resolves once the piece was taken, so that no more than one lies in memory. */
  #write(piece: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#out.write(piece, (error) => (error ? reject(error) : resolve()))
    })
  }
}

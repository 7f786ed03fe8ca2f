import type { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { type Limits, ratioGraceBytes } from '../limits.ts'
import { PrintFileError, quoteName } from '../print-file-error.ts'

const stored = 0
const deflated = 8

/** An entry of an archive. Its name is only ever compared and shown, never used as a path. */
export interface ArchiveEntry {
  name: string
  /** Unpacked size as the directory claims it. */
  claimedBytes: number
  entry: Entry
}

/**
 * A zip archive whose claims are not believed: bytes are counted while they unpack, checksums are verified, and names
 * that leave the archive, or stand in it twice, are refused. Names are compared without regard to case, as the Open
 * Packaging Conventions have it, and without a leading slash, which some writers add.
 */
export class ZipArchive {
  private readonly zip: ZipFile
  private readonly limits: Limits
  private readonly signal: AbortSignal | undefined
  private readonly entries = new Map<string, ArchiveEntry>()
  private readonly repeated = new Set<string>()
  private unpackedBytes = 0

  private constructor(zip: ZipFile, limits: Limits, signal: AbortSignal | undefined) {
    this.zip = zip
    this.limits = limits
    this.signal = signal
  }

  /** Reads the directory. Throws PrintFileError when it is damaged, too long, or holds a name that is a way out. */
  static async open(path: string, limits: Limits, signal?: AbortSignal): Promise<ZipArchive> {
    // Strings and sizes are checked here instead of in yauzl, so that a refusal can name the entry and the reason.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false }
    const zip = await yauzl.openPromise(path, options).catch((cause: unknown) => {
      throw isSystemError(cause) ? cause : damaged('The archive has no readable directory', cause)
    })
    const archive = new ZipArchive(zip, limits, signal)
    try {
      await archive.readDirectory()
    } catch (error) {
      zip.close()
      throw error
    }
    return archive
  }

  close(): void {
    this.zip.close()
  }

  /** Names as they stand in the archive, without a leading slash, in its order. */
  names(): string[] {
    return [...this.entries.values()].map((entry) => entry.name)
  }

  find(name: string): ArchiveEntry | undefined {
    return this.entries.get(name.toLowerCase())
  }

  /** The unpacked bytes of an entry. */
  async read(entry: ArchiveEntry, maxBytes: number = this.limits.maxEntryBytes): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of this.stream(entry, maxBytes)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** At most the first bytes of an entry, for entries that may be as long as they like. */
  async readStart(entry: ArchiveEntry, bytes: number): Promise<Buffer> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of this.stream(entry, Number.POSITIVE_INFINITY)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= bytes) break
    }
    return Buffer.concat(chunks).subarray(0, bytes)
  }

  /**
   * Unpacks an entry piece by piece. Throws `UNSAFE` when it gives more than allowed, or too much for its packed size;
   * `DAMAGED` when it does not unpack, or its size or checksum is not what the directory says.
   */
  async *stream(archived: ArchiveEntry, maxBytes: number): AsyncGenerator<Buffer> {
    const { entry, name } = archived
    const where = `Entry ${quoteName(name)}`
    if (this.repeated.has(name.toLowerCase()))
      throw new PrintFileError('UNSAFE', `${where} stands in the archive twice.`)
    if (entry.isEncrypted()) throw damaged(`${where} is encrypted`)
    if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
      throw damaged(`${where} is packed with method ${entry.compressionMethod}, which no slicer uses`)
    }
    let bytes = 0
    let checksum = 0
    const packed = await this.openPacked(entry, where)
    const unpacked = entry.compressionMethod === stored ? packed : inflate(packed)
    try {
      for await (const chunk of unpacked as AsyncIterable<Buffer>) {
        this.signal?.throwIfAborted()
        bytes += chunk.length
        this.unpackedBytes += chunk.length
        if (bytes > maxBytes || this.unpackedBytes > this.limits.maxUnpackedBytes) {
          throw new PrintFileError('UNSAFE', `${where} unpacks to more than is allowed (${bytes} bytes so far).`)
        }
        if (bytes > ratioGraceBytes && bytes > entry.compressedSize * this.limits.maxRatio) {
          throw new PrintFileError('UNSAFE', `${where} unpacks to more than ${this.limits.maxRatio} times its size.`)
        }
        if (bytes > entry.uncompressedSize)
          throw damaged(`${where} holds more than the ${entry.uncompressedSize} bytes it claims`)
        checksum = crc32(chunk, checksum)
        yield chunk
      }
    } catch (error) {
      if (error instanceof PrintFileError || this.signal?.aborted || isSystemError(error)) throw error
      throw damaged(`${where} cannot be unpacked after ${bytes} bytes`, error)
    } finally {
      packed.destroy()
      unpacked.destroy()
    }
    if (bytes !== entry.uncompressedSize) {
      throw damaged(`${where} ends after ${bytes} of ${entry.uncompressedSize} bytes`)
    }
    if (checksum !== entry.crc32) throw damaged(`${where} does not match its checksum`)
  }

  private async readDirectory(): Promise<void> {
    if (this.zip.entryCount > this.limits.maxEntries) {
      throw new PrintFileError(
        'UNSAFE',
        `The archive has ${this.zip.entryCount} entries, more than ${this.limits.maxEntries}.`,
      )
    }
    try {
      for await (const entry of this.zip.eachEntry()) {
        this.signal?.throwIfAborted()
        this.addEntry(entry)
      }
    } catch (error) {
      if (error instanceof PrintFileError || this.signal?.aborted || isSystemError(error)) throw error
      throw damaged(`The archive's directory is damaged after ${this.entries.size} entries`, error)
    }
  }

  private addEntry(entry: Entry): void {
    const written = yauzl.getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
    const name = written.replace(/^\//, '')
    if (name.includes('\0') || yauzl.validateFileName(name) !== null) {
      throw new PrintFileError('UNSAFE', `Entry ${quoteName(written)} has a name that leads out of the archive.`)
    }
    const key = name.toLowerCase()
    if (this.entries.has(key)) this.repeated.add(key)
    else this.entries.set(key, { name, claimedBytes: entry.uncompressedSize, entry })
  }

  private async openPacked(entry: Entry, where: string): Promise<Readable> {
    try {
      return await this.zip.openReadStreamPromise(entry, { decodeFileData: false })
    } catch (error) {
      if (isSystemError(error)) throw error
      throw damaged(`${where} has no readable header at offset ${entry.relativeOffsetOfLocalHeader}`, error)
    }
  }
}

function inflate(packed: Readable): Readable {
  const inflater = createInflateRaw({ chunkSize: 64 * 1024 })
  packed.on('error', (error) => inflater.destroy(error))
  return packed.pipe(inflater)
}

function damaged(sentence: string, cause?: unknown): PrintFileError {
  return new PrintFileError('DAMAGED', `${sentence}.`, { cause })
}

/** Errors of the disk, as opposed to those of zlib and yauzl, come from a system call. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && typeof error.syscall === 'string'
}

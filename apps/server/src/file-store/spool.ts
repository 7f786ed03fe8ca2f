import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../kernel/errors.ts'
import { eachChunk } from './each-chunk.ts'
import { HashThread } from './hash-thread.ts'
import { HashedFile } from './hashed-file.ts'

/** Below this much free space nothing new is taken in: the database shares the disk and needs room to go on. */
const defaultReservedBytes = 64 * 1024 * 1024

/** From which announced size on a file goes past the memory of the system; smaller ones are better off there, where they are read again at once. */
const directFromBytes = 64 * 1024 * 1024

/** Bytes taken in between two looks at the free space. */
const roomCheckBytes = 64 * 1024 * 1024

export interface SpoolOptions {
  reservedBytes?: number
}

/** A file with the bytes of a stream that ended as it should. */
interface SpooledFile {
  path: string
  sha256: string
  sizeBytes: number
  discard(): Promise<void>
}

/** A folder of this machine for bytes that are on their way: taken in whole, their hash known, and gone again soon. */
export class Spool {
  readonly #folder: string
  readonly #reservedBytes: number
  readonly #thread = new HashThread()

  private constructor(folder: string, { reservedBytes = defaultReservedBytes }: SpoolOptions) {
    this.#folder = folder
    this.#reservedBytes = reservedBytes
  }

  /** The caller must be the only process that uses the folder: what another had on its way is cleaned away. */
  static async open(folder: string, options: SpoolOptions = {}): Promise<Spool> {
    // What was on its way when the service was killed is of no use to anyone.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return new Spool(folder, options)
  }

  /** Rejects when nothing can be taken in. */
  async check(): Promise<void> {
    await access(this.#folder, constants.W_OK)
    await this.requireRoom(0)
  }

  /** @throws AppError `STORAGE_FULL` */
  async requireRoom(wantedBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder)
    if (bavail * bsize < this.#reservedBytes + wantedBytes) {
      throw new AppError('STORAGE_FULL', {}, { retryAfterSeconds: 60 })
    }
  }

  /** Takes in a stream as `FileStore.receive` says. */
  async take(content: Readable, bounds: { maxBytes: number; expectedBytes?: number }): Promise<SpooledFile> {
    // A stream that breaks while no one reads it yet would otherwise end the process.
    content.on('error', () => undefined)
    const path = join(this.#folder, randomBytes(12).toString('hex'))
    const discard = () => rm(path, { force: true })
    try {
      await this.requireRoom(bounds.expectedBytes ?? 0)
      const written = await writeStream(content, path, bounds, {
        thread: this.#thread,
        requireRoom: () => this.requireRoom(0),
      })
      return { path, ...written, discard }
    } catch (error) {
      await discard()
      throw asStorageError(error)
    }
  }

  /** Removes what has not been written to since. */
  async removeAbandoned(before: Date): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const writtenAt = (await stat(path).catch(() => undefined))?.mtime
      if (writtenAt !== undefined && writtenAt < before) await rm(path, { force: true })
    }
  }
}

/** Writes a stream into a new file and onto the disk. */
export async function writeStream(
  content: Readable,
  path: string,
  { maxBytes, expectedBytes }: { maxBytes: number; expectedBytes?: number },
  { thread, requireRoom }: { thread: HashThread; requireRoom: () => Promise<void> },
): Promise<{ sha256: string; sizeBytes: number }> {
  let sizeBytes = 0
  let roomCheckAt = roomCheckBytes
  const file = await open(path, 'wx', 0o600)
  const hashed = new HashedFile(file, thread, {
    ownsChunks: isFromConnection(content),
    directPath: (expectedBytes ?? 0) >= directFromBytes ? path : undefined,
  })
  const take = (chunk: Buffer): Promise<void> | undefined => {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
    if (sizeBytes <= roomCheckAt) return hashed.add(chunk)
    roomCheckAt += roomCheckBytes
    return requireRoom().then(() => hashed.add(chunk))
  }
  try {
    await eachChunk(content, take)
    if (expectedBytes !== undefined && sizeBytes !== expectedBytes) throw incomplete(sizeBytes, expectedBytes)
    return { sha256: await hashed.finish(), sizeBytes }
  } catch (error) {
    const isBroken = content.errored !== null || (content.destroyed && !content.readableEnded)
    throw isBroken ? incomplete(sizeBytes, expectedBytes, error) : error
  } finally {
    await hashed.release()
    await file.close()
  }
}

/** The parser of HTTP hands each chunk that it read from a connection to the reader of the request alone. */
function isFromConnection(content: Readable): boolean {
  return content instanceof IncomingMessage && content.socket instanceof Socket
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { limit: maxBytes >= 1e6 ? `${maxBytes / 1e6} MB` : `${maxBytes} bytes` })
}

function incomplete(received: number, expected: number | undefined, cause?: unknown): AppError {
  return new AppError('UPLOAD_INCOMPLETE', { received, expected: expected ?? 'an unknown number of' }, { cause })
}

/** A full disk is told to the caller; so is a directory that went away or became read-only, but as our weather. */
export function asStorageError(error: unknown): unknown {
  if (error instanceof AppError) return error
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new AppError('STORAGE_FULL', {}, { cause: error, retryAfterSeconds: 60 })
    case 'ENOENT':
    case 'EROFS':
    case 'EACCES':
    case 'EIO':
      return new AppError('SERVICE_UNAVAILABLE', { why: 'nothing can be stored' }, { cause: error })
    default:
      return error
  }
}

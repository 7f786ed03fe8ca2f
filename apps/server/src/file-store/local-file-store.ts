import { createHash, randomBytes } from 'node:crypto'
import { access, constants, type FileHandle, mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../kernel/errors.ts'
import type { FileStore } from './file-store.ts'

/** Below this much free space nothing new is taken in: the database shares the disk and needs room to go on. */
const defaultReservedBytes = 64 * 1024 * 1024

/** How much is taken in between two looks at the free space. */
const roomCheckBytes = 64 * 1024 * 1024

const hashForm = /^[0-9a-f]{64}$/

/**
 * Files in a directory of this machine, spread over 256 folders by the first byte of their hash. The caller must be the
 * only process that stores here: what another had on its way would be cleaned away.
 */
export async function createLocalFileStore(
  directory: string,
  { reservedBytes = defaultReservedBytes }: { reservedBytes?: number } = {},
): Promise<FileStore> {
  const incoming = join(directory, 'incoming')
  // What was on its way when the service was killed is of no use to anyone.
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), sha256)

  async function requireRoom(wantedBytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize < reservedBytes + wantedBytes) throw new AppError('STORAGE_FULL', {}, { retryAfterSeconds: 60 })
  }

  return {
    pathOf,

    async check() {
      await access(incoming, constants.W_OK)
      await requireRoom(0)
    },

    async receive(content, bounds) {
      // A stream that breaks while no one reads it yet would otherwise end the process.
      content.on('error', () => undefined)
      const temporary = join(incoming, randomBytes(12).toString('hex'))
      const discard = () => rm(temporary, { force: true })
      try {
        await requireRoom(bounds.expectedBytes ?? 0)
        const received = await writeStream(content, temporary, bounds, () => requireRoom(0))
        const keep = () => moveDurably(temporary, pathOf(received.sha256))
        return { ...received, keep, discard }
      } catch (error) {
        await discard()
        throw asStorageError(error)
      }
    },

    async read(sha256, range) {
      const file = await open(pathOf(sha256), 'r').catch((error: unknown) => {
        throw new AppError('SERVICE_UNAVAILABLE', { why: 'the stored file cannot be read' }, { cause: error })
      })
      try {
        const { size } = await file.stat()
        return { content: file.createReadStream(range), sizeBytes: size }
      } catch (error) {
        await file.close()
        throw error
      }
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true })
    },

    async *listPages() {
      for (const folder of await readdir(directory)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue
        const names = (await readdir(join(directory, folder))).filter((name) => hashForm.test(name))
        for (let start = 0; start < names.length; start += 1000) yield names.slice(start, start + 1000)
      }
    },
  }
}

async function writeStream(
  content: Readable,
  path: string,
  { maxBytes, expectedBytes }: { maxBytes: number; expectedBytes?: number },
  requireRoom: () => Promise<void>,
): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let roomCheckAt = roomCheckBytes
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunksOf(content)) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes)
      if (sizeBytes > roomCheckAt) {
        roomCheckAt += roomCheckBytes
        await requireRoom()
      }
      hash.update(chunk)
      await writeWhole(file, chunk)
    }
    if (expectedBytes !== undefined && sizeBytes !== expectedBytes) throw incomplete(sizeBytes, expectedBytes)
    await file.sync()
  } catch (error) {
    const isBroken = content.errored !== null || (content.destroyed && !content.readableEnded)
    throw isBroken ? incomplete(sizeBytes, expectedBytes, error) : error
  } finally {
    await file.close()
  }
  return { sha256: hash.digest('hex'), sizeBytes }
}

/** The stream survives an early end of the loop: destroying a request would take its connection along, and the answer. */
function chunksOf(content: Readable): AsyncIterable<Buffer> {
  return content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** A write may take less than it was given, on a disk that is nearly full above all. */
async function writeWhole(file: FileHandle, chunk: Buffer): Promise<void> {
  let offset = 0
  while (offset < chunk.length) offset += (await file.write(chunk, offset)).bytesWritten
}

/** Renames so that neither the file nor its folder is forgotten in a power cut. */
async function moveDurably(from: string, to: string): Promise<void> {
  const folder = dirname(to)
  try {
    const isNewFolder = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined
    await rename(from, to)
    await syncDirectory(folder)
    if (isNewFolder) await syncDirectory(dirname(folder))
  } catch (error) {
    throw asStorageError(error)
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', { limit: maxBytes >= 1e6 ? `${maxBytes / 1e6} MB` : `${maxBytes} bytes` })
}

function incomplete(received: number, expected: number | undefined, cause?: unknown): AppError {
  return new AppError('UPLOAD_INCOMPLETE', { received, expected: expected ?? 'an unknown number of' }, { cause })
}

/** A full disk is told to the caller; so is a directory that went away or became read-only, but as our weather. */
function asStorageError(error: unknown): unknown {
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

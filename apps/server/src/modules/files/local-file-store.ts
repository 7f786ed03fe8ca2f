import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors.ts'
import type { FileStore } from './file-store.ts'

/** Below this much free space nothing new is taken in: the database shares the disk and needs room to go on. */
const reservedBytes = 64 * 1024 * 1024

/** Files in a directory of this machine, spread over 256 folders by the first byte of their hash. */
export async function createLocalFileStore(directory: string): Promise<FileStore> {
  const incoming = join(directory, 'incoming')
  // What was on its way when the service was killed is of no use to anyone.
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { recursive: true, mode: 0o700 })

  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), sha256)

  async function check(): Promise<void> {
    await access(incoming, constants.W_OK)
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize < reservedBytes) throw new AppError('STORAGE_FULL', {}, { retryAfterSeconds: 60 })
  }

  return {
    check,
    pathOf,

    async receive(content, { maxBytes, expectedBytes }) {
      await check()
      const temporary = join(incoming, randomBytes(12).toString('hex'))
      const hash = createHash('sha256')
      let sizeBytes = 0
      const file = await open(temporary, 'wx', 0o600)
      try {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          sizeBytes += chunk.length
          if (sizeBytes > maxBytes) {
            throw new AppError('PAYLOAD_TOO_LARGE', { limit: `${Math.round(maxBytes / 1e6)} MB` })
          }
          hash.update(chunk)
          await file.write(chunk)
        }
        if (expectedBytes !== undefined && sizeBytes !== expectedBytes) {
          throw new AppError('UPLOAD_INCOMPLETE', { received: sizeBytes, expected: expectedBytes })
        }
        await file.sync()
        await file.close()
        const sha256 = hash.digest('hex')
        const path = pathOf(sha256)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(temporary, path)
        await syncDirectory(dirname(path))
        return { sha256, sizeBytes }
      } catch (error) {
        await file.close()
        await rm(temporary, { force: true })
        throw error
      }
    },

    async read(sha256, range) {
      const path = pathOf(sha256)
      const { size } = await stat(path)
      const content: Readable = createReadStream(path, range ? { start: range.start, end: range.end } : {})
      return { content, sizeBytes: size }
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true })
    },
  }
}

/** Makes a rename last through a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

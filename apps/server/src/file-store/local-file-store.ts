import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../kernel/errors.ts'
import type { FileStore, StoredContents } from './file-store.ts'
import { HashThread } from './hash-thread.ts'
import { asStorageError, Spool, type SpoolOptions, writeStream } from './spool.ts'

const hashForm = /^[0-9a-f]{64}$/

/** Contents in a directory of this machine, where a person can find them too. */
interface LocalContents extends StoredContents {
  pathOf(sha256: string): string
}

export type LocalFileStore = FileStore & LocalContents

/** Contents in a directory of this machine, spread over 256 folders by the first byte of their hash. */
export function openLocalContents(directory: string): LocalContents {
  const pathOf = (sha256: string) => join(directory, sha256.slice(0, 2), sha256)
  const thread = new HashThread()

  async function sizeOf(sha256: string): Promise<number | undefined> {
    return (await stat(pathOf(sha256)).catch(() => undefined))?.size
  }

  async function* listPages(): AsyncIterable<string[]> {
    for (const folder of await readdir(directory).catch(() => [])) {
      if (!/^[0-9a-f]{2}$/.test(folder)) continue
      const names = (await readdir(join(directory, folder))).filter((name) => hashForm.test(name))
      for (let start = 0; start < names.length; start += 1000) yield names.slice(start, start + 1000)
    }
  }

  return {
    pathOf,
    sizeOf,

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

    async add(sha256, content) {
      const path = pathOf(sha256)
      const draft = `${path}.${randomUUID()}.draft`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        const bounds = { maxBytes: Number.POSITIVE_INFINITY }
        const written = await writeStream(content, draft, bounds, { thread, requireRoom: () => Promise.resolve() })
        if (written.sha256 !== sha256) return false
        await moveDurably(draft, path)
        return true
      } finally {
        content.destroy()
        await rm(draft, { force: true })
      }
    },

    async remove(sha256) {
      await rm(pathOf(sha256), { force: true })
    },

    listPages,

    async *listSized() {
      for await (const hashes of listPages()) {
        const sizes = await Promise.all(hashes.map(sizeOf))
        // One that was removed meanwhile is none any more.
        yield hashes.flatMap((sha256, index) => {
          const sizeBytes = sizes[index]
          return sizeBytes === undefined ? [] : { sha256, sizeBytes }
        })
      }
    },
  }
}

/**
 * The file store of a service in a directory. The caller must be the only service that stores here: what another had on its way
 * would be cleaned away.
 */
export async function createLocalFileStore(directory: string, options: SpoolOptions = {}): Promise<LocalFileStore> {
  const contents = openLocalContents(directory)
  const spool = await Spool.open(join(directory, 'incoming'), options)
  return {
    ...contents,
    signedUrl: () => undefined,
    check: () => spool.check(),

    async receive(content, bounds) {
      const { path, sha256, sizeBytes, discard } = await spool.take(content, bounds)
      return { sha256, sizeBytes, keep: () => moveDurably(path, contents.pathOf(sha256)), discard }
    },

    withLocalCopy: (sha256, work) => work(contents.pathOf(sha256)),
    removeAbandoned: (before) => spool.removeAbandoned(before),
  }
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

import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileToPrint } from '@printyard/protocol/commands'
import type { Clock } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import { downloadFile } from './download.ts'
import { FileError } from './file-error.ts'

/** A file on the hub's disk that stays there until it is released. */
export interface HeldFile {
  path: string
  sizeBytes: number
  release(): void
}

export interface FileCache {
  /**
   * Gives the file, from the disk or from the service; several callers of one file share one download. Rejects with a
   * `FileError`, or with the signal's reason.
   */
  acquire(file: FileToPrint, signal: AbortSignal): Promise<HeldFile>
}

interface FileCacheOptions {
  directory: string
  /** Files that no one holds are removed, the longest unused first, until all together are below this. */
  maxBytes: number
  serviceUrl: string
  /** See `DownloadOptions`. */
  authority?: string | undefined
  clock: Clock
  log: Log
  download?: typeof downloadFile
}

interface Stored {
  sizeBytes: number
  usedAt: number
  holders: number
}

/** Opens the cache in its directory. Files are named by their hash, unfinished ones end in `.part`. */
export async function openFileCache(options: FileCacheOptions): Promise<FileCache> {
  const { directory, maxBytes, serviceUrl, authority, clock, log, download = downloadFile } = options
  await mkdir(directory, { recursive: true })
  const stored = await scan(directory)
  const downloads = new Map<string, { done: Promise<void>; abort: AbortController; waiting: number }>()

  const makeRoom = async (neededBytes: number) => {
    let total = neededBytes
    for (const { sizeBytes } of stored.values()) total += sizeBytes
    const idle = [...stored].filter(([, { holders }]) => holders === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [name, { sizeBytes }] of idle) {
      if (total <= maxBytes) return
      stored.delete(name)
      total -= sizeBytes
      await rm(join(directory, name), { force: true })
    }
  }

  const bring = async (file: FileToPrint, signal: AbortSignal) => {
    const partPath = join(directory, `${file.sha256}.part`)
    stored.delete(`${file.sha256}.part`)
    await makeRoom(file.size_bytes)
    await download({ serviceUrl, authority, file, partPath, log }, signal)
    await rename(partPath, join(directory, file.sha256))
    const handle = await open(directory, 'r')
    await handle.sync().finally(() => handle.close())
    stored.set(file.sha256, { sizeBytes: file.size_bytes, usedAt: clock(), holders: 0 })
  }

  /** Joins the download of the file or begins it; it ends early only when no one waits for it any more. */
  const awaitDownload = (file: FileToPrint, signal: AbortSignal): Promise<void> => {
    let present = downloads.get(file.sha256)
    if (!present || present.abort.signal.aborted) {
      const abort = new AbortController()
      const earlier = present?.done.catch(() => undefined)
      const done = Promise.resolve(earlier)
        .then(() => bring(file, abort.signal))
        .finally(() => {
          if (downloads.get(file.sha256)?.abort === abort) downloads.delete(file.sha256)
        })
      done.catch(() => undefined)
      present = { done, abort, waiting: 0 }
      downloads.set(file.sha256, present)
    }
    const joined = present
    joined.waiting += 1
    return new Promise((resolve, reject) => {
      const leave = () => {
        joined.waiting -= 1
        if (joined.waiting === 0) joined.abort.abort(signal.reason)
        reject(signal.reason)
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      joined.done.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
    })
  }

  /** True when the file is there in full; one that a person shortened or removed is forgotten. */
  const isThere = async (file: FileToPrint) => {
    if (!stored.has(file.sha256)) return false
    const found = await stat(join(directory, file.sha256)).catch(() => undefined)
    if (found?.size === file.size_bytes) return true
    stored.delete(file.sha256)
    return false
  }

  return {
    async acquire(file, signal) {
      signal.throwIfAborted()
      if (!(await isThere(file))) {
        signal.throwIfAborted()
        try {
          await awaitDownload(file, signal)
        } catch (error) {
          if (error instanceof FileError || signal.aborted) throw error
          throw new FileError('FILE_STORE_FAILED', `the hub cannot store the file: ${describeError(error)}`, {
            cause: error,
          })
        }
      }
      const entry = stored.get(file.sha256)
      if (!entry) throw new FileError('FILE_STORE_FAILED', 'the file left the cache before it could be used')
      entry.holders += 1
      entry.usedAt = clock()
      const path = join(directory, file.sha256)
      // The time of use is on the disk for the next start; without it the file is only evicted earlier.
      await utimes(path, entry.usedAt / 1000, entry.usedAt / 1000).catch(() => undefined)
      let held = true
      return {
        path,
        sizeBytes: entry.sizeBytes,
        release() {
          if (!held) return
          held = false
          entry.holders -= 1
          makeRoom(0).catch((error) => log.warn('the file cache cannot be tidied', { problem: describeError(error) }))
        },
      }
    },
  }
}

async function scan(directory: string): Promise<Map<string, Stored>> {
  const stored = new Map<string, Stored>()
  for (const name of await readdir(directory)) {
    const { size, mtimeMs } = await stat(join(directory, name))
    if (/^[0-9a-f]{64}$/.test(name)) stored.set(name, { sizeBytes: size, usedAt: mtimeMs, holders: 0 })
    // An unfinished download counts and may be evicted like any other file, but is no one's to acquire.
    else if (/^[0-9a-f]{64}\.part$/.test(name)) stored.set(name, { sizeBytes: size, usedAt: mtimeMs, holders: 0 })
  }
  return stored
}

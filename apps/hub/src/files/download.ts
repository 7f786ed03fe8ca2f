import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { FileToPrint } from '@printyard/protocol/commands'
import { FOLLOWS_HEADER } from '@printyard/protocol/version'
import { createBackoff } from '../util/backoff.ts'
import { wait } from '../util/clock.ts'
import { requestOnce } from '../util/http-request.ts'
import { describeError, type Log } from '../util/log.ts'
import { trustIn } from '../util/trust.ts'
import { FileError } from './file-error.ts'

export interface DownloadOptions {
  serviceUrl: string
  /** The authority of its certificate, where that is not one that Node knows. */
  authority?: string | undefined
  file: Pick<FileToPrint, 'url_path' | 'size_bytes' | 'sha256'>
  /** File to which the bytes go; what a broken download left there is continued. */
  partPath: string
  log: Log
  /** A body that brings nothing for this long is given up and asked for again. */
  stallMs?: number
  /** Breaks in a row without a new byte, after which the file is unavailable. */
  maxFruitlessTries?: number
  firstRetryMs?: number
}

/**
 * Brings a file to `partPath`, synced to the disk and verified by size and hash. A break is continued with a range request
 * from the byte where it broke. Rejects with a `FileError`, or with the signal's reason.
 */
export async function downloadFile(options: DownloadOptions, signal: AbortSignal): Promise<void> {
  const { file, partPath, log, maxFruitlessTries = 6, firstRetryMs = 500 } = options
  const url = fileUrl(options.serviceUrl, file.url_path)
  const part = await onDisk(() => open(partPath, 'a+', 0o600))
  const backoff = createBackoff({ firstMs: firstRetryMs, maxMs: 15_000 })
  try {
    let sizeBytes = await onDisk(async () => (await part.stat()).size)
    let continued = sizeBytes > 0
    let fruitless = 0
    const way: Way = { url, canFollow: true, hasFollowed: false }
    for (;;) {
      if (sizeBytes > file.size_bytes) {
        await onDisk(() => part.truncate(0))
        sizeBytes = 0
      }
      if (sizeBytes < file.size_bytes) {
        const before = sizeBytes
        try {
          sizeBytes = await fetchFrom(way, sizeBytes, part, options, signal)
        } catch (error) {
          signal.throwIfAborted()
          if (error instanceof FileError) throw error
          // Where the hub does not reach the store, or that breaks off: the service brings the rest.
          if (way.hasFollowed) {
            way.canFollow = false
            continued = true
          }
          sizeBytes = await onDisk(async () => (await part.stat()).size)
          fruitless = sizeBytes > before ? 0 : fruitless + 1
          if (fruitless >= maxFruitlessTries) {
            throw new FileError('FILE_UNAVAILABLE', `the file could not be fetched: ${describeError(error)}`, {
              cause: error,
            })
          }
          log.info('a download broke and is continued', { at_byte: sizeBytes, problem: describeError(error) })
          await wait(backoff.next(), signal)
        }
        continue
      }
      await onDisk(() => part.sync())
      const sha256 = await hashOf(partPath, signal)
      if (sha256 === file.sha256) return
      await onDisk(() => part.truncate(0))
      sizeBytes = 0
      // What was left over from earlier may itself be the damage; the bytes of one uninterrupted visit are not.
      if (!continued && !way.hasFollowed)
        throw new FileError('FILE_CORRUPT', `the file has the hash ${sha256} instead of ${file.sha256}`)
      continued = false
      if (way.hasFollowed) Object.assign(way, { canFollow: false, hasFollowed: false })
    }
  } finally {
    await part.close()
  }
}

/** The address of a path on the service; a path that would lead to another host is refused. */
export function fileUrl(serviceUrl: string, urlPath: string): URL {
  const base = new URL(serviceUrl)
  const url = new URL(urlPath, base)
  if (url.origin !== base.origin) throw new FileError('FILE_UNAVAILABLE', 'the file is not on the service')
  return url
}

/** Way by which a file is fetched: from the service, or from the store that the service names. */
interface Way {
  url: URL
  /** True when the store may be asked: until it has failed once. */
  canFollow: boolean
  /** True when it was asked. */
  hasFollowed: boolean
}

/** Answers where a redirect of the service leads; an address that is less safe than its own is refused. */
function redirectTarget(url: URL, answer: IncomingMessage): URL {
  const target = new URL(answer.headers.location ?? '', url)
  const isAsSafe = target.protocol === 'https:' || (target.protocol === 'http:' && url.protocol === 'http:')
  if (!isAsSafe) throw new Error(`the service leads to an address with ${target.protocol} for the file`)
  return target
}

/** Appends the bytes from `start` on; answers with the new size. */
async function fetchFrom(
  way: Way,
  start: number,
  part: FileHandle,
  { file, authority, stallMs = 30_000 }: DownloadOptions,
  signal: AbortSignal,
): Promise<number> {
  const stalled = new AbortController()
  const stall = () => stalled.abort(new Error(`nothing arrived for ${stallMs} ms`))
  const timer = setTimeout(stall, stallMs)
  let answer: IncomingMessage | undefined
  try {
    const either = AbortSignal.any([signal, stalled.signal])
    const range = start > 0 ? { range: `bytes=${start}-` } : {}
    const headers = way.canFollow ? { ...range, [FOLLOWS_HEADER]: '307' } : range
    answer = await requestOnce(way.url, { headers, trust: trustIn(authority), signal: either })
    const isElsewhere = way.canFollow && answer.statusCode === 307
    if (isElsewhere) {
      way.hasFollowed = true
      const target = redirectTarget(way.url, answer)
      answer.destroy()
      answer = await requestOnce(target, { headers: range, trust: trustIn(undefined), signal: either })
    }
    const status = answer.statusCode ?? 0
    if (isElsewhere && (status < 200 || status >= 300)) throw new Error(`the store answers ${status} for the file`)
    let at = start
    if (status === 416 || (status === 200 && start > 0)) {
      await onDisk(() => part.truncate(0))
      at = 0
    }
    if (status === 416) return 0
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
      throw new FileError('FILE_UNAVAILABLE', `the service answers ${status} for the file`)
    }
    const from = status === 206 ? rangeStart(answer.headers['content-range']) : at
    if (status < 200 || status >= 300 || from !== at) throw new Error(`unexpected answer ${status}`)
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      timer.refresh()
      if (at + chunk.length > file.size_bytes) {
        if (isElsewhere) throw new Error(`the store sends more than ${file.size_bytes} bytes`)
        throw new FileError('FILE_CORRUPT', `the file is longer than ${file.size_bytes} bytes`)
      }
      await onDisk(() => part.writeFile(chunk))
      at += chunk.length
    }
    if (at < file.size_bytes) throw new Error(`the body ended at byte ${at} of ${file.size_bytes}`)
    return at
  } catch (error) {
    // What the abort does to the connection says less than why.
    throw stalled.signal.aborted && !(error instanceof FileError) ? stalled.signal.reason : error
  } finally {
    clearTimeout(timer)
    answer?.destroy()
  }
}

function rangeStart(contentRange: string | undefined): number {
  return Number(/^bytes (\d+)-/.exec(contentRange ?? '')?.[1] ?? Number.NaN)
}

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk)
  return hash.digest('hex')
}

/** Tells trouble of the own disk from trouble of the network. */
async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    throw new FileError('FILE_STORE_FAILED', `the hub cannot store the file: ${describeError(cause)}`, { cause })
  }
}

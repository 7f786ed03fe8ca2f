import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileToPrint } from '@printyard/protocol/commands'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecordedLog } from '../test/quiet-log.ts'
import { type DownloadOptions, fileUrl } from './download.ts'
import { openFileCache } from './file-cache.ts'
import { FileError } from './file-error.ts'

let directory: string
let now = 0
const downloads: string[] = []
const never = new AbortController().signal

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'printyard-files-'))
  downloads.length = 0
})
afterEach(() => rmSync(directory, { recursive: true }))

const open = (maxBytes: number) =>
  openFileCache({
    directory,
    maxBytes,
    serviceUrl: 'http://service.test',
    clock: () => ++now * 1000,
    log: createRecordedLog(),
    // What the network would bring is another file's matter; here only what the cache does with it counts.
    download: async ({ file, partPath }: DownloadOptions, signal: AbortSignal) => {
      downloads.push(file.url_path)
      await new Promise((resolve) => setTimeout(resolve, 20))
      signal.throwIfAborted()
      writeFileSync(partPath, Buffer.alloc(file.size_bytes))
    },
  })

function buildFile(name: string, size_bytes = 100): FileToPrint {
  return {
    file_version_id: name,
    name,
    url_path: `/${name}`,
    size_bytes,
    sha256: createHash('sha256').update(name).digest('hex'),
    format: 'gcode',
    archive_plate: null,
    print_time_seconds: null,
    layer_count: null,
    filament_type: null,
    nozzle_temp: null,
    bed_temp: null,
  }
}

test('the longest unused file makes room, one in use never does', async () => {
  const cache = await open(250)
  const a = await cache.acquire(buildFile('a'), never)
  const b = await cache.acquire(buildFile('b'), never)
  b.release()
  const c = await cache.acquire(buildFile('c'), never)
  expect([existsSync(a.path), existsSync(b.path), existsSync(c.path)]).toEqual([true, false, true])
})

test('files are still there after a restart, in the order of their use', async () => {
  const first = await open(250)
  for (const name of ['a', 'b', 'a']) (await first.acquire(buildFile(name), never)).release()
  const second = await open(250)
  for (const name of ['c', 'a', 'b']) (await second.acquire(buildFile(name), never)).release()
  expect(downloads).toEqual(['/a', '/b', '/c', '/b'])
})

test('callers of one file share a download, which goes on while one of them waits', async () => {
  const cache = await open(1000)
  const leaving = new AbortController()
  const first = cache.acquire(buildFile('a'), leaving.signal)
  const second = cache.acquire(buildFile('a'), never)
  const left = expect(first).rejects.toThrow('left')
  await new Promise((resolve) => setImmediate(resolve))
  leaving.abort(new Error('left'))
  await left
  expect((await second).sizeBytes).toBe(100)
  expect(downloads).toEqual(['/a'])
})

test('a file whose only caller left is fetched again by the next', async () => {
  const cache = await open(1000)
  const leaving = new AbortController()
  const first = expect(cache.acquire(buildFile('a'), leaving.signal)).rejects.toThrow('left')
  await new Promise((resolve) => setImmediate(resolve))
  leaving.abort(new Error('left'))
  await first
  expect((await cache.acquire(buildFile('a'), never)).sizeBytes).toBe(100)
  expect(downloads).toEqual(['/a', '/a'])
})

test('a file that a person shortened is fetched again', async () => {
  const cache = await open(1000)
  const held = await cache.acquire(buildFile('a'), never)
  held.release()
  truncateSync(held.path, 10)
  await cache.acquire(buildFile('a'), never)
  expect(downloads).toEqual(['/a', '/a'])
})

test.each(['//elsewhere.test/file', '/\\elsewhere.test/file'])('the path %s leads to no other host', (path) => {
  expect(() => fileUrl('http://service.test', path)).toThrow(FileError)
})

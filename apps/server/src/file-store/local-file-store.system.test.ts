import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { createLocalFileStore, type LocalFileStore } from './local-file-store.ts'

let base: string
let directory: string
let store: LocalFileStore
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'printyard-store-'))
})
afterAll(() => rm(base, { recursive: true, force: true }))
beforeEach(async () => {
  directory = await mkdtemp(join(base, 'files-'))
  store = await createLocalFileStore(directory)
})

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const incoming = () => readdir(join(directory, 'incoming'))
const streamOf = (bytes: Buffer) => Readable.from(bytes.length > 0 ? splitInChunks(bytes) : [])

function* splitInChunks(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}

async function listAll(): Promise<string[]> {
  const all: string[] = []
  for await (const page of store.listPages()) all.push(...page)
  return all
}

test('what is received is stored only once it is kept, readable whole and in part', async () => {
  const bytes = randomBytes(10_500)
  const received = await store.receive(streamOf(bytes), { maxBytes: 20_000, expectedBytes: bytes.length })
  expect(received).toMatchObject({ sha256: sha256Of(bytes), sizeBytes: bytes.length })
  expect(await listAll()).toEqual([])
  await received.keep()
  await received.discard()
  expect(await listAll()).toEqual([received.sha256])
  expect((await readFile(store.pathOf(received.sha256))).equals(bytes)).toBe(true)
  const { content, sizeBytes } = await store.read(received.sha256, { start: 100, end: 299 })
  expect(sizeBytes).toBe(bytes.length)
  expect(Buffer.concat(await content.toArray()).equals(bytes.subarray(100, 300))).toBe(true)
  expect(await incoming()).toEqual([])
})

test('what is discarded leaves nothing', async () => {
  const received = await store.receive(streamOf(randomBytes(10)), { maxBytes: 100 })
  expect(await incoming()).toHaveLength(1)
  await received.discard()
  expect(await incoming()).toEqual([])
  expect(await listAll()).toEqual([])
})

test('a stream that breaks leaves nothing and is called incomplete', async () => {
  const content = Readable.from(
    (async function* () {
      yield Buffer.alloc(500)
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('aborted')
    })(),
  )
  await expect(store.receive(content, { maxBytes: 10_000, expectedBytes: 1000 })).rejects.toMatchObject({
    code: 'UPLOAD_INCOMPLETE',
    message: expect.stringContaining('500 of 1000 bytes'),
  })
  expect(await incoming()).toEqual([])
})

test('a stream that was broken before it is read is incomplete too', async () => {
  const content = new PassThrough()
  content.write(Buffer.alloc(500))
  const receiving = store.receive(content, { maxBytes: 10_000 })
  content.destroy(new Error('aborted'))
  await expect(receiving).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
  expect(await incoming()).toEqual([])
})

test('a stream that ends early leaves nothing', async () => {
  const received = store.receive(streamOf(Buffer.alloc(999)), { maxBytes: 10_000, expectedBytes: 1000 })
  await expect(received).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
  expect(await incoming()).toEqual([])
})

test('a stream that goes on too long is left as it is, so that its reader can answer', async () => {
  const content = streamOf(Buffer.alloc(50_000))
  await expect(store.receive(content, { maxBytes: 4999 })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
  expect(content.destroyed).toBe(false)
  expect(await incoming()).toEqual([])
})

test('the same content received many times at once is stored once, whole', async () => {
  const bytes = randomBytes(200_000)
  const all = await Promise.all(Array.from({ length: 8 }, () => store.receive(streamOf(bytes), { maxBytes: 1e6 })))
  await Promise.all(all.map((received) => received.keep()))
  await Promise.all(all.map((received) => received.discard()))
  expect(await listAll()).toEqual([sha256Of(bytes)])
  expect((await readFile(store.pathOf(sha256Of(bytes)))).equals(bytes)).toBe(true)
})

test('content replaced while it is read is read to its end', async () => {
  const bytes = randomBytes(500_000)
  const keep = async () => (await store.receive(streamOf(bytes), { maxBytes: 1e6 })).keep()
  await keep()
  const { content } = await store.read(sha256Of(bytes))
  const reading = content.toArray()
  await keep()
  await store.remove(sha256Of(bytes))
  expect(Buffer.concat(await reading).equals(bytes)).toBe(true)
})

test('what is gone cannot be read, and removing it again is no error', async () => {
  await expect(store.read('0'.repeat(64))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(store.remove('0'.repeat(64))).resolves.toBeUndefined()
})

test('a receiver that is killed midway leaves only what the next start cleans away', async () => {
  const script = `
    import { PassThrough } from 'node:stream'
    import { createLocalFileStore } from ${JSON.stringify(new URL('./local-file-store.ts', import.meta.url).href)}
    const store = await createLocalFileStore(${JSON.stringify(directory)})
    const content = new PassThrough()
    void store.receive(content, { maxBytes: 1e9 })
    setInterval(() => content.write(Buffer.alloc(100000)), 5)
    setTimeout(() => console.log('under way'), 100)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await incoming()).toHaveLength(1)
  expect(await listAll()).toEqual([])
  await createLocalFileStore(directory)
  expect(await incoming()).toEqual([])
})

test('a directory that went away is our weather', async () => {
  await rm(directory, { recursive: true })
  await expect(store.check()).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(store.receive(streamOf(Buffer.alloc(1)), { maxBytes: 10 })).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
  })
})

test('nothing is started that would take the room which the database needs', async () => {
  const strict = await createLocalFileStore(directory, { reservedBytes: Number.MAX_SAFE_INTEGER })
  await expect(strict.check()).rejects.toMatchObject({ code: 'STORAGE_FULL' })
  await expect(strict.receive(streamOf(Buffer.alloc(1)), { maxBytes: 10 })).rejects.toMatchObject({
    code: 'STORAGE_FULL',
  })
})

/** Why a small file system of our own cannot be had here, or undefined when it can. */
function whyNoSmallDisk(): string | undefined {
  const probe = join(tmpdir(), `printyard-mount-${process.pid}`)
  try {
    execFileSync('mkdir', ['-p', probe])
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', probe], { stdio: 'pipe' })
    execFileSync('umount', [probe])
    return undefined
  } catch (error) {
    return `no tmpfs can be mounted: ${(error as Error).message.trim()}`
  } finally {
    execFileSync('rm', ['-rf', '--one-file-system', probe])
  }
}

test('a disk that fills up midway is told, and nothing is kept', async (context) => {
  const missing = whyNoSmallDisk()
  if (missing !== undefined) return context.skip(missing)
  const disk = join(directory, 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
  try {
    const small = await createLocalFileStore(join(disk, 'files'), { reservedBytes: 0 })
    const tooMuch = small.receive(streamOf(Buffer.alloc(3_000_000)), { maxBytes: 1e7 })
    await expect(tooMuch).rejects.toMatchObject({ code: 'STORAGE_FULL', retryAfterSeconds: 60 })
    const announced = small.receive(streamOf(Buffer.alloc(1)), { maxBytes: 1e7, expectedBytes: 3_000_000 })
    await expect(announced).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    expect(await readdir(join(disk, 'files', 'incoming'))).toEqual([])
    const bytes = randomBytes(900_000)
    const received = await small.receive(streamOf(bytes), { maxBytes: 1e7 })
    await received.keep()
    expect((await readFile(small.pathOf(received.sha256))).equals(bytes)).toBe(true)
  } finally {
    execFileSync('umount', [disk])
  }
})

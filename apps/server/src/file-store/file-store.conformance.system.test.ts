import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { isS3Installed, type S3Kind, startTestS3, type TestS3 } from '../test/services/test-s3.ts'
import type { FileStore } from './file-store.ts'
import { createLocalFileStore } from './local-file-store.ts'
import { S3Client } from './s3-client.ts'
import { createS3FileStore } from './s3-file-store.ts'

/** The smallest part that stores accept, so that few bytes are several parts. */
const partBytes = 5 * 1024 * 1024

const kinds = ['folder', 'moto', 's3rver'] as const

const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

function streamOf(bytes: Buffer): Readable {
  function* chunks() {
    for (let start = 0; start < bytes.length; start += 50_000) yield bytes.subarray(start, start + 50_000)
  }
  return Readable.from(chunks())
}

const isHere = (kind: (typeof kinds)[number]) => kind === 'folder' || isS3Installed(kind)

describe.each(kinds.filter(isHere))('a file store: %s', (kind) => {
  let s3: TestS3 | undefined
  let folder: string
  let store: FileStore

  beforeAll(async () => {
    if (kind !== 'folder') s3 = await startTestS3(kind satisfies S3Kind)
  }, 90_000)
  afterAll(() => s3?.close())
  beforeEach(async () => {
    folder = temporaryDirectory()
    store =
      s3 === undefined
        ? await createLocalFileStore(folder)
        : await createS3FileStore(new S3Client(await s3.makeBucket()), join(folder, 'incoming'), {
            partBytes,
          })
  })

  const onTheWay = () => readdir(join(folder, 'incoming'))

  async function listAll(): Promise<string[]> {
    const all: string[] = []
    for await (const page of store.listPages()) all.push(...page)
    return all.sort()
  }

  async function put(bytes: Buffer): Promise<string> {
    const received = await store.receive(streamOf(bytes), { maxBytes: 1e9, expectedBytes: bytes.length })
    await received.keep()
    await received.discard()
    return received.sha256
  }

  async function bytesOf(sha256: string, range?: { start: number; end: number }): Promise<Buffer> {
    const { content } = await store.read(sha256, range)
    return Buffer.concat(await content.toArray())
  }

  test.each([0, 1, 300_000, partBytes, 2 * partBytes + 17])(
    '%i bytes are stored under their hash, readable whole and in part',
    async (size) => {
      const bytes = randomBytes(size)
      const sha256 = await put(bytes)
      expect(sha256).toBe(sha256Of(bytes))
      expect(await store.sizeOf(sha256)).toBe(size)
      expect((await bytesOf(sha256)).equals(bytes)).toBe(true)
      if (size > 1000) {
        const { content, sizeBytes } = await store.read(sha256, { start: size - 200, end: size - 101 })
        expect(sizeBytes).toBe(size)
        expect(Buffer.concat(await content.toArray()).equals(bytes.subarray(size - 200, size - 100))).toBe(true)
      }
      const lent = await store.withLocalCopy(sha256, (path) => readFile(path))
      expect(lent.equals(bytes)).toBe(true)
      expect(await listAll()).toEqual([sha256])
      expect(await onTheWay()).toEqual([])
    },
    60_000,
  )

  test('lists name every content once, with its size', async () => {
    const sizes = new Map<string, number>()
    for (let index = 0; index < 30; index += 1) sizes.set(await put(randomBytes(100 + index)), 100 + index)
    const listed = new Map<string, number>()
    for await (const page of store.listSized()) {
      for (const { sha256, sizeBytes } of page) listed.set(sha256, sizeBytes)
    }
    expect(listed).toEqual(sizes)
    expect(await listAll()).toEqual([...sizes.keys()].sort())
  }, 30_000)

  test('removing takes away, and once more is no error', async () => {
    const sha256 = await put(Buffer.from('content'))
    await store.remove(sha256)
    await store.remove(sha256)
    expect(await store.sizeOf(sha256)).toBeUndefined()
    await expect(store.read(sha256)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await listAll()).toEqual([])
  })

  test('what another removes between receiving and keeping is there after it', async () => {
    const received = await store.receive(streamOf(Buffer.from('shared')), { maxBytes: 100 })
    await store.remove(received.sha256)
    await received.keep()
    await received.discard()
    expect((await bytesOf(received.sha256)).toString()).toBe('shared')
  })

  test('the same content received many times at once is stored once, whole', async () => {
    const bytes = randomBytes(200_000)
    const all = await Promise.all(Array.from({ length: 6 }, () => put(bytes)))
    expect(new Set(all).size).toBe(1)
    expect(await listAll()).toEqual([sha256Of(bytes)])
    expect((await bytesOf(sha256Of(bytes))).equals(bytes)).toBe(true)
  }, 30_000)

  test('a stream that breaks, ends early or goes on too long leaves nothing', async () => {
    const broken = new PassThrough()
    broken.write(Buffer.alloc(500))
    const receiving = store.receive(broken, { maxBytes: 10_000 })
    broken.destroy(new Error('aborted'))
    await expect(receiving).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
    const early = store.receive(streamOf(Buffer.alloc(999)), { maxBytes: 10_000, expectedBytes: 1000 })
    await expect(early).rejects.toMatchObject({ code: 'UPLOAD_INCOMPLETE' })
    const long = streamOf(Buffer.alloc(150_000))
    await expect(store.receive(long, { maxBytes: 4999 })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(long.destroyed).toBe(false)
    // What follows the chunk that was too much is still there.
    expect(Buffer.concat(await long.toArray())).toHaveLength(100_000)
    expect(await listAll()).toEqual([])
    expect(await onTheWay()).toEqual([])
  })

  test('a content is added only as what its hash says', async () => {
    const bytes = randomBytes(partBytes + 10)
    for (const size of [100, bytes.length]) {
      const content = bytes.subarray(0, size)
      const other = Buffer.from(content)
      other[size - 1] = (other[size - 1] ?? 0) ^ 1
      expect(await store.add(sha256Of(content), streamOf(other))).toBe(false)
      expect(await listAll()).toEqual([])
      expect(await store.add(sha256Of(content), streamOf(content))).toBe(true)
      expect((await bytesOf(sha256Of(content))).equals(content)).toBe(true)
      await store.remove(sha256Of(content))
    }
  }, 30_000)

  test('what a process left on its way is removed once it is old, and nothing younger', async () => {
    await writeFile(join(folder, 'incoming', 'left'), 'half')
    await store.removeAbandoned(new Date(Date.now() - 60_000))
    expect(await onTheWay()).toEqual(['left'])
    await store.removeAbandoned(new Date(Date.now() + 60_000))
    expect(await onTheWay()).toEqual([])
  })

  test('a store that can be written to says so', async () => {
    await expect(store.check()).resolves.toBeUndefined()
  })
})

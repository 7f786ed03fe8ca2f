import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { isS3Installed, type S3Fault, startFaultyWay, startTestS3, type TestS3 } from '../test/services/test-s3.ts'
import { claimBucket } from './claim-bucket.ts'
import type { FileStore } from './file-store.ts'
import { S3Client, type S3Target, tagsOf } from './s3-client.ts'
import { createS3FileStore } from './s3-file-store.ts'

const partBytes = 5 * 1024 * 1024
const patience = { idleMs: 2_000, tries: 3, firstPauseMs: 1 }
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Two whole parts and a short one. */
const large = randomBytes(2 * partBytes + 100)
const small = randomBytes(200_000)

describe.skipIf(!isS3Installed('moto'))('an S3 store with which things go wrong', () => {
  let s3: TestS3
  let way: Awaited<ReturnType<typeof startFaultyWay>>
  let target: S3Target
  let spool: string
  /** By the way on which things go wrong. */
  let store: FileStore
  /** By the straight way. */
  let straight: S3Client
  let faultOf: (request: { method: string; url: string }) => S3Fault | undefined = () => undefined

  beforeAll(async () => {
    s3 = await startTestS3('moto')
    way = await startFaultyWay(s3.endpoint, (request) => faultOf(request))
  }, 90_000)
  afterAll(async () => {
    await way?.close()
    await s3?.close()
  })
  beforeEach(async () => {
    faultOf = () => undefined
    target = await s3.makeBucket()
    straight = new S3Client(target)
    spool = temporaryDirectory()
    store = await createS3FileStore(new S3Client({ ...target, endpoint: way.endpoint }, patience), spool, { partBytes })
  })

  const keysStored = async () =>
    tagsOf(await straight.sendForText({ method: 'GET', query: { 'list-type': '2' } }), 'Key')
  const uploadsOpen = async () =>
    tagsOf(await straight.sendForText({ method: 'GET', query: { uploads: '' } }), 'UploadId')

  async function put(bytes: Buffer): Promise<void> {
    const received = await store.receive(Readable.from([bytes]), { maxBytes: 1e9 })
    await received.keep()
    await received.discard()
  }

  async function expectNothingStored(): Promise<void> {
    expect(await keysStored()).toEqual([])
    expect(await readdir(spool)).toEqual([])
  }

  /** The fault meets only the first so many requests of its kind. */
  function firstly(times: number, fault: S3Fault, isMet: (request: { method: string; url: string }) => boolean) {
    let left = times
    faultOf = (request) => {
      if (left === 0 || !isMet(request)) return undefined
      left -= 1
      return fault
    }
  }

  const isWrite = ({ method }: { method: string }) => method === 'PUT'
  const isCompletion = ({ method, url }: { method: string; url: string }) =>
    method === 'POST' && url.includes('uploadId')

  test.each<S3Fault>([
    { status: 503, code: 'SlowDown' },
    { status: 500, code: 'InternalError' },
    'cut request',
    'lose answer',
    'silence',
  ])(
    'a write is sent again after %o',
    async (fault) => {
      firstly(2, fault, isWrite)
      await put(large)
      faultOf = () => undefined
      expect(await store.sizeOf(sha256Of(large))).toBe(large.length)
      const { content } = await store.read(sha256Of(large))
      expect(sha256Of(Buffer.concat(await content.toArray()))).toBe(sha256Of(large))
    },
    30_000,
  )

  test.each<[S3Fault, string]>([
    [{ status: 503, code: 'SlowDown' }, 'cannot do its work'],
    [{ status: 403, code: 'InvalidAccessKeyId' }, 'does not know the access key'],
    [{ status: 403, code: 'SignatureDoesNotMatch' }, 'refuses the secret access key'],
    ['cut request', 'does not answer'],
    ['silence', 'does not answer'],
  ])(
    '%o for good is told, and nothing is half stored',
    async (fault, words) => {
      for (const bytes of [small, large]) {
        faultOf = (request) => (isWrite(request) ? fault : undefined)
        await expect(put(bytes)).rejects.toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
          retryAfterSeconds: 10,
          message: expect.stringContaining(words),
        })
        await expectNothingStored()
        expect(await uploadsOpen()).toEqual([])
      }
    },
    30_000,
  )

  test('a full store is told as one', async () => {
    faultOf = (request) => (isWrite(request) ? { status: 403, code: 'QuotaExceeded' } : undefined)
    await expect(put(small)).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    await expectNothingStored()
  })

  test('an upload whose end was done and not answered is stored', async () => {
    faultOf = (request) => (isCompletion(request) ? 'lose answer' : undefined)
    await put(large)
    expect(await keysStored()).toHaveLength(1)
    expect(await uploadsOpen()).toEqual([])
  })

  test('parts that were left by a broken upload are removed once they are old', async () => {
    faultOf = ({ method, url }) =>
      method === 'DELETE' || (method === 'PUT' && url.includes('partNumber=2')) ? 'silence' : undefined
    await expect(put(large)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    faultOf = () => undefined
    expect(await uploadsOpen()).toHaveLength(1)
    await store.removeAbandoned(new Date('2001-01-01'))
    expect(await uploadsOpen()).toHaveLength(1)
    await store.removeAbandoned(new Date('2101-01-01'))
    expect(await uploadsOpen()).toEqual([])
  }, 30_000)

  test('a read that breaks off is an error of its stream, and no short file', async () => {
    await put(large)
    faultOf = ({ method }) => (method === 'GET' ? 'cut answer' : undefined)
    const { content } = await store.read(sha256Of(large))
    await expect(content.toArray()).rejects.toThrow()
    const lent = store.withLocalCopy(sha256Of(large), async () => 'lent')
    await expect(lent).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await readdir(spool)).toEqual([])
  })

  test('readiness says what is wrong within its time', async () => {
    await expect(store.check()).resolves.toBeUndefined()
    for (const [fault, words] of [
      [{ status: 503, code: 'SlowDown' }, 'cannot do its work'],
      [{ status: 404, code: 'NoSuchBucket' }, 'bucket of the file store does not exist'],
      [{ status: 403, code: '' }, 'refuses the keys'],
      ['cut answer', 'does not answer'],
    ] as const) {
      faultOf = () => (fault === 'cut answer' ? 'lose answer' : fault)
      await expect(store.check()).rejects.toMatchObject({ message: expect.stringContaining(words) })
    }
  })

  test('a bucket belongs to the installation that claimed it', async () => {
    const [first, second] = await Promise.all([claimBucket(straight, 'one'), claimBucket(straight, 'one')])
    expect([first, second]).toEqual([{ isNew: expect.any(Boolean) }, { isNew: expect.any(Boolean) }])
    expect(await claimBucket(straight, 'one')).toEqual({ isNew: false })
    expect(await claimBucket(straight, 'other')).toMatchObject({ variable: 'S3_BUCKET' })
    const missing = new S3Client({ ...target, bucket: 'no-such-bucket' })
    expect(await claimBucket(missing, 'one')).toMatchObject({
      variable: 'S3_BUCKET',
      problem: expect.stringContaining('does not exist'),
    })
    expect(await keysStored()).toEqual(['printyard.json'])
  })
})

describe.skipIf(!isS3Installed('moto'))('an S3 store that checks signatures', () => {
  let s3: TestS3
  beforeAll(async () => {
    s3 = await startTestS3('moto', { isStrict: true })
  }, 90_000)
  afterAll(() => s3?.close())

  test('right keys do everything, wrong ones are told by their settings', async () => {
    const target = await s3.makeBucket()
    const client = new S3Client(target)
    expect(await claimBucket(client, 'one')).toEqual({ isNew: true })
    const store = await createS3FileStore(client, temporaryDirectory(), { partBytes })
    for (const bytes of [small, large]) {
      const received = await store.receive(Readable.from([bytes]), { maxBytes: 1e9 })
      const { content } = await store.read(received.sha256, { start: 10, end: 19 })
      expect(Buffer.concat(await content.toArray()).equals(bytes.subarray(10, 20))).toBe(true)
    }
    const pages = []
    for await (const page of store.listPages()) pages.push(...page)
    expect(pages).toHaveLength(2)
    await store.remove(sha256Of(small))
    expect(await store.sizeOf(sha256Of(small))).toBeUndefined()
    expect(await claimBucket(new S3Client({ ...target, secretAccessKey: 'wrong' }), 'one')).toMatchObject({
      variable: 'S3_SECRET_ACCESS_KEY',
    })
    expect(await claimBucket(new S3Client({ ...target, accessKey: 'UNKNOWN' }), 'one')).toMatchObject({
      variable: 'S3_ACCESS_KEY_ID',
    })
  }, 30_000)
})

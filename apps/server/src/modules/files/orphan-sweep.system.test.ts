import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createLocalFileStore, type LocalFileStore } from '../../file-store/local-file-store.ts'
import { S3Client } from '../../file-store/s3-client.ts'
import { createS3FileStore } from '../../file-store/s3-file-store.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { addTestFile, putBytes, readSlicedFile } from '../../test/farm/sliced-file.ts'
import { isS3Installed, startTestS3, type TestS3 } from '../../test/services/test-s3.ts'
import { removeStaleUploads } from './uploads.service.ts'

const kinds = ['folder', 'moto', 's3rver'] as const

const hourMs = 3_600_000

describe.each(kinds.filter((kind) => kind === 'folder' || isS3Installed(kind)))('contents in a store: %s', (kind) => {
  let folder: string
  let s3: TestS3 | undefined
  let t: TestApp
  let farm: TestAccount
  let now = new Date()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'printyard-sweep-'))
    if (kind !== 'folder') s3 = await startTestS3(kind)
    const files = s3
      ? await createS3FileStore(new S3Client(await s3.makeBucket()), join(folder, 'incoming'))
      : await createLocalFileStore(folder)
    // Nothing here asks for a path in a folder.
    t = await createTestApp({ context: { files: files as LocalFileStore, clock: { now: () => now } } })
  }, 90_000)
  afterAll(async () => {
    await t?.close()
    await s3?.close()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    now = new Date()
    farm = await t.account()
  })

  async function upload(bytes: Buffer): Promise<void> {
    const { token } = (await farm.request('POST', '/files/upload-url', { filename: 'a.gcode' })).json().data
    await putBytes(t, token, bytes)
  }

  /** Bytes as a process leaves them that ends between the store and the database. */
  async function leave(content: string): Promise<string> {
    const received = await t.context.files.receive(Readable.from([Buffer.from(content)]), { maxBytes: 100 })
    await received.keep()
    await received.discard()
    return received.sha256
  }

  async function uploadedHashes(): Promise<string[]> {
    const rows = await t.db.sql<{ sha256: string }[]>`
      select sha256 from uploads where account_id = ${farm.id} order by created_at, id`
    return rows.map(({ sha256 }) => sha256)
  }

  const areThere = (hashes: readonly string[]) =>
    Promise.all(hashes.map(async (sha256) => (await t.context.files.sizeOf(sha256)) !== undefined))

  test('are removed when nothing refers to them, and no others are', async () => {
    await upload(Buffer.from('referred to'))
    const referred = await uploadedHashes()
    const orphans = []
    for (let number = 0; number < 20; number += 1) orphans.push(await leave(`orphan ${number}`))
    expect(await areThere(orphans)).not.toContain(false)
    await removeStaleUploads(t.context)
    expect(await areThere(orphans)).not.toContain(true)
    expect(await areThere(referred)).toEqual([true])
    // Once more, as the next sweep does, there is nothing left to do.
    await removeStaleUploads(t.context)
    expect(await areThere(referred)).toEqual([true])
  })

  test('of uploads that expired are forgotten with them, but not those that a file needs', async () => {
    const sliced = await readSlicedFile()
    await addTestFile(t, farm, sliced)
    await upload(Buffer.from('never used'))
    await upload(sliced)
    const hashes = await uploadedHashes()
    now = new Date(now.getTime() + 3 * hourMs)
    await removeStaleUploads(t.context)
    expect(await uploadedHashes()).toEqual([])
    expect(await areThere(hashes)).toEqual([true, false, true])
  })
})

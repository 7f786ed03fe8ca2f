import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buildZip } from '@printyard/print-files/test/build-zip'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../test/farm-processes.ts'
import { readSlicedFile, startTestFarm, type TestFarm } from '../test/test-farm.ts'

let farm: TestFarm
/** A file that was there before anything went wrong. */
let formerFileId: string
beforeAll(async () => {
  farm = await startTestFarm({ isHere: true })
  formerFileId = await farm.addFile()
}, 90_000)
afterAll(() => farm?.end(), 30_000)

/** What is on its way in, and what is kept. */
async function storedFiles(): Promise<{ incoming: string[]; kept: string[] }> {
  const all = await readdir(join(farm.dataDir, 'files'), { recursive: true, withFileTypes: true })
  const files = all.filter((entry) => entry.isFile())
  const isIncoming = (entry: { parentPath: string }) => entry.parentPath.endsWith('incoming')
  return {
    incoming: files.filter(isIncoming).map((entry) => entry.name),
    kept: files
      .filter((entry) => !isIncoming(entry))
      .map((entry) => entry.name)
      .sort(),
  }
}

/** The former file prints and comes back byte for byte, and nothing but it is stored. */
async function expectNothingLost(keptBefore: string[]): Promise<void> {
  const stored = await eventually('the rest being removed', storedFiles, (now) => now.incoming.length === 0, 8_000)
  expect(stored.kept).toEqual(keptBefore)
  const download = await fetch(`${farm.service.url}/public/v1/files/${formerFileId}/content`, {
    headers: { authorization: `Bearer ${farm.key}` },
  })
  expect(download.status).toBe(200)
  expect(Buffer.from(await download.arrayBuffer()).equals(Buffer.from(await readSlicedFile()))).toBe(true)
}

/** Speaks HTTP by hand: sends a head that announces more bytes than follow, then ends as told. Answers what came back. */
function putHalf(token: string, announcedBytes: number, bytes: Buffer, end: 'destroy' | 'end'): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(farm.service.port, '127.0.0.1')
    let answer = ''
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer within 10 s')))
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
    socket.write(
      `PUT /public/v1/files/upload/${token} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${announcedBytes}\r\n\r\n`,
    )
    socket.write(bytes, () => {
      if (end === 'end') socket.end()
      // A moment later, so that the service has started to write.
      else setTimeout(() => socket.destroy(), 200)
    })
  })
}

test('an upload that breaks off leaves nothing behind, and its address takes the whole file afterwards', async () => {
  const { kept } = await storedFiles()
  const token = await farm.openUpload()
  const bytes = Buffer.from(await readSlicedFile())
  await putHalf(token, bytes.length, bytes.subarray(0, bytes.length / 2), 'destroy')
  await expectNothingLost(kept)
  const early = await farm.request('POST', '/files', { upload_token: token })
  expect(early).toMatchObject({ status: 400, body: { error: { code: 'FILE_NOT_UPLOADED' } } })

  expect((await farm.put(token, new Uint8Array(bytes))).status).toBe(200)
  const added = await farm.ask<{ id: string }>(201, 'POST', '/files', { upload_token: token })
  await farm.ask(201, 'POST', '/jobs', { print_file_id: added.id })
})

test('a Content-Length that promises more than comes is answered with 400, and nothing is kept', async () => {
  const { kept } = await storedFiles()
  const token = await farm.openUpload()
  const answer = await putHalf(token, 100_000, Buffer.alloc(50_000, 'G1 X1\n'), 'end')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  await expectNothingLost(kept)
})

test.each([
  ['fewer', -1, 400, 'UPLOAD_INCOMPLETE'],
  ['more', +1, 413, 'PAYLOAD_TOO_LARGE'],
])('%s bytes than were announced are refused, and nothing is kept', async (_, difference, status, code) => {
  const { kept } = await storedFiles()
  const token = await farm.openUpload({ size_bytes: 5_000 })
  const put = await farm.put(token, new Uint8Array(5_000 + difference).fill(71))
  expect(put).toMatchObject({ status, body: { error: { code } } })
  await expectNothingLost(kept)
})

test.each([
  ['no print file', new Uint8Array(Buffer.from('%PDF-1.7 this is an invoice\n'.repeat(100)))],
  ['an archive that unpacks to far more than it is', zipBomb()],
  ['an archive that is cut off', zipBomb().slice(0, -30)],
  ['nothing but zeros', new Uint8Array(100_000)],
])('%s is refused as INVALID_FILE and removed; the address takes a right one', async (_, bytes) => {
  const { kept } = await storedFiles()
  const token = await farm.openUpload({ filename: 'thing.3mf' })
  expect((await farm.put(token, bytes)).status).toBe(200)
  const refused = await farm.request('POST', '/files', { upload_token: token })
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FILE' } } })
  await expectNothingLost(kept)
  expect((await farm.put(token, await readSlicedFile())).status).toBe(200)
  await farm.ask(201, 'POST', '/files', { upload_token: token })
})

test('an upload address that is wrong, used or expired takes nothing', async () => {
  const { kept } = await storedFiles()
  const refusal = { status: 404, body: { error: { code: 'UPLOAD_TOKEN_INVALID' } } }
  const bytes = await readSlicedFile()
  expect(await farm.put('0'.repeat(64), bytes)).toMatchObject(refusal)

  const used = await farm.openUpload()
  await farm.put(used, bytes)
  await farm.ask(201, 'POST', '/files', { upload_token: used })
  expect(await farm.put(used, bytes)).toMatchObject(refusal)
  const again = await farm.request('POST', '/files', { upload_token: used })
  expect(again).toMatchObject({ status: 400, body: { error: { code: 'FILE_NOT_UPLOADED' } } })

  const expired = await farm.openUpload()
  await expireOpenUploads()
  expect(await farm.put(expired, bytes)).toMatchObject(refusal)
  await expectNothingLost(kept)
})

/** An hour passes, for the addresses that nothing was uploaded to. */
async function expireOpenUploads(): Promise<void> {
  if (!farm.db) throw new Error('the farm has no database of the tests')
  const rows = await farm.db.sql`
    update uploads set expires_at = now() - interval '1 second'
    where account_id = ${farm.accountId} and sha256 is null returning id`
  expect(rows.length).toBeGreaterThan(0)
}

function zipBomb(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buildZip([{ name: 'Metadata/plate_1.gcode', bytes: Buffer.alloc(32 * 1024 * 1024, ';') }]))
}

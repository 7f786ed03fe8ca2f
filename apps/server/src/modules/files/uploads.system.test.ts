import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLocalFileStore } from '../../file-store/local-file-store.ts'
import { destroyWhenStalled } from '../../http/request/stalled-bodies.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { putBytes, readSlicedFile } from '../../test/farm/sliced-file.ts'

const maxBytes = 2_000_000

let t: TestApp
let farm: TestAccount
let now: Date
let port: number
beforeAll(async () => {
  now = new Date()
  t = await createTestApp({ config: { maxFileMb: 2 }, context: { clock: { now: () => now } } })
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  port = (t.app.server.address() as AddressInfo).port
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await t.account()
})

async function makeAddress(body: object = {}): Promise<{ token: string; upload_url: string }> {
  return (await farm.request('POST', '/files/upload-url', { filename: 'a.gcode', ...body })).json().data
}

/** The rows of this account's uploads. */
async function listUploads() {
  return t.db.sql<{ state: string; sha256: string | null; size_bytes: number | null }[]>`
    select state, sha256, size_bytes from uploads where account_id = ${farm.id} order by created_at, id`
}

const incoming = () => readdir(join(t.context.config.dataDir, 'files', 'incoming'))

/** A PUT whose body the test writes piece by piece. */
function startPut(token: string, headers: Record<string, string | number>) {
  const client: ClientRequest = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'PUT',
    path: `/public/v1/files/upload/${token}`,
    headers,
    agent: false,
  })
  const answered = new Promise<{ status: number; code: string | undefined }>((resolve, reject) => {
    client.on('error', reject)
    client.on('response', (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode as number, code: JSON.parse(text).error?.code }))
    })
  })
  return { client, answered }
}

describe('an upload address', () => {
  test('is whole, hard to guess, kept as a hash, and lives for an hour', async () => {
    const answer = await farm.request('POST', '/files/upload-url', { filename: 'a.gcode.3mf', size_bytes: 5 })
    expect(answer.statusCode).toBe(201)
    const { token, ...rest } = answer.json().data
    expect(token).toMatch(/^[0-9a-f]{64}$/)
    expect(rest).toEqual({
      file_id: expect.stringMatching(/^fil_/),
      filename: 'a.gcode.3mf',
      content_type: 'application/octet-stream',
      upload_token: token,
      storage_key: `${token}/a.gcode.3mf`,
      expires_in: 3600,
      upload_url: `http://localhost:80/public/v1/files/upload/${token}`,
      expires_at: new Date(now.getTime() + 3_600_000).toISOString(),
      max_bytes: maxBytes,
    })
    const [row] = await t.db.sql`select * from uploads where account_id = ${farm.id}`
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('begins with the public address of the service when there is one', async () => {
    const proxied = await createTestApp({ config: { publicUrl: 'https://farm.example' } })
    const account = await proxied.account()
    const answer = await account.request('POST', '/files/upload-url', { filename: 'a.3mf' })
    expect(answer.json().data.upload_url).toMatch(/^https:\/\/farm\.example\/public\/v1\/files\/upload\/[0-9a-f]{64}$/)
    await proxied.close()
  })

  test.each(['part.GCODE', 'a b.gco', 'x.g', 'x.3mf', 'x.bgcode', 'x.ufp', 'x.stl', 'x.obj', 'x.amf', 'Größe.gcode'])(
    'is made for %s',
    async (filename) => {
      expect((await farm.request('POST', '/files/upload-url', { filename })).statusCode).toBe(201)
    },
  )

  test.each([
    [{ filename: 'x.exe' }, 'filename'],
    [{ filename: '.gcode' }, 'filename'],
    [{ filename: 'gcode' }, 'filename'],
    [{ filename: '../x.gcode' }, 'filename'],
    [{ filename: 'a\\x.gcode' }, 'filename'],
    [{ filename: 'a\nb.gcode' }, 'filename'],
    [{ filename: `${'a'.repeat(250)}.gcode` }, 'filename'],
    [{ filename: '' }, 'filename'],
    [{}, 'filename'],
    [{ filename: 'x.gcode', size_bytes: 0 }, 'size_bytes'],
    [{ filename: 'x.gcode', size_bytes: 1.5 }, 'size_bytes'],
    [{ filename: 'x.gcode', size_bytes: maxBytes + 1 }, 'size_bytes'],
  ])('is not made for %j', async (body, field) => {
    const answer = await farm.request('POST', '/files/upload-url', body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual([field])
  })
})

describe('sending bytes', () => {
  test.each(['application/json', 'text/plain', 'application/octet-stream', 'not a type', ''])(
    'works with the content type "%s"',
    async (type) => {
      const { token } = await makeAddress()
      const answer = await putBytes(t, token, Buffer.from('{"not json'), { 'content-type': type })
      expect(answer.json()).toEqual({ success: true, data: { size_bytes: 10 } })
      expect(await listUploads()).toMatchObject([{ state: 'received', size_bytes: 10 }])
    },
  )

  test.each([
    ['of the right form', '0'.repeat(64)],
    ['that is too short', 'x'],
    ['that is endless', 'a'.repeat(5000)],
  ])('to an unknown address %s is refused', async (_form, token) => {
    const answer = await putBytes(t, token, Buffer.from('x'))
    expect(answer.statusCode).toBe(404)
  })

  test('is refused when the address has expired', async () => {
    const { token } = await makeAddress()
    const before = now
    now = new Date(before.getTime() + 3_600_000)
    const answer = await putBytes(t, token, Buffer.from('x'))
    now = before
    expect(answer.json().error.code).toBe('UPLOAD_TOKEN_INVALID')
  })

  test('is refused after its hour also where bytes that came late may still be used', async () => {
    const start = now
    try {
      const { token } = await makeAddress()
      now = new Date(start.getTime() + 55 * 60_000)
      expect((await putBytes(t, token, await readSlicedFile())).statusCode).toBe(200)
      now = new Date(start.getTime() + 61 * 60_000)
      const again = await putBytes(t, token, await readSlicedFile())
      expect([again.statusCode, again.json().error.code]).toEqual([404, 'UPLOAD_TOKEN_INVALID'])
      expect((await farm.request('POST', '/files', { upload_token: token })).statusCode).toBe(201)
    } finally {
      now = start
    }
  })

  test('refuses no bytes at all', async () => {
    const { token } = await makeAddress()
    for (const headers of [{}, { 'content-length': '0' }, { 'transfer-encoding': 'chunked' }]) {
      const put = startPut(token, headers)
      put.client.end()
      expect(await put.answered).toEqual({ status: 400, code: 'VALIDATION_ERROR' })
    }
    expect(await listUploads()).toMatchObject([{ state: 'open' }])
    expect(await incoming()).toEqual([])
  })

  test('refuses more than is allowed before the first byte, and the client reads why', async () => {
    const { token } = await makeAddress()
    const put = startPut(token, { 'content-length': maxBytes + 1 })
    put.client.flushHeaders()
    expect(await put.answered).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    put.client.destroy()
  })

  test('refuses more than is allowed by counting, and the client reads why while it still sends', async () => {
    const { token } = await makeAddress()
    const put = startPut(token, { 'transfer-encoding': 'chunked' })
    for (let sent = 0; sent <= 4 * maxBytes; sent += 500_000) put.client.write(Buffer.alloc(500_000))
    expect(await put.answered).toEqual({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    put.client.destroy()
    expect(await incoming()).toEqual([])
  })

  test('refuses more or less than was announced with the address', async () => {
    const { token } = await makeAddress({ size_bytes: 10 })
    expect((await putBytes(t, token, Buffer.alloc(11))).json().error.code).toBe('PAYLOAD_TOO_LARGE')
    expect((await putBytes(t, token, Buffer.alloc(9))).json().error.code).toBe('UPLOAD_INCOMPLETE')
    expect((await putBytes(t, token, Buffer.alloc(10))).statusCode).toBe(200)
  })

  test('keeps nothing when the client breaks off', async () => {
    const { token } = await makeAddress()
    const put = startPut(token, { 'content-length': 1_000_000 })
    put.client.write(Buffer.alloc(300_000))
    await vi.waitFor(async () => expect(await incoming()).toHaveLength(1))
    put.client.destroy()
    await expect(put.answered).rejects.toThrow()
    await vi.waitFor(async () => expect(await incoming()).toEqual([]))
    expect(await listUploads()).toMatchObject([{ state: 'open', sha256: null }])
  })

  test('again replaces what was sent before, whose bytes are removed', async () => {
    const { token } = await makeAddress()
    await putBytes(t, token, Buffer.from('first'))
    const [first] = await listUploads()
    await putBytes(t, token, Buffer.from('second'))
    const [second] = await listUploads()
    expect(second).toMatchObject({ state: 'received', size_bytes: 6 })
    expect(existsSync(t.context.files.pathOf(first?.sha256 as string))).toBe(false)
    expect(existsSync(t.context.files.pathOf(second?.sha256 as string))).toBe(true)
  })

  test('again leaves the bytes before when another person refers to them', async () => {
    const [mine, theirs] = [await makeAddress(), await makeAddress()]
    await putBytes(t, mine.token, Buffer.from('shared'))
    await putBytes(t, theirs.token, Buffer.from('shared'))
    const [row] = await listUploads()
    await putBytes(t, mine.token, Buffer.from('other'))
    expect(existsSync(t.context.files.pathOf(row?.sha256 as string))).toBe(true)
  })

  test('twice at the same time leaves one of the two, whole', async () => {
    const { token } = await makeAddress()
    const contents = [Buffer.alloc(200_000, 'a'), Buffer.alloc(300_000, 'b')]
    const puts = contents.map((content) => {
      const put = startPut(token, { 'content-length': content.length })
      put.client.write(content.subarray(0, 100_000))
      return { ...put, rest: content.subarray(100_000) }
    })
    await vi.waitFor(async () => expect(await incoming()).toHaveLength(2))
    for (const put of puts) put.client.end(put.rest)
    for (const put of puts) expect((await put.answered).status).toBe(200)
    const [row] = await listUploads()
    const { size: sizeBytes } = await stat(t.context.files.pathOf(row?.sha256 as string))
    expect(contents.map((content) => content.length)).toContain(sizeBytes)
    expect(row?.size_bytes).toBe(sizeBytes)
    expect(await incoming()).toEqual([])
  })

  test('that ends after the upload was used changes nothing', async () => {
    const sliced = await readSlicedFile()
    const { token } = await makeAddress()
    await putBytes(t, token, sliced)
    const late = startPut(token, { 'content-length': 200_000 })
    late.client.write(Buffer.alloc(100_000))
    await vi.waitFor(async () => expect(await incoming()).toHaveLength(1))
    expect((await farm.request('POST', '/files', { upload_token: token })).statusCode).toBe(201)
    late.client.end(Buffer.alloc(100_000))
    expect(await late.answered).toEqual({ status: 404, code: 'UPLOAD_TOKEN_INVALID' })
    expect(await incoming()).toEqual([])
  })

  test('is refused when there is no room', async () => {
    const full = await createTestApp()
    const account = await full.account()
    const { token } = (await account.request('POST', '/files/upload-url', { filename: 'a.gcode' })).json().data
    const strict = await createLocalFileStore(join(full.context.config.dataDir, 'strict'), {
      reservedBytes: Number.MAX_SAFE_INTEGER,
    })
    Object.assign(full.context.files, { receive: strict.receive })
    const answer = await putBytes(full, token, Buffer.from('x'))
    await full.close()
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('60')
    expect(answer.json().error.code).toBe('STORAGE_FULL')
  })
})

describe('a stalled upload', () => {
  test('is ended, one that brings enough is not', async () => {
    const stalled = new PassThrough()
    stalled.on('error', () => undefined)
    const busy = new PassThrough().resume()
    let count = 0
    destroyWhenStalled(stalled, () => 0, 20)
    destroyWhenStalled(busy, () => (count += 100_000), 20)
    await vi.waitFor(() => expect(stalled.errored?.message).toContain('fewer than 65536 bytes'))
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(busy.destroyed).toBe(false)
    busy.end()
  })

  test('is not ended while it is we who are slow', async () => {
    const unread = new PassThrough()
    unread.write(Buffer.alloc(10))
    destroyWhenStalled(unread, () => 0, 10)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(unread.destroyed).toBe(false)
    unread.destroy()
  })
})

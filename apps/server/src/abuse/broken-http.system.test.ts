import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'

let t: TestApp
let account: TestAccount
beforeAll(async () => {
  t = await createTestApp()
  account = await t.account()
  await t.app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => t?.close())

/** Sends these bytes and reads until the service closes the connection. */
async function exchange(bytes: string): Promise<{ status: number; head: string; body: string }> {
  const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  // The service may close while we still send.
  socket.on('error', () => undefined)
  socket.write(Buffer.from(bytes, 'latin1'))
  await once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
  const end = text.indexOf('\r\n\r\n')
  return { status: Number(text.slice(9, 12)), head: text.slice(0, end), body: text.slice(end + 4) }
}

const key = () => `Authorization: Bearer ${account.key}\r\n`
const closing = 'Host: localhost\r\nConnection: close\r\n'

const broken: Record<string, () => string> = {
  'no HTTP at all': () => 'hello?\r\n\r\n',
  'the beginning of TLS': () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'an unknown method': () => `BREW /public/v1/jobs HTTP/1.1\r\n${closing}\r\n`,
  'a path with a raw byte': () => `GET /public/v1/jobs/\xff\x00 HTTP/1.1\r\n${closing}\r\n`,
  'a path with a space': () => `GET /public/v1/jobs/a b HTTP/1.1\r\n${closing}\r\n`,
  'a header without a name': () => `GET /public/v1/jobs HTTP/1.1\r\n${closing}: x\r\n\r\n`,
  'a header with NUL': () => `GET /public/v1/jobs HTTP/1.1\r\n${closing}X-A: a\0b\r\n\r\n`,
  'headers of 20 kB': () => `GET /public/v1/jobs HTTP/1.1\r\n${closing}X-A: ${'x'.repeat(20_000)}\r\n\r\n`,
  'a path of 20 kB': () => `GET /public/v1/jobs?search=${'x'.repeat(20_000)} HTTP/1.1\r\n${closing}\r\n`,
  'two lengths': () =>
    `POST /public/v1/jobs HTTP/1.1\r\n${closing}${key()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
  'a length and chunks': () =>
    `POST /public/v1/jobs HTTP/1.1\r\n${closing}${key()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': () => `POST /public/v1/jobs HTTP/1.1\r\n${closing}${key()}Content-Length: -1\r\n\r\n{}`,
  'a broken chunk': () =>
    `POST /public/v1/jobs HTTP/1.1\r\n${closing}${key()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
  'no host': () => 'GET /public/v1/jobs HTTP/1.1\r\nConnection: close\r\n\r\n',
  'an expectation no one can meet': () => `GET /public/v1/jobs HTTP/1.1\r\n${closing}Expect: a miracle\r\n\r\n`,
  'an address that is not escaped properly': () => `GET /public/v1/jobs/%zz HTTP/1.1\r\n${closing}${key()}\r\n`,
}

test.each(Object.keys(broken))('%s is refused in the envelope, with a request id', async (name) => {
  const { status, head, body } = await exchange(broken[name]?.() ?? '')
  expect(status, head).toBeGreaterThanOrEqual(400)
  expect(status, head).toBeLessThan(500)
  expect(head).toMatch(/^x-request-id: [\w-]{36}\r?$/im)
  expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: expect.any(String) } })
})

test('a body shorter than announced is never acted on', async () => {
  const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
  const body = JSON.stringify({ title: 'Half', task_type: 'collection' })
  socket.write(
    `POST /public/v1/worklist HTTP/1.1\r\n${closing}${key()}Content-Type: application/json\r\nContent-Length: ${body.length + 10}\r\n\r\n${body}`,
  )
  socket.end()
  socket.resume()
  await once(socket, 'close', { signal: AbortSignal.timeout(20_000) })
  expect((await account.request('GET', '/worklist')).json().data).toEqual([])
})

test.each(['worklist', 'jobs/job_x/resume'])('a body nested 200,000 deep is refused at /%s', async (path) => {
  const [open, close] = [200_000, 200_000].map((times, index) => '[]'.charAt(index).repeat(times))
  const answer = await account.request('POST', `/${path}`, `${open}${close}`, { 'idempotency-key': 'deep' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { _root: ['must not be nested deeper than 50 levels'] },
  })
})

test('a DELETE with a body is what it is without', async () => {
  const made = await account.request('POST', '/worklist', { title: 'Sweep', task_type: 'maintenance' })
  const { id } = made.json().data
  const answer = await account.request('DELETE', `/worklist/${id}`, 'no JSON', { 'content-type': 'text/plain' })
  expect(answer.statusCode).toBe(200)
})

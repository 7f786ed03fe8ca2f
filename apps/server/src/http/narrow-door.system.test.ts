import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { appForAllTests } from '../test/app/app-hooks.ts'

const t = appForAllTests()

describe('a caller who is not known', () => {
  test.each([
    '/app/v1/sign-in',
    '/app/v1/setup',
    '/app/v1/password/forgot',
    '/app/v1/password/reset',
    '/app/v1/invitations/look',
    '/app/v1/invitations/accept',
    '/hub/v1/join',
  ])('is read 16 KiB at most at %s', async (url) => {
    const body = JSON.stringify({ code: 'x'.repeat(17 * 1024) })
    const answer = await t.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', origin: 'http://localhost:80', host: 'localhost:80' },
      body,
    })
    expect(answer.statusCode).toBe(413)
    expect(answer.json().error.message).toContain('16 KiB')
  })

  test('is told how to sign in', async () => {
    const answer = await t.app.inject('/public/v1/printers')
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Printyard"'])
  })
})

describe('a list that is too long', () => {
  test('is refused in a moment and with a short answer', async () => {
    const { key } = await t.account()
    const before = process.threadCpuUsage()
    const answer = await t.app.inject({
      method: 'POST',
      url: '/public/v1/jobs/bulk',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: `{"jobs":[${'{},'.repeat(259_999)}{}]}`,
    })
    // Of the processor: others may use it meanwhile.
    const { user, system } = process.threadCpuUsage(before)
    expect(answer.statusCode).toBe(400)
    expect((user + system) / 1000).toBeLessThan(250)
    expect(answer.body.length).toBeLessThan(500)
  })
})

describe('the API document', () => {
  const ask = (headers: Record<string, string> = {}) => t.app.inject({ url: '/public/v1/openapi.json', headers })

  test('is sent compressed to those who take it so', async () => {
    const plain = await ask()
    const small = await ask({ 'accept-encoding': 'br, gzip;q=0.8' })
    const refused = await ask({ 'accept-encoding': 'gzip;q=0' })
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 8)
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('is not sent again to those who have it', async () => {
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const { etag } = (await ask(headers)).headers
      const again = await ask({ ...headers, 'if-none-match': String(etag) })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
  })
})

test('an address that names nothing says so, and speaks of no ID', async () => {
  const answer = await t.app.inject('/public/v1/nothing')
  expect(answer.json().error).toEqual({
    code: 'NOT_FOUND',
    message: 'Nothing is at this address; the API is described at /docs.',
  })
})

describe('a request that offers another protocol', () => {
  let port: number
  beforeAll(async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    port = (t.app.server.address() as AddressInfo).port
  })

  async function offer(
    path: string,
    upgrade: string,
    body = '',
  ): Promise<{ status: number | undefined; body: string }> {
    const asked = request({
      port,
      path,
      method: body === '' ? 'GET' : 'POST',
      headers: { connection: 'Upgrade, HTTP2-Settings', upgrade, 'http2-settings': 'AAEAAEAAAAIAAAAA' },
    })
    asked.end(body)
    const [answer] = await once(asked, 'response')
    return { status: answer.statusCode, body: await text(answer) }
  }

  test('is answered in HTTP/1.1, as the client of a JDK expects that offers h2c each time', async () => {
    expect(await offer('/livez', 'h2c')).toEqual({ status: 200, body: '{"status":"alive"}' })
    expect((await offer('/public/v1/printers', 'h2c')).status).toBe(401)
    expect((await offer('/public/v1/jobs', 'h2c', '{}')).status).toBe(401)
    expect((await offer('/hub/v1/connect', 'h2c')).status).toBe(404)
  })

  test('as a WebSocket is answered the same, unless it comes to the address of hubs', async () => {
    expect((await offer('/livez', 'websocket')).status).toBe(200)
    expect((await offer('/hub/v1/connect', 'websocket')).status).toBe(426)
  })
})

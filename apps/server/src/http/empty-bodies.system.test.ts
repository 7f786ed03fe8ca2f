import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { farmForAllTests } from '../test/app/app-hooks.ts'
import { routes } from '../test/app/walked-routes.ts'
import { addProduct } from '../test/farm/test-catalogue.ts'

const { t, farm } = farmForAllTests()

/** Over a real connection, because the form of an empty body is one of the wire. */
async function send(method: string, path: string, headers: Record<string, string>, body = '') {
  const outgoing = httpRequest(`${t.app.listeningOrigin}/public/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${farm.account.key}`, ...headers },
    agent: false,
  })
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of incoming) text += chunk
  return { status: incoming.statusCode ?? 0, code: JSON.parse(text).error?.code as string | undefined, text }
}

const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/json', 'not a type', '', undefined]
const lengths = [{ 'content-length': '0' }, { 'transfer-encoding': 'chunked' }] as const
const emptyBodies = types.flatMap((type) =>
  lengths.map((length) => ({ ...(type !== undefined && { 'content-type': type }), ...length })),
)
const actions = routes.filter(([method, , scope, body]) => method === 'POST' && scope !== null && body === undefined)

/** A head that tells of no body at all, as curl sends it: no client library of Node leaves out the length of a POST. */
async function sendHead(method: string, path: string, headers: Record<string, string>) {
  const { hostname, port } = new URL(t.app.listeningOrigin)
  const sent = { host: hostname, connection: 'close', authorization: `Bearer ${farm.account.key}`, ...headers }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(Number(port), hostname)
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  const end = AbortSignal.timeout(20_000)
  end.addEventListener('abort', () => socket.destroy(new Error('no answer came')))
  let text = ''
  for await (const chunk of socket) text += chunk
  return { status: Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1]), code: /"code":"(\w+)"/.exec(text)?.[1] }
}

describe('an action', () => {
  test.each(['/jobs/unknown/pause', '/printers/unknown/control'])('%s needs no body to be told of', async (path) => {
    const plain = await send('POST', path, { 'content-length': '0' })
    for (const type of types) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const { status, code } = await sendHead('POST', `/public/v1${path}`, headers)
      expect({ type, status, code }).toEqual({ type, status: plain.status, code: plain.code })
    }
  })

  test.each(actions.map(([, path]) => path))('%s takes an empty body of any type for none', async (path) => {
    const target = path.replaceAll(/:\w+/g, 'unknown')
    const plain = await send('POST', target, { 'content-length': '0' })
    for (const headers of emptyBodies) {
      const { status, code } = await send('POST', target, headers)
      expect({ headers, status, code }).toEqual({ headers, status: plain.status, code: plain.code })
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await send('POST', target, form, 'a=b')).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
    const chunked = { 'content-type': 'not a type', 'transfer-encoding': 'chunked' }
    expect(await send('POST', target, chunked, 'a=b')).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' })
  })

  test('takes place for a client that names the type of a form with every request', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
    const jobId = await farm.queueJob()
    await farm.print(jobId)
    expect(await send('POST', `/jobs/${jobId}/pause`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/resume`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/stop`, headers)).toMatchObject({ status: 200 })
    expect(await send('POST', `/jobs/${jobId}/retry`, headers)).toMatchObject({ code: 'JOB_STATE_CHANGED' })
  })
})

test('what needs a body says which fields it misses when the body is empty', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' }
  const control = `/printers/${farm.printerId}/control`
  expect(await send('POST', control, headers)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
})

test('what is given a file says so when none comes, whatever its type', async () => {
  const { upload_url } = (await farm.account.request('POST', '/files/upload-url', { filename: 'a.gcode' })).json().data
  const { id: productId } = await addProduct(farm.account)
  const form = { 'content-type': 'multipart/form-data; boundary=x' }
  const upload = new URL(upload_url, t.app.listeningOrigin).pathname
  const invalid = { status: 400, code: 'VALIDATION_ERROR' }
  expect(await sendHead('PUT', upload, {})).toEqual(invalid)
  expect(await sendHead('POST', `/public/v1/products/${productId}/images`, form)).toEqual(invalid)
  expect(await sendHead('POST', '/octoprint/api/files/local', form)).toEqual(invalid)
  expect(await sendHead('PUT', '/prusalink/api/v1/files/local/part.gcode', form)).toMatchObject({ status: 400 })
  const json = { 'content-type': 'application/json' }
  expect(await sendHead('POST', '/shop-hooks/shop_unknown', json)).toEqual({ status: 404, code: 'NOT_FOUND' })
  expect(await sendHead('POST', '/public/v1/unknown', json)).toEqual({ status: 404, code: 'NOT_FOUND' })
})

import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { addTestFile, readSlicedFile } from '../test/farm/sliced-file.ts'

let port: number
const { t, account } = accountForAllTests()
beforeAll(async () => {
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  port = (t.app.server.address() as AddressInfo).port
})

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  const asked = request({ port, path, method, headers: { authorization: `Bearer ${account.key}`, ...headers } })
  asked.end()
  const [answer] = await once(asked, 'response')
  return { status: answer.statusCode as number, headers: answer.headers, body: await text(answer) }
}

describe('HEAD', () => {
  test('answers as GET does, without the body', async () => {
    const { data } = (await account.request('POST', '/products', { name: 'Clip' })).json()
    for (const path of [
      '/public/v1/products',
      `/public/v1/products/${data.id}`,
      '/public/v1/openapi.json',
      '/livez',
      '/docs',
    ]) {
      const got = await ask('GET', path)
      const head = await ask('HEAD', path)
      expect([path, head.status, head.body]).toEqual([path, 200, ''])
      expect([path, head.headers['content-length'], head.headers.etag]).toEqual([
        path,
        got.headers['content-length'],
        got.headers.etag,
      ])
    }
  })

  test('is refused as GET would be, and answers 304 to those who have it', async () => {
    expect((await ask('HEAD', '/public/v1/products', { authorization: '' })).status).toBe(401)
    expect((await ask('HEAD', '/public/v1/products/prd_none')).status).toBe(404)
    const { etag } = (await ask('HEAD', '/public/v1/openapi.json')).headers
    expect((await ask('HEAD', '/public/v1/openapi.json', { 'if-none-match': String(etag) })).status).toBe(304)
  })

  test('is taken wherever GET is, but of what is a stream', async () => {
    const { paths } = (await t.app.inject('/public/v1/openapi.json')).json<{
      paths: Record<string, { get?: object }>
    }>()
    const urls = Object.keys(paths).filter((path) => paths[path]?.get !== undefined)
    expect(urls.length).toBeGreaterThan(80)
    const refused: string[] = []
    for (const path of urls) {
      const { status } = await ask('HEAD', path.replaceAll(/\{\w+\}/g, 'none'))
      if (status === 405) refused.push(path)
    }
    expect(refused).toEqual(['/public/v1/events/stream'])
  })

  test('tells the length of a file without reading it', async () => {
    const content = await readSlicedFile()
    const { id } = await addTestFile(t, account, content)
    const { read } = t.context.files
    const opened: Readable[] = []
    const reading = vi.spyOn(t.context.files, 'read').mockImplementation(async (...asked) => {
      const stored = await read(...asked)
      opened.push(stored.content)
      return stored
    })
    const head = await ask('HEAD', `/public/v1/files/${id}/content`)
    reading.mockRestore()
    expect([head.status, head.headers['content-length'], head.body]).toEqual([200, String(content.length), ''])
    expect(opened.map(({ destroyed, readableDidRead }) => [destroyed, readableDidRead])).toEqual([[true, false]])
  })

  test('of a file of the dashboard tells its length', async () => {
    const got = await ask('GET', '/favicon.svg')
    const head = await ask('HEAD', '/favicon.svg')
    expect(got.headers['content-length']).toBe(String(Buffer.byteLength(got.body)))
    expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', got.headers['content-length']])
  })

  test('of what has no end is refused, and says so', async () => {
    const answer = await ask('HEAD', '/app/v1/account/export')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
  })

  test('of a live stream opens none', async () => {
    const answer = await ask('HEAD', '/public/v1/events/stream')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET'])
  })
})

test.each([
  ['DELETE', '/public/v1/jobs/history', 'GET, HEAD'],
  ['PATCH', '/public/v1/jobs/queue', 'GET, HEAD'],
  ['DELETE', '/public/v1/printers/live', 'GET, HEAD'],
  ['POST', '/public/v1/products/none', 'DELETE, GET, HEAD, PATCH'],
  ['QUERY', '/public/v1/products', 'GET, HEAD, POST'],
  ['PROPFIND', '/public/v1/products', 'GET, HEAD, POST'],
  ['TRACE', '/public/v1/products', 'GET, HEAD, POST'],
])('%s %s is no way to ask, and the answer says what is', async (method, path, allow) => {
  const answer = await ask(method, path)
  expect([answer.status, answer.headers.allow]).toEqual([405, allow])
})

test.each([
  '/docs/explorer/static/..',
  '/docs/explorer/static/../../package.json',
  '/docs/explorer/static/nothing.js',
  '/assets/..',
  '/docs/../index.html',
  '/docs/%2e%2e/index.html',
  '/docs/search.json',
  '/docs/api.html.gz',
])('%s names nothing', async (path) => {
  expect((await ask('GET', path)).status).toBe(404)
})

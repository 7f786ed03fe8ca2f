import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecordedLog } from '../test/quiet-log.ts'
import { downloadFile } from './download.ts'

const content = randomBytes(300_000)
const sha256 = createHash('sha256').update(content).digest('hex')
const follows = 'x-printyard-follows'

let directory: string
const servers: Server[] = []

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'printyard-download-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

/** A server on this machine, and the requests that it was sent. */
async function serve(answer: RequestListener): Promise<{ url: string; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

/** Answers bytes, whole or from where a range begins. */
const giving =
  (bytes: Buffer): RequestListener =>
  ({ headers }, response) => {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
    const head =
      headers.range === undefined ? {} : { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }
    response.writeHead(headers.range === undefined ? 200 : 206, head).end(bytes.subarray(from))
  }

/** Sends those to the store who say that they follow, and gives the file to all others. */
const leadingTo =
  (location: string): RequestListener =>
  (request, response) => {
    if (request.headers[follows] === undefined) return giving(content)(request, response)
    response.writeHead(307, { location }).end()
  }

const partPath = () => join(directory, 'part')

async function download(serviceUrl: string) {
  const file = { url_path: '/hub/v1/files/one', size_bytes: content.length, sha256 }
  const options = { serviceUrl, file, partPath: partPath(), log: createRecordedLog(), firstRetryMs: 1, stallMs: 2_000 }
  await downloadFile(options, AbortSignal.timeout(20_000))
  expect(readFileSync(partPath()).equals(content)).toBe(true)
}

test('a file is fetched from where the service leads to, from the byte where it broke off', async () => {
  const store = await serve(giving(content))
  const service = await serve(leadingTo(`${store.url}/signed?signature=1`))
  writeFileSync(partPath(), content.subarray(0, 100_000))
  await download(service.url)
  expect(service.asked).toHaveLength(1)
  expect(store.asked.map(({ url, headers }) => [url, headers.range, headers[follows]])).toEqual([
    ['/signed?signature=1', 'bytes=100000-', undefined],
  ])
})

test.each<{ how: string; answer: RequestListener }>([
  { how: 'refuses', answer: (_request, response) => void response.writeHead(403).end('<Error/>') },
  { how: 'leads on', answer: (_request, response) => void response.writeHead(307, { location: '/elsewhere' }).end() },
  { how: 'sends something shorter', answer: (_request, response) => void response.writeHead(200).end('sign in here') },
  { how: 'sends something longer', answer: giving(Buffer.concat([randomBytes(10), content])) },
  { how: 'sends other bytes', answer: giving(randomBytes(content.length)) },
  {
    how: 'breaks off',
    answer: (_request, response) => {
      response.writeHead(200, { 'content-length': content.length })
      response.write(content.subarray(0, 50_000), () => setTimeout(() => response.destroy(), 50))
    },
  },
  { how: 'says nothing', answer: () => undefined },
])('where the store $how, the service brings the file', async ({ answer }) => {
  const store = await serve(answer)
  const service = await serve(leadingTo(`${store.url}/signed`))
  await download(service.url)
  expect(store.asked).toHaveLength(1)
  expect(service.asked.map(({ headers }) => headers[follows])).toContain(undefined)
})

test('where the store is not reached at all, the service brings the file', async () => {
  const gone = await serve(giving(content))
  servers.pop()?.close()
  const service = await serve(leadingTo(`${gone.url}/signed`))
  await download(service.url)
})

test('a service that brings other bytes by itself has a damaged file, which is not asked for again', async () => {
  const service = await serve(giving(randomBytes(content.length)))
  await expect(download(service.url)).rejects.toMatchObject({ code: 'FILE_CORRUPT' })
  expect(service.asked).toHaveLength(1)
})

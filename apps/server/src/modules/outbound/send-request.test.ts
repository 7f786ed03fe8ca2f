import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../kernel/clock.ts'
import { createTargetPolicy } from '../../kernel/target-policy.ts'
import { excerpt, readRetryAfterMs } from './outcome.ts'
import type { ResolveHost } from './resolve-host.ts'
import { createSender } from './send-request.ts'

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void, host = '127.0.0.1') {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    request.resume()
    answer(request, response)
  })
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { server, port, url: `http://${host}:${port}/hook`, calls: () => calls }
}

function sender(options: { networks?: string; resolve?: ResolveHost; timeoutMs?: number } = {}) {
  const made = createSender({
    policy: createTargetPolicy(options.networks ?? '127.0.0.1'),
    resolve: options.resolve ?? (async () => [{ address: '127.0.0.1', family: 4 }]),
    clock: systemClock,
    userAgent: 'test',
    timeoutMs: options.timeoutMs ?? 2_000,
  })
  onTestFinished(() => made.close())
  return made
}

const send = (made: ReturnType<typeof sender>, url: string) =>
  made.send({ url, headers: { 'webhook-id': 'evt_1' }, body: '{}' })

test('2xx is delivered, with the beginning of the answer and how long it took', async () => {
  const receiver = await listen((request, response) => {
    expect(request.headers).toMatchObject({
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
      'content-length': '2',
    })
    response.writeHead(202).end(`ok\0${'x'.repeat(2_000)}`)
  })
  const outcome = await send(sender(), receiver.url)
  expect(outcome).toMatchObject({ failure: null, status_code: 202, retryAfterMs: 0 })
  expect(outcome.answer).toBe(`ok${'x'.repeat(498)}`)
  expect(outcome.duration_ms).toBeLessThan(2_000)
})

test('any other status is a failure, and Retry-After of 429 and 503 counts', async () => {
  const receiver = await listen((request, response) => {
    response.writeHead(Number(request.headers['x-status']), { 'retry-after': '30' }).end('no')
  })
  const made = sender()
  const ask = (status: number) => made.send({ url: receiver.url, headers: { 'x-status': String(status) }, body: '{}' })
  expect(await ask(500)).toMatchObject({ failure: 'status', status_code: 500, answer: 'no', retryAfterMs: 0 })
  expect(await ask(429)).toMatchObject({ failure: 'status', retryAfterMs: 30_000 })
  expect(await ask(503)).toMatchObject({ failure: 'status', retryAfterMs: 30_000 })
  expect(await ask(410)).toMatchObject({ failure: 'status', status_code: 410 })
})

test('a date until which a receiver wants to be left alone is one of its own clock', async () => {
  const hourMs = 3_600_000
  for (const wrongMs of [-5 * hourMs, 0, 5 * hourMs]) {
    const theirMs = Math.floor(Date.now() / 1_000) * 1_000 + wrongMs
    const receiver = await listen((_request, response) => {
      const until = new Date(theirMs + 30_000).toUTCString()
      response.writeHead(503, { date: new Date(theirMs).toUTCString(), 'retry-after': until }).end()
    })
    const outcome = await sender().send({ url: receiver.url, headers: {}, body: '{}' })
    expect(outcome).toMatchObject({ status_code: 503, retryAfterMs: 30_000 })
  }
})

test('a redirect is a failure, and what it points to is never asked', async () => {
  const inner = await listen((_request, response) => response.end('secret'))
  for (const location of ['http://169.254.169.254/latest/meta-data', inner.url]) {
    const receiver = await listen((_request, response) => response.writeHead(307, { location }).end())
    expect(await send(sender(), receiver.url)).toMatchObject({ failure: 'redirect', status_code: 307 })
  }
  expect(inner.calls()).toBe(0)
})

test('a receiver that does not answer in time is a failure, also one that dribbles', async () => {
  const receiver = await listen(() => undefined)
  const outcome = await send(sender({ timeoutMs: 100 }), receiver.url)
  expect(outcome).toMatchObject({ failure: 'timeout', status_code: null, answer: 'no answer within 0.1 s' })
})

test('the body of an answer is read for a while and to a size, and its status counts', async () => {
  const endless = await listen((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'.repeat(4_096)), 1)
    response.on('close', () => clearInterval(timer))
  })
  const dribbling = await listen((_request, response) => response.writeHead(200).write('x'))
  const [one, other] = await Promise.all([send(sender(), endless.url), send(sender(), dribbling.url)])
  expect(one).toMatchObject({ failure: null, status_code: 200 })
  expect(other).toMatchObject({ failure: null, status_code: 200, answer: 'x' })
  expect(other.duration_ms).toBeLessThan(4_000)
})

test('nothing listening, and a name that does not exist, are told apart', async () => {
  const { url, server } = await listen(() => undefined)
  server.close()
  await once(server, 'close')
  expect(await send(sender(), url)).toMatchObject({ failure: 'connection', status_code: null })
  const resolve = () => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' }))
  expect(await send(sender({ resolve }), 'http://nowhere.example/')).toMatchObject({ failure: 'dns' })
})

test('plain HTTP answered to https:// is a failure of TLS', async () => {
  const receiver = await listen((_request, response) => response.end())
  expect(await send(sender(), receiver.url.replace('http:', 'https:'))).toMatchObject({ failure: 'tls' })
})

test('names that resolve to addresses that are not allowed are refused, also when only one of several is', async () => {
  const receiver = await listen((_request, response) => response.end())
  for (const address of ['127.0.0.2', '169.254.169.254', '10.0.0.1', '::1', '8.8.8.8']) {
    const resolve: ResolveHost = async () => [
      { address: '127.0.0.1', family: 4 },
      { address, family: address.includes(':') ? 6 : 4 },
    ]
    const outcome = await send(sender({ resolve }), `http://farm.example:${receiver.port}/`)
    expect(outcome).toMatchObject({ failure: 'address_refused', status_code: null })
  }
  expect(receiver.calls()).toBe(0)
})

test('a name that turns to another address is connected to the one that was looked at, and refused at the next look', async () => {
  const allowed = await listen((_request, response) => response.writeHead(200, { connection: 'close' }).end())
  const inner = await listen((_request, response) => response.end('secret'), '127.0.0.2')
  let looks = 0
  const resolve: ResolveHost = async () => {
    looks += 1
    return [{ address: looks === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]
  }
  const made = sender({ resolve })
  expect(await send(made, `http://farm.example:${allowed.port}/`)).toMatchObject({ failure: null })
  expect(looks).toBe(1)
  expect(await send(made, `http://farm.example:${inner.port}/`)).toMatchObject({ failure: 'address_refused' })
  expect([allowed.calls(), inner.calls()]).toEqual([1, 0])
})

test('literal addresses are looked at although no name is resolved', async () => {
  const receiver = await listen((_request, response) => response.end(), '127.0.0.2')
  expect(await send(sender(), receiver.url)).toMatchObject({ failure: 'address_refused' })
  expect(receiver.calls()).toBe(0)
})

test('a kept connection that the receiver has closed costs no attempt', async () => {
  const receiver = await listen((request, response) => {
    response.writeHead(200, { 'content-length': 0 }).end()
    setTimeout(() => request.socket.destroy(), 20)
  })
  const made = sender()
  for (let n = 0; n < 5; n += 1) {
    expect(await send(made, receiver.url)).toMatchObject({ failure: null })
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
})

test('an attempt that is broken off by the service is no outcome', async () => {
  const receiver = await listen(() => undefined)
  const ending = new AbortController()
  const sending = sender().send({ url: receiver.url, headers: {}, body: '{}' }, ending.signal)
  setTimeout(() => ending.abort(), 20)
  await expect(sending).rejects.toThrow()
})

test('Retry-After is seconds or a date, and nonsense is none', () => {
  const now = new Date('2026-11-20T00:00:00Z')
  expect(readRetryAfterMs('7', now)).toBe(7_000)
  expect(readRetryAfterMs('Fri, 20 Nov 2026 00:01:00 GMT', now)).toBe(60_000)
  expect(readRetryAfterMs('Thu, 19 Nov 2026 00:00:00 GMT', now)).toBe(0)
  expect(readRetryAfterMs('soon', now)).toBe(0)
  expect(readRetryAfterMs(undefined, now)).toBe(0)
})

test('an excerpt is text that a database takes', () => {
  expect(excerpt('a\0b\u202Ec\n')).toBe('abc')
  expect(excerpt('\u{1F600}'.repeat(300)).isWellFormed()).toBe(true)
})

test('what must not arrive twice is not sent again when a kept connection breaks off after it was read', async () => {
  let bodies = 0
  const receiver = await listen((request, response) => {
    bodies += 1
    if (request.headers['x-breaks'] === 'yes') request.on('end', () => response.destroy())
    else response.end('ok')
  })
  const made = sender()
  const ask = (isOnce: boolean, breaks = 'no') =>
    made.send({ url: receiver.url, headers: { 'x-breaks': breaks }, body: '{}', isOnce })
  expect(await ask(false)).toMatchObject({ failure: null })
  expect(await ask(true, 'yes')).toMatchObject({ failure: 'connection' })
  expect(bodies).toBe(2)
})

test('an answer is read as far as the request says, and is cut beyond it', async () => {
  const receiver = await listen((_request, response) => response.end('x'.repeat(30_000)))
  const ask = (mostBytes: number) =>
    sender().send({ url: receiver.url, method: 'GET', headers: {}, reads: { mostBytes, withinMs: 2_000 } })
  expect((await ask(30_000)).text).toHaveLength(30_000)
  expect(await ask(30_000)).not.toHaveProperty('isCut')
  expect(await ask(20_000)).toMatchObject({ isCut: true })
})

test('of an answer without end 16 KB are read, and nothing more of it is waited for', async () => {
  const receiver = await listen((_request, response) => {
    const tell = () => {
      while (response.write('x'.repeat(16_384)));
      response.once('drain', tell)
    }
    tell()
  })
  const answer = await sender().send({ url: receiver.url, headers: {}, body: '{}' })
  expect([answer.text.length, answer.isCut]).toEqual([16 * 1024, true])
  expect(answer.duration_ms).toBeLessThan(1_900)
})

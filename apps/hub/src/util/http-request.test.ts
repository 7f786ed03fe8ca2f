import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { requestOnce } from './http-request.ts'

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<URL> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

/** Answers the first request of each connection, and breaks it off at the second. */
async function serveOncePerConnection() {
  const asked: string[] = []
  const used = new WeakSet<object>()
  const url = await serve((request, response) => {
    asked.push(request.method ?? '')
    if (used.has(request.socket)) return void request.socket.resetAndDestroy()
    used.add(request.socket)
    response.end('here')
  })
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1 })
  onTestFinished(() => agent.destroy())
  const ask = async (method: string) =>
    text(await requestOnce(url, { method, agent, signal: AbortSignal.timeout(60_000) }))
  return { ask, asked }
}

test('a question whose kept connection breaks is asked once more on one of its own', async () => {
  const { ask, asked } = await serveOncePerConnection()
  expect(await ask('GET')).toBe('here')
  expect(await ask('GET')).toBe('here')
  expect(asked).toEqual(['GET', 'GET', 'GET'])
})

test('a command whose connection breaks is not sent a second time', async () => {
  const { ask, asked } = await serveOncePerConnection()
  expect(await ask('POST')).toBe('here')
  await expect(ask('POST')).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(asked).toEqual(['POST', 'POST'])
})

test('a redirect is an answer, and nothing is asked where it points', async () => {
  const asked: string[] = []
  const url = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const answer = await requestOnce(url, { signal: AbortSignal.timeout(60_000) })
  expect(answer.statusCode).toBe(302)
  expect(asked).toEqual(['/'])
})

test('an abort ends an answer that is under way', async () => {
  const url = await serve((_, response) => void response.write('a beginning'))
  const asking = new AbortController()
  const answer = await requestOnce(url, { signal: asking.signal })
  const rest = text(answer)
  asking.abort(new Error('not wanted any more'))
  await expect(rest).rejects.toThrow()
})

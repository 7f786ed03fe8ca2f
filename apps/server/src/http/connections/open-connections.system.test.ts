import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { connectionsOf } from './open-connections.ts'
import { mostOpenFiles } from './open-files.ts'

const limits = { ofNetwork: 6, ofSite: 12, ofStrangers: 10, atRestOfAccount: 4, graceMs: 50 }
const proxy = '127.0.0.99'

let t: TestApp
let farm: TestFarm
let port: number
beforeAll(async () => {
  t = await createTestApp({ config: { trustedProxies: proxy } })
  connectionsOf(t.context).limit(limits)
  farm = await createTestFarm(t)
  if (t.app.server.address() === null) await t.app.listen({ host: '127.0.0.1', port: 0 })
  port = (t.app.server.address() as { port: number }).port
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

/** A connection from one of the addresses of this machine, over which this is said. */
function open({ from = '127.0.0.2', say = '' } = {}): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  socket.resume()
  return new Promise((resolve) => {
    socket.once('connect', () => {
      if (say !== '') socket.write(say)
      resolve(socket)
    })
  })
}

async function openAll(count: number, how: { from?: string; say?: string } = {}): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let index = 0; index < count; index += 1) sockets.push(await open(how))
  return sockets
}

const countOpen = (sockets: Socket[]) => sockets.filter(({ closed }) => !closed).length

const head = `POST /app/v1/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n`

test.each([
  ['that says nothing', ''],
  ['that sends a part of a head', 'GET /livez HTTP/1.1\r\nHost:'],
  ['that sends a part of a body', `${head}Content-Length: 100\r\n\r\n{"email":`],
  ['that was answered', 'GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
  [
    'whose hub was refused',
    'GET /hub/v1/connect HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  ],
])('a stranger %s holds so many connections, and who comes next is answered', async (_, say) => {
  const sockets = await openAll(20, { say })
  await t.settled(() => countOpen(sockets) <= limits.ofNetwork)
  expect((await ask({ from: '127.0.0.2' })).status).toBe(200)
})

test('who comes a hundred times at once with a key is answered each time', async () => {
  const headers = { Authorization: `Bearer ${farm.account.key}` }
  const asked = Array.from({ length: 100 }, () => ask({ from: '127.0.3.1', path: '/public/v1/jobs', headers }))
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('strangers at many addresses hold so many together', async () => {
  const addresses = Array.from({ length: 20 }, (_, index) => `127.0.1.${index + 1}`)
  const sockets = (await Promise.all(addresses.map((from) => openAll(2, { from })))).flat()
  await t.settled(() => countOpen(sockets) <= limits.ofStrangers)
  expect((await ask({ from: '127.0.2.1' })).status).toBe(200)
})

test('a trusted proxy holds as many as it has clients', async () => {
  const sockets = await openAll(30, { from: proxy })
  await wait(100)
  expect(countOpen(sockets)).toBe(30)
})

test('neither a hub nor an event stream nor a program with its key is ended for what strangers at its address do', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const key = { Authorization: `Bearer ${farm.account.key}` }
  const first = await ask({ agent, path: '/public/v1/jobs', headers: key })
  const stream = await open({
    from: '127.0.0.1',
    say: `GET /public/v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${key.Authorization}\r\n\r\n`,
  })
  await new Promise((resolve) => stream.once('data', resolve))
  const sockets = await openAll(40, { from: '127.0.0.1' })
  await t.settled(() => countOpen(sockets) <= limits.ofNetwork)
  const again = await ask({ agent, path: '/public/v1/jobs', headers: key })
  expect([again.status, again.localPort]).toEqual([200, first.localPort])
  expect(stream.closed).toBe(false)
  expect(t.context.hubs.find(farm.hubId)).toBeDefined()
})

test('an account holds so many over which nothing is asked', async () => {
  const say = `GET /public/v1/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${farm.account.key}\r\n\r\n`
  const sockets: Socket[] = []
  for (let index = 0; index < 12; index += 1) {
    const socket = await open({ say })
    sockets.push(socket)
    await new Promise((resolve) => socket.once('data', resolve))
  }
  // The one that comes last is counted before it is answered.
  await t.settled(() => countOpen(sockets) <= limits.atRestOfAccount + 1)
  expect(countOpen(sockets)).toBeGreaterThanOrEqual(limits.atRestOfAccount)
})

test('the service takes no more connections than it may have files open, and leaves some for its own', () => {
  expect(mostOpenFiles()).toBeGreaterThan(0)
  const most = mostOpenFiles()
  expect(t.app.server.maxConnections).toBe(most === Number.POSITIVE_INFINITY ? undefined : Math.floor((most * 3) / 4))
})

/** Asks, and says by which port of this side. */
function ask({
  from = '127.0.0.1',
  path = '/livez',
  agent,
  headers = {},
}: {
  from?: string
  path?: string
  agent?: Agent
  headers?: Record<string, string>
}): Promise<{ status: number; localPort: number }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers, localAddress: from, agent: agent ?? (false as const) }
    const request = get(options, (answer) => {
      const localPort = request.socket?.localPort ?? 0
      answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, localPort }))
    })
    request.on('error', reject)
  })
}

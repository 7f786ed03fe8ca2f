import type { AddressInfo } from 'node:net'
import { CONNECT_PATH, PROTOCOL_VERSION, SUBPROTOCOL } from '@printyard/protocol/version'
import { beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { HubId } from '../kernel/ids.ts'
import { createHubWithToken } from '../modules/hubs/hubs.service.ts'
import { appForAllTests } from '../test/app/app-hooks.ts'
import { systemWork } from '../test/app/system-work.ts'
import type { TestAccount } from '../test/app/test-app.ts'
import { welcomeLimits } from './hub-session.ts'

const t = appForAllTests()
let account: TestAccount

/** Welcomes that have reached the place where a connection is let in, and wait there until they are let on. */
let arrived: HubId[]
let letOn: (hubId: HubId) => void
let letAllOn: () => void
beforeEach(async () => {
  account = await t.account()
  arrived = []
  let isOpen = false
  const waiting = new Map<HubId, () => void>()
  const { fences } = t.context
  const take: typeof fences.take = async (hub, opening) => {
    arrived.push(hub.hubId)
    if (!isOpen) await new Promise<void>((resolve) => waiting.set(hub.hubId, resolve))
    return fences.take(hub, opening)
  }
  t.context.fences = { ...fences, take }
  letOn = (hubId) => waiting.get(hubId)?.()
  letAllOn = () => {
    isOpen = true
    for (const resolve of waiting.values()) resolve()
  }
  return () => {
    letAllOn()
    t.context.fences = fences
  }
})

async function makeHubs(count: number, of: TestAccount): Promise<{ id: HubId; token: string }[]> {
  const hubs: { id: string; token: string }[] = []
  for (let number = 1; number <= count; number += 1) {
    hubs.push(await createHubWithToken(systemWork(t.db.sql, of.id), `Hub ${number}`))
  }
  return hubs as { id: HubId; token: string }[]
}

const url = async () => {
  if (!t.app.server.listening) await t.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
}

/** A hub whose hello the service has read. */
async function sayHello(token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${(await url()).replace('http', 'ws')}${CONNECT_PATH}`, SUBPROTOCOL, {
    headers: { authorization: `Bearer ${token}` },
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const hello = {
    protocol_version: PROTOCOL_VERSION,
    agent_version: '1',
    hardware_version: 'test',
    journal_position: 0,
  }
  const frame = { type: 'hello', id: 'h1', ts: new Date().toISOString(), ...hello, printers: [], open_attempts: [] }
  socket.send(JSON.stringify(frame))
  // Frames are read in their order: by the answer the hello has been taken.
  socket.ping()
  await new Promise((resolve) => socket.once('pong', resolve))
  return socket
}

test('of many hubs that connect at once a few are welcomed at a time, and requests are answered meanwhile', async () => {
  const hubs = await makeHubs(24, account)
  await url()
  const sockets = await Promise.all(hubs.map(({ token }) => sayHello(token)))
  await t.settled(() => arrived.length >= welcomeLimits.atOnce)
  for (let call = 0; call < 20; call += 1) expect((await account.request('GET', '/hubs')).statusCode).toBe(200)
  expect(arrived).toHaveLength(welcomeLimits.atOnce)
  letOn(arrived[0] as HubId)
  await t.settled(() => arrived.length === welcomeLimits.atOnce + 1)
  expect(t.context.hubs.connectedCount()).toBe(1)
  letAllOn()
  await t.settled(() => t.context.hubs.connectedCount() === hubs.length)
  expect(arrived.toSorted()).toEqual(hubs.map(({ id }) => id).toSorted())
  for (const socket of sockets) socket.terminate()
  await t.settled(() => t.context.hubs.connectedCount() === 0)
})

test('a hub that leaves while it waits takes no turn', async () => {
  const hubs = await makeHubs(welcomeLimits.atOnce + 2, account)
  const sockets: WebSocket[] = []
  for (const { token } of hubs) {
    sockets.push(await sayHello(token))
    await t.settled(() => arrived.length === Math.min(sockets.length, welcomeLimits.atOnce))
  }
  const openSockets = () =>
    new Promise<number>((resolve, reject) =>
      t.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    )
  const before = await openSockets()
  sockets.at(-2)?.terminate()
  await t.settled(async () => (await openSockets()) === before - 1)
  letAllOn()
  const last = hubs.at(-1)
  await t.settled(() => last !== undefined && t.context.hubs.isOnline(last.id))
  expect(arrived).not.toContain(hubs.at(-2)?.id)
  expect(new Set(arrived).size).toBe(hubs.length - 1)
  for (const socket of sockets) socket.terminate()
})

test('a hub of another account waits for one turn, however many of the first account wait', async () => {
  const many = await makeHubs(welcomeLimits.atOnce + 6, account)
  const [single] = await makeHubs(1, await t.account())
  if (!single) throw new Error('no hub')
  const sockets: WebSocket[] = []
  for (const { token } of many) {
    sockets.push(await sayHello(token))
    await t.settled(() => arrived.length === Math.min(sockets.length, welcomeLimits.atOnce))
  }
  sockets.push(await sayHello(single.token))
  for (const hubId of arrived.slice(0, 2)) letOn(hubId)
  await t.settled(() => arrived.length === welcomeLimits.atOnce + 2)
  expect(arrived.slice(welcomeLimits.atOnce)).toContain(single.id)
  letAllOn()
  await t.settled(() => new Set(arrived).size === many.length + 1)
  for (const socket of sockets) socket.terminate()
})

test('hubs that wait when the service stops are told to come again, and are not let in', async () => {
  const hubs = await makeHubs(welcomeLimits.atOnce + 1, account)
  const sockets: WebSocket[] = []
  for (const { token } of hubs) {
    sockets.push(await sayHello(token))
    await t.settled(() => arrived.length === Math.min(sockets.length, welcomeLimits.atOnce))
  }
  const told = new Promise((resolve) => sockets.at(-1)?.once('message', (data) => resolve(JSON.parse(String(data)))))
  const { isDraining } = t.context
  t.context.isDraining = () => true
  try {
    letOn(arrived[0] as HubId)
    expect(await told).toMatchObject({
      type: 'close',
      reason: 'service_restart',
      message: 'The service is restarting.',
    })
  } finally {
    t.context.isDraining = isDraining
  }
  expect(arrived).not.toContain(hubs.at(-1)?.id)
  for (const socket of sockets) socket.terminate()
})

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { Connections } from './connections.ts'

const limits = { ofNetwork: 3, ofSite: 5, ofStrangers: 8, atRestOfAccount: 3, graceMs: 0 }

/** Opens so many connections from an address. */
function openAll(connections: Connections, address: string, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = new Socket()
    connections.open(socket, address)
    return socket
  })
}

const stillOpen = (sockets: Socket[]) => sockets.map((socket) => !socket.destroyed)

/** A request that came whole, and is being worked for. */
function ask(connections: Connections, socket: Socket): ServerResponse {
  const request = new IncomingMessage(socket)
  request.complete = true
  const response = new ServerResponse(request)
  connections.begin(request, response)
  return response
}

test('one too many at an address takes the place of the one that waits the longest', () => {
  const connections = new Connections(limits, '')
  const first = openAll(connections, '192.0.2.1', 3)
  const others = openAll(connections, '192.0.2.2', 3)
  expect(stillOpen([...first, ...openAll(connections, '::ffff:192.0.2.1', 2)])).toEqual([
    false,
    false,
    true,
    true,
    true,
  ])
  expect(stillOpen(others)).toEqual([true, true, true])
  expect(connections.takeEnded()).toBe(2)
  expect(connections.takeEnded()).toBe(0)
})

test('all of an IPv6 site have so many together', () => {
  const connections = new Connections(limits, '')
  const [first, ...rest] = [1, 2, 3, 4, 5, 6].flatMap((net) => openAll(connections, `2001:db8:5:${net}::9`, 1))
  expect(first?.destroyed).toBe(true)
  expect(stillOpen(rest)).toEqual([true, true, true, true, true])
  expect(stillOpen(openAll(connections, '2001:db8:6::9', 1))).toEqual([true])
})

test('so have all strangers', () => {
  const connections = new Connections(limits, '')
  const opened = Array.from({ length: 10 }, (_, index) => openAll(connections, `192.0.2.${index}`, 1)).flat()
  expect(stillOpen(opened)).toEqual([false, false, ...Array.from({ length: 8 }, () => true)])
})

test('one that is worked for is not ended, and one too many besides them is not taken', () => {
  const connections = new Connections(limits, '')
  const busy = openAll(connections, '192.0.2.1', 3)
  for (const socket of busy) ask(connections, socket)
  expect(stillOpen(openAll(connections, '192.0.2.1', 1))).toEqual([false])
  expect(stillOpen(busy)).toEqual([true, true, true])
})

test('one whose token is looked up is not ended for as long as that takes', () => {
  const connections = new Connections(limits, '')
  const hubs = openAll(connections, '192.0.2.1', 3)
  const found = hubs.map((socket) => connections.lookUp(socket))
  expect(stillOpen([...hubs, ...openAll(connections, '192.0.2.1', 1)])).toEqual([true, true, true, false])
  found[1]?.()
  openAll(connections, '192.0.2.1', 1)
  expect(stillOpen(hubs)).toEqual([true, false, true])
})

test('of many that come at one moment none is ended before its request can be read, and those without one are then', async () => {
  const connections = new Connections({ ...limits, graceMs: 50 }, '')
  const sockets = openAll(connections, '192.0.2.1', 20)
  const asked = sockets.slice(0, 10)
  for (const socket of asked) ask(connections, socket)
  expect(stillOpen(sockets)).not.toContain(false)
  for (const socket of asked) connections.know(socket, newId('account'))
  await expect.poll(() => stillOpen(sockets).filter(Boolean).length).toBe(10 + limits.ofNetwork)
  expect(stillOpen(asked)).not.toContain(false)
})

test('one that was asked over last waits the shortest', () => {
  const connections = new Connections(limits, '')
  const [first, second, third] = openAll(connections, '192.0.2.1', 3) as [Socket, Socket, Socket]
  ask(connections, first).destroy()
  openAll(connections, '192.0.2.1', 1)
  expect(stillOpen([first, second, third])).toEqual([true, false, true])
})

test('who is known leaves the strangers, and has so many at rest with their account', () => {
  const connections = new Connections(limits, '')
  const [accountId, other] = [newId('account'), newId('account')]
  const known = Array.from({ length: 4 }, () => {
    const [socket] = openAll(connections, '192.0.2.1', 1) as [Socket]
    const response = ask(connections, socket)
    connections.know(socket, accountId)
    connections.know(socket, accountId)
    return { socket, response }
  })
  expect(stillOpen(known.map(({ socket }) => socket))).toEqual([true, true, true, true])
  known[1]?.response.destroy()
  const [next, ofOther] = openAll(connections, '192.0.2.1', 2) as [Socket, Socket]
  connections.know(ofOther, other)
  connections.know(next, accountId)
  expect(stillOpen(known.map(({ socket }) => socket))).toEqual([true, false, true, true])
  expect(stillOpen([next, ofOther, ...openAll(connections, '192.0.2.1', 3)])).toEqual([true, true, true, true, true])
})

test('neither the connections of a proxy are counted nor those that were released', () => {
  const connections = new Connections(limits, '10.0.0.0/8, ::1')
  const ofProxy = ['10.1.2.3', '::ffff:10.1.2.4', '::1'].flatMap((address) => openAll(connections, address, 9))
  expect(ofProxy.some(({ destroyed }) => destroyed)).toBe(false)
  const [hub] = openAll(connections, '192.0.2.1', 1) as [Socket]
  connections.release(hub)
  openAll(connections, '192.0.2.1', 9)
  expect(hub.destroyed).toBe(false)
})

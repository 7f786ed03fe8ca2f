import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createFrameBudget } from './frame-budget.ts'
import { HubLine } from './hub-line.ts'

/** A line over a connection of this machine, what its hub hears, and how often something was written to the connection. */
async function openLine() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  await once(server, 'listening')
  const hub = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => hub.terminate())
  const heard: string[] = []
  hub.on('message', (data) => heard.push(String(data)))
  const [socket, request] = (await once(server, 'connection')) as [WebSocket, { socket: Writable }]
  await once(hub, 'open')
  const stream = request.socket
  const writes = { count: 0 }
  const uncork = stream.uncork.bind(stream)
  stream.uncork = () => {
    const before = stream.writableCorked
    uncork()
    if (before === 1) writes.count += 1
  }
  const line = new HubLine({ socket, stream }, pino({ level: 'silent' }), createFrameBudget())
  line.sendHeld()
  return { line, heard, writes }
}

test('frames of one turn leave in one write, in their order', async () => {
  const { line, heard, writes } = await openLine()
  const frames = Array.from({ length: 25 }, (_, index) => `frame ${index}`)
  for (const frame of frames) line.send(frame)
  await nextTurn()
  expect(writes.count).toBe(1)
  await expect.poll(() => heard).toEqual(frames)
  line.send('later')
  await nextTurn()
  expect(writes.count).toBe(2)
  await expect.poll(() => heard.at(-1)).toBe('later')
})

test('a frame that is followed by the end of the connection arrives before it', async () => {
  const { line, heard } = await openLine()
  line.send('last')
  line.close(1012, 'service_restart')
  await expect.poll(() => heard).toEqual(['last'])
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { openTextSocket } from './text-socket.ts'

test('what comes together with the handshake can be answered at once', async () => {
  const gateway = new WebSocketServer({ noServer: true })
  const server = createServer()
  const heard = new Promise<string>((resolve) => {
    server.on('upgrade', (request, socket, head) => {
      // The handshake and the first word leave as one piece.
      socket.cork()
      gateway.handleUpgrade(request, socket, head, (client) => {
        client.send('are you there?')
        client.on('message', (data) => resolve(data.toString()))
      })
      socket.uncork()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const opened = await openTextSocket({
    address: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    question: { text: 'ping', everyMs: 60_000 },
    silenceMs: 60_000,
    signal: AbortSignal.timeout(20_000),
    onText: (text, socket) => void socket.send(`heard ${text}`).catch(socket.close),
  })
  expect(await heard).toBe('heard are you there?')
  opened.close()
  await opened.closed
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

test('a connection that is given up says nothing more, whatever came together with its last word', async () => {
  const gateway = new WebSocketServer({ noServer: true })
  const server = createServer()
  server.on('upgrade', (request, socket, head) => {
    gateway.handleUpgrade(request, socket, head, (client) => {
      client.on('message', () => {
        // All three leave as one piece.
        socket.cork()
        for (const word of ['one', 'two', 'three']) client.send(word)
        socket.uncork()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const heard: string[] = []
  const opened = await openTextSocket({
    address: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`),
    question: { text: 'ping', everyMs: 60_000 },
    silenceMs: 60_000,
    signal: AbortSignal.timeout(20_000),
    onText(text, socket) {
      heard.push(text)
      if (text === 'two') socket.close()
    },
  })
  await opened.send('speak')
  await opened.closed
  expect(heard).toEqual(['one', 'two'])
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

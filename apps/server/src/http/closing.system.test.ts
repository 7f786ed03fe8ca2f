import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestApp } from '../test/app/test-app.ts'

test('a request that was on its way when the server began to close is answered, and ends its connection', async () => {
  const t = await createTestApp()
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect((t.app.server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const ended = once(socket, 'close')
  // Not idle, so that closing leaves it open.
  socket.write('GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  await wait(100)
  const closing = t.close()
  while (t.app.server.listening) await wait(5)
  socket.write('\r\n')
  await ended
  await closing
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n')
}, 30_000)

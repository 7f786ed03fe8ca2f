import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { Memory } from '../kernel/memory.ts'
import { createLive } from '../live/live.ts'
import { createTestApp, type TestAccount, type TestApp } from '../test/app/test-app.ts'
import type { App } from './types.ts'

const stallMs = 200

let t: TestApp
let impatient: App
let port: number
let account: TestAccount
let key: string
const logged: string[] = []
beforeAll(async () => {
  t = await createTestApp()
  account = await t.account()
  key = account.key
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  impatient = await buildApp({ ...t.context, ...createLive(), memory: new Memory(), log }, { bodyStallMs: stallMs })
  port = Number(new URL(await impatient.listen({ host: '127.0.0.1', port: 0 })).port)
})
afterAll(async () => {
  await impatient.close()
  await t.close()
})

/** Sends a head and the beginning of a body; resolves with what was answered until the service ended the connection. */
function sendPart(path: string, { type = 'application/json', more = '' } = {}): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: ${type}\r\n`
  socket.write(`${head}${more}Content-Length: 1000\r\n\r\n{"email":`)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`${path} is held open; answered: ${answer}`))
    }, stallMs * 25)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
  })
}

/** Lines that ask someone to look. */
const faults = () => logged.filter((line) => JSON.parse(line).level >= 40)

test.each([
  ['of a stranger who signs in', '/app/v1/sign-in', {}],
  ['at the door of hubs', '/hub/v1/join', {}],
  ['that no route reads', '/livez', {}],
  ['to a place that is not there', '/nowhere', {}],
  ['of a kind that is not taken', '/app/v1/sign-in', { type: 'text/plain' }],
])('a body %s that does not come ends its connection', async (_, path, how) => {
  await sendPart(path, how)
})

test('a head has a minute to come', () => {
  expect(impatient.server.headersTimeout).toBe(60_000)
})

test('so does one of a known caller, and nothing of it is done or taken for a fault of the service', async () => {
  const more = `Authorization: Bearer ${key}\r\n`
  for (const path of ['/public/v1/worklist', '/public/v1/orders/import']) await sendPart(path, { more })
  expect((await account.request('GET', '/worklist')).json().data).toEqual([])
  expect(faults()).toEqual([])
})

test('who goes away in the middle of a body leaves no line in the log, however often', async () => {
  for (let count = 0; count < 5; count += 1) {
    const socket = connect(port, '127.0.0.1')
    const head = `POST /public/v1/worklist HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    socket.write(`${head}Content-Length: 1000\r\n\r\n{"title":`)
    await wait(20)
    socket.destroy()
  }
  await wait(50)
  expect(faults()).toEqual([])
})

test('one that keeps coming is read to its end', async () => {
  const body = JSON.stringify({ title: 'x'.repeat(900_000), task_type: 'maintenance' })
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(
    `POST /public/v1/worklist HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n`,
  )
  for (let at = 0; at < body.length; at += 100_000) {
    socket.write(body.slice(at, at + 100_000))
    await wait(stallMs / 2)
  }
  await expect.poll(() => answer).toContain('HTTP/1.1 400')
  socket.destroy()
})

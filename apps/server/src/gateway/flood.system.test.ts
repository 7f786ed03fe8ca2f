import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { CONNECT_PATH, SUBPROTOCOL } from '@printyard/protocol/version'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { newId } from '../kernel/ids.ts'
import { Memory } from '../kernel/memory.ts'
import { createTestApp, type TestApp } from '../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../test/farm/test-farm.ts'
import { takeAccountBudget } from './account-budgets.ts'
import { createFrameBudget, limitsOfAccount } from './frame-budget.ts'
import { HubLine } from './hub-line.ts'

let t: TestApp
let farm: TestFarm
const logged: string[] = []
beforeAll(async () => {
  t = await createTestApp({
    context: { log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }) },
  })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  return () => farm.hub.close()
})

test('a hub that floods its connection is held back, and nothing that it said is lost', async () => {
  const frames = 1_700
  let seen = 0
  const stop = t.context.printers.onTelemetry((printerId) => {
    if (printerId === farm.printerId) seen += 1
  })
  const startedAt = performance.now()
  for (let index = 0; index < frames; index += 1) farm.hub.telemetry(farm.printerId, { nozzle_temp: index })
  await t.settled(() => seen >= 900)
  const secondsOfBurst = (performance.now() - startedAt) / 1000
  // What one read of the socket brought is taken whole.
  expect(seen).toBeLessThan(1_600 + 200 * secondsOfBurst)
  await t.settled(() => seen >= frames)
  expect((performance.now() - startedAt) / 1000).toBeGreaterThan(2)
  expect(t.context.printers.find(farm.printerId)?.state.nozzle_temp).toBe(frames - 1)
  stop()
})

test('2,000 frames wait to be stored, and a hub that sends more is told to come again', {
  timeout: 60_000,
}, async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = 0
  // All connections that the reports of a farm may hold, as where each of them waits for a lock.
  const held = Array.from({ length: 4 }, () =>
    t.db.beginForFarm(farm.account.id, async () => {
      begun += 1
      await promise
    }),
  )
  await t.settled(() => begun === 4)
  const ids: string[] = []
  const say = () => {
    const command_id = newId('command')
    ids.push(farm.hub.send('result', { command_id, printer_id: farm.printerId, ok: true, code: null, message: null }))
  }
  for (let index = 0; index < 2_000; index += 1) say()
  // Read in the order in which they were sent: this one is seen after all of them were taken.
  farm.hub.telemetry(farm.printerId, { nozzle_temp: 43 })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.nozzle_temp === 43)
  expect(farm.hub.received.filter(({ type }) => type === 'close')).toEqual([])
  say()
  expect(await farm.hub.waitFor('close')).toMatchObject({
    reason: 'service_restart',
    message: 'Too much to store at once.',
  })
  expect(farm.hub.received.filter(({ type }) => type === 'ack')).toEqual([])
  resolve()
  await Promise.all(held)
})

test('what the hubs of one account send together is bounded, however many there are', () => {
  const account = newId('account')
  const memory = new Memory()
  const [one, two] = [takeAccountBudget({ memory }, account), takeAccountBudget({ memory }, account)]
  for (let index = 0; index < limitsOfAccount.frameBurst; index += 1) {
    expect((index % 2 === 0 ? one : two).budget.take(1, 0)).toBe(0)
  }
  expect(one.budget.take(1, 0)).toBeGreaterThan(0)
  expect(two.budget.take(1, 0)).toBeGreaterThan(0)
  expect(takeAccountBudget({ memory }, newId('account')).budget.take(1, 0)).toBe(0)
  // Kept while one of them is connected: who leaves and comes again finds it as it was.
  one.leave()
  expect(takeAccountBudget({ memory }, account).budget.take(1, 0)).toBeGreaterThan(0)
})

test('of a flood of lines only some are written', async () => {
  const linesOf = (text: string) => logged.filter((line) => line.includes(text)).length
  for (let index = 0; index < 600; index += 1) {
    farm.hub.send('log', { level: 'warn', printer_id: null, message: 'the same again' })
  }
  farm.hub.telemetry(farm.printerId, { nozzle_temp: 42 })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.nozzle_temp === 42)
  expect(linesOf('the same again')).toBeLessThan(150)
  expect(linesOf('the same again')).toBeGreaterThan(50)
})

test('lines of all hubs of an account are bounded together, and none that was left out is forgotten', async () => {
  const budget = createFrameBudget({ ...limitsOfAccount, logLineBurst: 150 })
  // No frame comes: lines are counted alone.
  const wire = { socket: new WebSocket(null as never, undefined, {}), stream: new PassThrough() }
  const lineOf = () => new HubLine(wire, t.context.log, budget)
  const [one, two] = [lineOf(), lineOf()]
  let [asked, written, leftOut] = [0, 0, 0]
  const ask = (line: HubLine) => {
    asked += 1
    const taken = line.takeLogLine()
    if (!taken.isWritten) return false
    written += 1
    leftOut += taken.leftOut
    return true
  }
  for (let index = 0; index < 100; index += 1) expect(ask(one)).toBe(true)
  for (let index = 0; index < 100; index += 1) ask(two)
  for (let index = 0; index < 100; index += 1) ask(one)
  expect(written).toBeGreaterThanOrEqual(150)
  expect(written).toBeLessThan(200)
  for (const line of [one, two]) await t.settled(() => ask(line))
  expect(written + leftOut).toBe(asked)
})

test('an address that tries one token after another is told to wait, and a hub with its own is let in', async () => {
  const { port } = t.app.server.address() as AddressInfo
  const attempt = (token: string) => connect(port, token)
  const statuses: number[] = []
  for (let index = 0; index < 62; index += 1) statuses.push(await attempt(`wrong-${index}`))
  expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
  expect(await attempt(farm.token)).toBe(101)
})

test('a hub that connects again and again is told to wait, and another one is let in', async () => {
  const { port } = t.app.server.address() as AddressInfo
  const statuses: number[] = []
  for (let index = 0; index < 125; index += 1) statuses.push(await connect(port, farm.token))
  expect([statuses[0], statuses.at(-1)]).toEqual([101, 429])
  expect(statuses.filter((status) => status === 101).length).toBeLessThanOrEqual(120)
  const other = await createTestFarm(t)
  expect(await connect(port, other.token)).toBe(101)
  await other.hub.close()
})

/** The status of the answer to a connection with this token, which ends at once. */
function connect(port: number, token: string): Promise<number> {
  return new Promise<number>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${CONNECT_PATH}`, SUBPROTOCOL, {
      headers: { authorization: `Bearer ${token}` },
    })
    socket.on('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    socket.on('error', reject)
  })
}

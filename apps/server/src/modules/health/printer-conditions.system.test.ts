import type { PrinterState } from '@printyard/protocol/printer-state'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Context } from '../../context/context.ts'
import type { PrinterId } from '../../kernel/ids.ts'
import { Memory } from '../../kernel/memory.ts'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { watchConditions } from './printer-conditions.ts'

let t: TestApp
let farm: TestFarm
let offsetMs = 0
beforeAll(async () => {
  t = await createTestApp({ context: { clock: { now: () => new Date(Date.now() + offsetMs) } } })
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  // It is in reach for the first time.
  await settle()
  await t.db.sql`delete from events where account_id = ${farm.account.id}`
  return () => farm.hub.close()
})

async function settle(context: Context = t.context): Promise<void> {
  await watchConditions(context)
  offsetMs += 20_000
  await watchConditions(context)
}

async function report(state: Partial<PrinterState>): Promise<void> {
  farm.hub.telemetry(farm.printerId, state)
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === state.status)
}

/** A second printer on the hub, which knows of it. */
async function addPrinter(): Promise<PrinterId> {
  const printer = { name: 'Second', model: 'MK4S', hub_id: farm.hubId, connection_type: 'virtual' }
  const { id } = (await farm.account.request('POST', '/printers', printer)).json().data
  await t.settled(() => t.context.hubs.find(farm.hubId)?.printerIds.has(id) === true)
  return id
}

async function hubLeaves(): Promise<void> {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
}

const told = ['printer.offline', 'printer.online', 'printer.error', 'printer.error_ended']
const events = async () =>
  t.db.sql<{ type: string; subject_id: string; data: Record<string, unknown>; actor: string }[]>`
    select type, subject_id, data, actor from events
    where account_id = ${farm.account.id} and type = any(${told}) order by id`
const typesOf = async () => (await events()).map(({ type }) => type)

test('a new printer is online when its hub has reached it', async () => {
  const id = await addPrinter()
  await settle()
  expect(await events()).toEqual([])
  farm.hub.telemetry(id, { status: 'idle' })
  await t.settled(() => t.context.printers.find(id)?.state.status === 'idle')
  await settle()
  expect(await events()).toMatchObject([{ type: 'printer.online', subject_id: id, data: { status: 'idle' } }])
})

test('a printer that stops answering is told once, and once that it answers again', async () => {
  await report({ status: 'offline', problems: [{ reason: 'unreachable', message: null }] })
  const stoppedAt = Date.now() + offsetMs
  await settle()
  await settle()
  expect(await events()).toEqual([
    {
      type: 'printer.offline',
      subject_id: farm.printerId,
      data: { cause: 'no_answer', since: expect.any(String), problems: ['unreachable'] },
      actor: 'system',
    },
  ])
  const since = Date.parse(String((await events())[0]?.data.since))
  expect(Math.abs(since - stoppedAt)).toBeLessThan(15_000)
  await report({ status: 'printing' })
  await settle()
  await settle()
  expect(await typesOf()).toEqual(['printer.offline', 'printer.online'])
})

test('what lasts for a moment is no event', async () => {
  await report({ status: 'offline' })
  await watchConditions(t.context)
  offsetMs += 10_000
  await watchConditions(t.context)
  await report({ status: 'idle' })
  await settle()
  expect(await events()).toEqual([])
})

test('an error is told with what the printer says, is not over while it is out of reach, and ends', async () => {
  await report({ status: 'error', status_reason: 'Thermistor', problems: [{ reason: 'print_error', message: null }] })
  await settle()
  await report({ status: 'offline' })
  await settle()
  await report({ status: 'error', status_reason: 'Thermistor' })
  await settle()
  await report({ status: 'idle' })
  await settle()
  expect((await events()).map(({ type, data }) => [type, data.reason ?? data.status ?? data.cause])).toEqual([
    ['printer.error', 'Thermistor'],
    ['printer.offline', 'no_answer'],
    ['printer.online', 'error'],
    ['printer.error_ended', 'idle'],
  ])
})

test('a hub that comes back within two minutes leaves no events of its printers', async () => {
  await hubLeaves()
  await settle()
  offsetMs += 60_000
  await settle()
  await farm.reconnect()
  await report({ status: 'idle' })
  await settle()
  expect(await events()).toEqual([])
})

test('a hub that stays away takes each of its printers offline, once', async () => {
  const id = await addPrinter()
  farm.hub.telemetry(id, { status: 'error' })
  await t.settled(() => t.context.printers.find(id)?.state.status === 'error')
  await settle()
  await t.db.sql`delete from events where account_id = ${farm.account.id}`
  await hubLeaves()
  await watchConditions(t.context)
  offsetMs += 125_000
  await settle()
  await settle()
  const gone = await events()
  expect(gone.map(({ type, subject_id }) => [type, subject_id])).toEqual([
    ['printer.offline', farm.printerId],
    ['printer.offline', id],
  ])
  expect(gone.map(({ data }) => data.cause)).toEqual(['hub_offline', 'hub_offline'])
  // By another run of the service it is known, and a hub may take a while to come back to it.
  const restarted = { ...t.context, memory: new Memory() }
  await settle(restarted)
  await farm.reconnect()
  await report({ status: 'idle' })
  await settle(restarted)
  expect((await typesOf()).slice(2)).toEqual(['printer.online'])
})

test('a service that has just started waits for the hubs to come back', async () => {
  await hubLeaves()
  offsetMs += 3_600_000
  const restarted = { ...t.context, memory: new Memory() }
  await settle(restarted)
  expect(await events()).toEqual([])
  offsetMs += 125_000
  await settle(restarted)
  expect(await typesOf()).toEqual(['printer.offline'])
})

test('who takes a printer out of service or out of use knows that it is away', async () => {
  await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: true })
  await report({ status: 'offline' })
  await settle()
  await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: false })
  await farm.account.request('PATCH', `/printers/${farm.printerId}`, { is_active: false })
  await settle()
  expect(await events()).toEqual([])
})

test('a printer that comes and goes for an hour fills no table, and its last event is true', async () => {
  for (let cycle = 0; cycle < 45; cycle += 1) {
    await report({ status: 'offline' })
    await settle()
    offsetMs += 20_000
    await report({ status: 'idle' })
    await settle()
    offsetMs += 20_000
  }
  const types = await typesOf()
  expect(types.length).toBeGreaterThan(6)
  expect(types.length).toBeLessThanOrEqual(6 + 12 + 1)
  for (const [index, type] of types.entries()) expect(type).toBe(index % 2 === 0 ? 'printer.offline' : 'printer.online')
  offsetMs += 300_000
  await settle()
  expect((await typesOf()).at(-1)).toBe('printer.online')
})

test('two processes that look at once tell it once', async () => {
  await report({ status: 'offline' })
  const other = { ...t.context, memory: new Memory() }
  for (const context of [t.context, other]) await watchConditions(context)
  offsetMs += 20_000
  await Promise.all([watchConditions(t.context), watchConditions(other)])
  expect(await typesOf()).toEqual(['printer.offline'])
})

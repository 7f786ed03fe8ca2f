import type { PrinterId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { backUpDatabase } from '../test/database-backup.ts'
import { type InProcessFarm, startInProcessFarm } from '../test/in-process-farm.ts'

let farm: InProcessFarm
beforeAll(async () => {
  farm = await startInProcessFarm()
})
afterAll(() => farm?.end())

const plateOf = (printerId: PrinterId) =>
  farm.ask<{ plate_state: string; plate_change_reason: string }>(200, 'GET', `/printers/${printerId}`)
const isUnknown = { plate_state: 'unknown', plate_change_reason: 'service_restored' }

async function becomes(jobId: string, status: string): Promise<void> {
  await farm.t.settled(async () => (await farm.job(jobId)).status === status)
}

async function printAndClear(printerId: PrinterId): Promise<string> {
  const jobId = await farm.queueJob(printerId)
  await farm.print(jobId)
  await farm.clearPlate(printerId)
  return jobId
}

test('a service that was restored from a backup asks what ran since, starts nothing by itself, and goes on after that', async () => {
  const { t, account } = farm
  await farm.startHub()
  const busy = await farm.addPrinter()
  const halted = await farm.addPrinter({ speed: 20 })
  const running = await farm.addPrinter({ speed: 20 })
  const elsewhere = await createHubWithToken(systemWork(t.db.sql, account.id), 'Another')
  const { id: idle } = await farm.ask<{ id: PrinterId }>(201, 'POST', '/printers', {
    name: 'Of another hub',
    model: 'MK4S',
    hub_id: elsewhere.id,
    connection_type: 'virtual',
  })
  await farm.ask(200, 'POST', `/printers/${idle}/control`, { action: 'clear_bed' })
  await printAndClear(busy)
  const queued = await farm.queueJob(busy)
  const paused = await farm.queueJob(halted)
  await farm.ask(200, 'POST', `/jobs/${paused}/start`)
  await becomes(paused, 'printing')
  await farm.ask(200, 'POST', `/jobs/${paused}/pause`)
  const long = await farm.queueJob(running)
  await farm.ask(200, 'POST', `/jobs/${long}/start`)
  await becomes(long, 'printing')
  const backup = await backUpDatabase(t.db.target)

  await farm.print(queued)
  await farm.clearPlate(busy)
  await printAndClear(busy)
  await farm.ask(200, 'POST', `/jobs/${paused}/stop`)
  await farm.clearPlate(halted)
  const starts = await farm.countStarts(busy)
  expect(starts).toBe(3)
  await farm.stopHub()
  await backup.restore()
  await farm.ask(200, 'PATCH', `/printers/${busy}`, { auto_start: true })

  await farm.startHub()
  await t.settled(() => t.context.printers.find(busy)?.state.status === 'idle')
  // What the hub knows of an attempt settles it; what lies on the plate after that, a person says.
  await becomes(paused, 'cancelled')
  expect((await farm.job(long)).status).toBe('printing')
  expect(await plateOf(busy)).toMatchObject(isUnknown)
  expect(await plateOf(idle)).toMatchObject(isUnknown)
  expect((await plateOf(halted)).plate_state).not.toBe('clear')
  expect(await plateOf(running)).toMatchObject({ plate_state: 'occupied', plate_change_reason: 'print_started' })

  const tasks = await farm.ask<{ printer_id: string; title: string; description: string }[]>(
    200,
    'GET',
    '/worklist?status=pending',
  )
  const asked = tasks.filter(({ printer_id }) => printer_id === busy)
  expect(asked).toHaveLength(1)
  expect(asked[0]?.title).toContain('restored from a backup')
  expect(asked[0]?.description.match(/bracket-\w+\.gcode \(done/g)).toHaveLength(2)
  expect(tasks.filter(({ printer_id }) => printer_id === idle)).toHaveLength(1)
  const events = await t.db.sql<{ data: Record<string, unknown> }[]>`
    select data from events
    where account_id = ${account.id} and type = 'hub.service_restored' and subject_id = ${farm.hubId}`
  expect(events).toMatchObject([{ data: { prints: { length: 3 } } }])

  const refused = await account.request('POST', `/jobs/${queued}/start`)
  expect(refused.json().error.code).toBe('PRINTER_UNAVAILABLE')
  expect(await farm.countStarts(busy)).toBe(starts)
  await farm.clearPlate(busy)
  await becomes(queued, 'completed')
  expect(await farm.countStarts(busy)).toBe(starts + 1)
  const refusals = await t.db.sql`
    select id from commands where account_id = ${account.id} and error_code = 'STALE_FENCE'`
  expect(refusals).toEqual([])

  // It is asked about once: a plate that a person cleared since stays clear.
  await farm.clearPlate(busy)
  await farm.ask(200, 'POST', `/printers/${idle}/control`, { action: 'clear_bed' })
  await farm.stopHub()
  await farm.startHub()
  expect((await plateOf(busy)).plate_state).toBe('clear')
  expect((await plateOf(idle)).plate_state).toBe('clear')
  await farm.ask(200, 'POST', `/jobs/${long}/stop`)
})

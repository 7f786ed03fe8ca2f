import type { PrinterStatus } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { beforeEach, expect, test } from 'vitest'
import type { HubId } from '../kernel/ids.ts'
import { fromHub } from '../live/hub-messages.ts'
import type { HubConnection } from '../live/hubs.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { hubConnection } from '../test/farm/hub-connection.ts'
import { addTestFile, readSlicedFile } from '../test/farm/sliced-file.ts'
import { addSku, itemOf } from '../test/farm/test-catalogue.ts'
import { dataOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const groups = {
  printers: ['total', 'idle', 'printing', 'paused', 'maintenance', 'offline', 'error'],
  jobs: ['pending', 'queued', 'printing', 'processing', 'today_completed', 'today_failed'],
  tasks: ['pending', 'collection', 'assembly', 'filament_change'],
  hubs: ['total', 'online'],
  alerts: ['low_stock'],
} as const

let now = new Date()
beforeEach(() => {
  now = new Date('2026-06-15T12:00:00.000Z')
})
const { t, account } = accountForEachTest({ context: { clock: { now: () => now } } })

const overview = async () => dataOf(await account.request('GET', '/analytics/overview'))

let names = 0

function connect(hubId: HubId): HubConnection {
  const connection = hubConnection({ accountId: account.id, hubId, printerIds: new Set() }, now)
  t.context.hubs.attach(connection)
  return connection
}

async function addPrinter(hub: HubConnection, status: PrinterStatus): Promise<string> {
  const printer = { name: `P${++names}`, model: 'MK4S', connection_type: 'virtual', hub_id: hub.hubId }
  const { id } = dataOf(await account.request('POST', '/printers', printer), 201)
  // The hub is told of its printers after the answer.
  await t.settled(() => hub.printerIds.has(id))
  const state = { ...fromHub(unknownPrinterState('told by the test')), status }
  t.context.hubs.applyTelemetry(hub, [{ printer_id: id, full: true, state }], now)
  return id
}

const addHub = async () => dataOf(await account.request('POST', '/hubs', { name: `H${++names}` }), 201).id

async function addJobs(fileId: string, jobs: [status: string, endedAt: string | null][]): Promise<void> {
  for (const [status, endedAt] of jobs) {
    await t.db.sql`
      insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
        quantity_per_print, plates_total, created_by, time_completed)
      select account_id, ${`job_${++names}`}, ${status}, print_file_id, id, 'clip', 1, 1, 1, 'system',
        ${endedAt}::timestamptz
      from print_file_versions where account_id = ${account.id} and print_file_id = ${fileId}`
  }
}

keepsCommonPromises({ method: 'GET', path: '/analytics/overview', scope: 'read' }, () => ({ t, account }))

test('200: the date and exactly these groups of integer counters, all zero on a new farm', async () => {
  const data = await overview()
  expect(Object.keys(data).sort()).toEqual(['date', ...Object.keys(groups)].sort())
  expect(data.date).toBe('2026-06-15')
  for (const [group, counters] of Object.entries(groups)) {
    expectForm(data[group], Object.fromEntries(counters.map((name) => [name, 'integer'])) as Form)
    expect(Object.values(data[group]).every((count) => count === 0)).toBe(true)
  }
})

test('printers: active ones only, by what they do now: maintenance wins, then a hub that is away makes offline', async () => {
  const hub = connect(await addHub())
  for (const status of ['idle', 'idle', 'printing', 'paused', 'error', 'offline'] as const)
    await addPrinter(hub, status)
  const serviced = await addPrinter(hub, 'printing')
  await account.request('PUT', `/printers/${serviced}/maintenance`, { in_maintenance: true })
  const retired = await addPrinter(hub, 'idle')
  await account.request('PATCH', `/printers/${retired}`, { is_active: false })
  const present = { total: 7, idle: 2, printing: 1, paused: 1, maintenance: 1, offline: 1, error: 1 }
  expect((await overview()).printers).toEqual(present)
  t.context.hubs.detach(hub)
  expect((await overview()).printers).toEqual({ ...present, idle: 0, printing: 0, paused: 0, offline: 6, error: 0 })
})

test('hubs: all of them, and those connected now', async () => {
  const [hubId] = [await addHub(), await addHub()]
  const connection = connect(hubId)
  expect((await overview()).hubs).toEqual({ total: 2, online: 1 })
  t.context.hubs.detach(connection)
  expect((await overview()).hubs).toEqual({ total: 2, online: 0 })
})

test("jobs: pending is all that is not over; today is the calendar day of the account, by the job's end", async () => {
  const { id } = await addTestFile(t, account, await readSlicedFile())
  await addJobs(id, [
    ['queued', null],
    ['queued', null],
    ['processing', null],
    ['printing', null],
    ['paused', null],
    ['completed', '2026-06-14T23:59:59.999Z'],
    ['completed', '2026-06-15T00:00:00.000Z'],
    ['failed', '2026-06-15T11:59:00.000Z'],
    ['failed', '2026-06-14T22:00:00.000Z'],
    ['cancelled', '2026-06-15T11:00:00.000Z'],
  ])
  const open = { pending: 5, queued: 2, printing: 1, processing: 1 }
  expect((await overview()).jobs).toEqual({ ...open, today_completed: 1, today_failed: 1 })
  // Two hours ahead: the day began at 22:00 UTC.
  await t.db.sql`update accounts set time_zone = 'Europe/Berlin' where id = ${account.id}`
  expect((await overview()).jobs).toEqual({ ...open, today_completed: 2, today_failed: 2 })
  now = new Date('2026-06-15T22:00:00.000Z')
  expect(await overview()).toMatchObject({ date: '2026-06-16', jobs: { today_completed: 0, today_failed: 0 } })
})

test('tasks: pending and in progress, in all and by type', async () => {
  const add = async (task_type: string, status?: string) => {
    const { id } = dataOf(await account.request('POST', '/worklist', { title: 'x', task_type }), 201)
    if (status) dataOf(await account.request('PUT', `/worklist/${id}/status`, { status }))
  }
  await add('collection')
  await add('collection', 'in_progress')
  await add('collection', 'completed')
  await add('assembly')
  await add('assembly', 'cancelled')
  await add('filament_change', 'in_progress')
  await add('maintenance')
  await add('quality_check')
  expect((await overview()).tasks).toEqual({ pending: 6, collection: 2, assembly: 1, filament_change: 1 })
})

test('alerts.low_stock: active items that are low or out of stock', async () => {
  const add = async (stock: number, threshold: number) => {
    const sku = await addSku(account, { low_stock_threshold: threshold })
    const item = await itemOf(account, sku)
    if (stock > 0)
      await account.request('POST', `/inventory/${item.id}/adjust`, { adjustment: stock, reason: 'manual' })
    return sku
  }
  await add(0, 0)
  await add(2, 2)
  await add(3, 2)
  const retired = await add(0, 5)
  expect((await overview()).alerts).toEqual({ low_stock: 3 })
  dataOf(await account.request('PATCH', `/skus/${retired.id}`, { is_active: false }))
  expect((await overview()).alerts).toEqual({ low_stock: 2 })
})

test('nothing of costs, margins or profits, and nothing of another account', async () => {
  const stranger = await t.account()
  await stranger.request('POST', '/worklist', { title: 'x', task_type: 'assembly' })
  await stranger.request('POST', '/hubs', { name: 'Theirs' })
  const { body } = await account.request('GET', '/analytics/overview')
  expect(body).not.toMatch(/cost|margin|profit|revenue/)
  expect(JSON.parse(body).data).toMatchObject({ tasks: { pending: 0 }, hubs: { total: 0 } })
})

import type { PrinterStatus } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { beforeEach, describe, expect, test } from 'vitest'
import { type HubId, newId } from '../../kernel/ids.ts'
import { fromHub, type PrinterState } from '../../live/hub-messages.ts'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'
import { addSku, itemOf } from '../../test/farm/test-catalogue.ts'
import { createTestFarm } from '../../test/farm/test-farm.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { getDay } from '../people/accounts/account-days.queries.ts'
import { countJobs, countTasks } from './analytics.queries.ts'

let now = new Date('2026-06-15T12:00:00Z')
beforeEach(() => {
  now = new Date('2026-06-15T12:00:00Z')
})
const { t, account: farm } = accountForEachTest({ context: { clock: { now: () => now } } })

async function overview(account = farm) {
  const answer = await account.request('GET', '/analytics/overview')
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

/** A hub, connected unless told otherwise; it may be let go of again. */
async function addHub(name: string, account = farm, isConnected = true): Promise<{ id: HubId; leave(): void }> {
  const { id } = (await account.request('POST', '/hubs', { name })).json().data
  const connection = hubConnection({ accountId: account.id, hubId: id, printerIds: new Set() }, now)
  if (isConnected) t.context.hubs.attach(connection)
  return { id, leave: () => void t.context.hubs.detach(connection) }
}

let names = 0

async function addPrinter(hubId: HubId | undefined, status?: PrinterStatus, account = farm): Promise<string> {
  const printer = { name: `Printer ${++names}`, model: 'MK4S', connection_type: 'virtual', hub_id: hubId }
  const answer = await account.request('POST', '/printers', printer)
  expect(answer.statusCode, answer.body).toBe(201)
  const { id } = answer.json().data
  const connection = hubId === undefined ? undefined : t.context.hubs.findHere(hubId)
  // The hub is told of its printers after the answer.
  if (connection) await t.settled(() => connection.printerIds.has(id))
  if (connection && status) {
    const state: PrinterState = { ...fromHub(unknownPrinterState('told by the test')), status }
    t.context.hubs.applyTelemetry(connection, [{ printer_id: id, full: true, state }], now)
  }
  return id
}

/** A print file for jobs that are put straight into the table. */
async function addFile(account = farm): Promise<{ fileId: string; versionId: string }> {
  const [fileId, versionId] = [newId('printFile'), newId('fileVersion')]
  await t.db.sql`insert into print_files (account_id, id, name) values (${account.id}, ${fileId}, 'clip')`
  await t.db.sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    values (${account.id}, ${versionId}, ${fileId}, 1, true, 'clip.gcode', ${'0'.repeat(64)}, 1, 'gcode', true, '{}')`
  return { fileId, versionId }
}

/** Jobs of one status, the first ended at `endedAt` and each other one `everySeconds` earlier. */
async function addJobs(
  count: number,
  status: string,
  endedAt: string | Date | null = null,
  { account = farm, everySeconds = 0 } = {},
): Promise<void> {
  const { fileId, versionId } = await addFile(account)
  await t.db.sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by, time_completed)
    select ${account.id}, ${versionId} || n, ${status}, ${fileId}, ${versionId}, 'clip', 1, 1, 1, 'system',
      ${endedAt}::timestamptz - (n - 1) * ${everySeconds} * interval '1 s'
    from generate_series(1, ${count}) n`
}

async function addTasks(count: number, taskType: string, status: string, account = farm): Promise<void> {
  await t.db.sql`
    insert into worklist_tasks (account_id, id, title, task_type, status, completed_at, created_by)
    select ${account.id}, 'tsk_' || ${++names} || '_' || n, 'Do it', ${taskType}, ${status},
      ${status === 'completed' ? now : null}, 'system'
    from generate_series(1, ${count}) n`
}

async function liveIn(timeZone: string, account = farm): Promise<void> {
  await t.db.sql`update accounts set time_zone = ${timeZone} where id = ${account.id}`
}

const nothing = {
  date: '2026-06-15',
  printers: { total: 0, idle: 0, printing: 0, paused: 0, maintenance: 0, offline: 0, error: 0 },
  jobs: { pending: 0, queued: 0, printing: 0, processing: 0, today_completed: 0, today_failed: 0 },
  tasks: { pending: 0, collection: 0, assembly: 0, filament_change: 0 },
  hubs: { total: 0, online: 0 },
  alerts: { low_stock: 0 },
}

describe('GET /analytics/overview', () => {
  test('200: a new farm has zeros, in exactly the groups of the contract', async () => {
    const answer = await farm.request('GET', '/analytics/overview')
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toEqual({ success: true, data: nothing })
  })

  test('printers in use are counted by what they do now, those out of use not at all', async () => {
    const hub = await addHub('Hub')
    const statuses = ['idle', 'idle', 'printing', 'paused', 'error', 'offline', 'maintenance'] as const
    for (const status of statuses) await addPrinter(hub.id, status)
    await addPrinter(hub.id) // Not heard of yet.
    await addPrinter(undefined) // Without a hub.
    const unused = await addPrinter(hub.id, 'idle')
    expect((await farm.request('PATCH', `/printers/${unused}`, { is_active: false })).statusCode).toBe(200)
    expect((await overview()).printers).toEqual({
      total: 9,
      idle: 2,
      printing: 1,
      paused: 1,
      maintenance: 1,
      offline: 3,
      error: 1,
    })
  })

  test('when a hub is away its printers are offline, but maintenance wins', async () => {
    const hub = await addHub('Hub')
    await addPrinter(hub.id, 'printing')
    const inMaintenance = await addPrinter(hub.id, 'idle')
    const answer = await farm.request('PUT', `/printers/${inMaintenance}/maintenance`, { in_maintenance: true })
    expect(answer.statusCode).toBe(200)
    expect((await overview()).printers).toMatchObject({ total: 2, printing: 1, maintenance: 1, offline: 0 })
    hub.leave()
    expect((await overview()).printers).toMatchObject({ total: 2, printing: 0, maintenance: 1, offline: 1 })
  })

  test('hubs are online while they are connected', async () => {
    const hub = await addHub('Hub')
    await addHub('Never connected', farm, false)
    expect((await overview()).hubs).toEqual({ total: 2, online: 1 })
    hub.leave()
    expect((await overview()).hubs).toEqual({ total: 2, online: 0 })
  })

  test('all jobs that are not over are pending; a paused one is in no other count', async () => {
    await addJobs(4, 'queued')
    await addJobs(3, 'processing')
    await addJobs(2, 'printing')
    await addJobs(1, 'paused')
    await addJobs(5, 'cancelled', now)
    expect((await overview()).jobs).toEqual({
      pending: 10,
      queued: 4,
      printing: 2,
      processing: 3,
      today_completed: 0,
      today_failed: 0,
    })
  })

  test('a job is counted in one place at a time, from the queue to its end', async () => {
    const live = await createTestFarm(t)
    const jobId = await live.queueJob()
    const jobsNow = async () => (await overview(live.account)).jobs
    expect(await jobsNow()).toEqual({ ...nothing.jobs, pending: 1, queued: 1 })
    const attempt = await live.print(jobId)
    expect(await overview(live.account)).toMatchObject({
      jobs: { ...nothing.jobs, pending: 1, printing: 1 },
      printers: { ...nothing.printers, total: 1, printing: 1 },
    })
    await live.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    await t.settled(async () => (await live.job(jobId)).status === 'completed')
    expect(await jobsNow()).toEqual({ ...nothing.jobs, today_completed: 1 })
    await live.hub.close()
  })

  test('tasks that are not over are pending, and counted by type', async () => {
    for (const status of ['pending', 'in_progress', 'completed', 'cancelled']) {
      await addTasks(2, 'collection', status)
      await addTasks(1, 'filament_change', status)
    }
    await addTasks(1, 'assembly', 'pending')
    await addTasks(1, 'maintenance', 'pending')
    expect((await overview()).tasks).toEqual({ pending: 8, collection: 4, assembly: 1, filament_change: 2 })
  })

  test('low stock and no stock raise the alert, of active items only', async () => {
    const stocks = [0, 1, 100]
    for (const adjustment of stocks) {
      const item = await itemOf(farm, await addSku(farm, { low_stock_threshold: 5 }))
      if (adjustment > 0) {
        const answer = await farm.request('POST', `/inventory/${item.id}/adjust`, { adjustment, reason: 'manual' })
        expect(answer.statusCode, answer.body).toBe(200)
      }
    }
    expect((await overview()).alerts).toEqual({ low_stock: 2 })
    const notSold = await addSku(farm)
    expect((await overview()).alerts).toEqual({ low_stock: 3 })
    await farm.request('PATCH', `/skus/${notSold.id}`, { is_active: false })
    expect((await overview()).alerts).toEqual({ low_stock: 2 })
  })

  test('nothing of another account is counted', async () => {
    const stranger = await t.account({ name: 'Another farm' })
    await addPrinter((await addHub('Hub', stranger)).id, 'idle', stranger)
    await addJobs(1, 'queued', null, { account: stranger })
    await addJobs(1, 'completed', now, { account: stranger })
    await addTasks(1, 'assembly', 'pending', stranger)
    await addSku(stranger)
    expect(await overview(stranger)).toMatchObject({
      printers: { total: 1, idle: 1 },
      jobs: { pending: 1, today_completed: 1 },
      tasks: { pending: 1 },
      hubs: { total: 1, online: 1 },
      alerts: { low_stock: 1 },
    })
    expect(await overview()).toEqual(nothing)
  })

  test('401 without a key, 403 without the scope', async () => {
    expect((await t.app.inject({ url: '/public/v1/analytics/overview' })).statusCode).toBe(401)
    const writer = await t.account({ scopes: ['write', 'control'] })
    const answer = await writer.request('GET', '/analytics/overview')
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'INSUFFICIENT_SCOPE'])
  })
})

describe('today', () => {
  test('is from midnight to midnight, the first included', async () => {
    await addJobs(1, 'completed', '2026-06-14T23:59:59.999999Z')
    await addJobs(2, 'completed', '2026-06-15T00:00:00Z')
    await addJobs(4, 'failed', '2026-06-15T23:59:59.999999Z')
    await addJobs(8, 'failed', '2026-06-16T00:00:00Z')
    expect(await overview()).toMatchObject({ date: '2026-06-15', jobs: { today_completed: 2, today_failed: 4 } })
    now = new Date('2026-06-16T00:00:00Z')
    expect(await overview()).toMatchObject({ date: '2026-06-16', jobs: { today_completed: 0, today_failed: 8 } })
  })

  test('is that of the time zone of the account', async () => {
    await addJobs(1, 'completed', '2026-06-15T01:00:00Z')
    await addJobs(2, 'completed', '2026-06-15T11:59:59Z')
    await addJobs(4, 'completed', '2026-06-15T12:00:00Z')
    await liveIn('Pacific/Auckland')
    expect(await overview()).toMatchObject({ date: '2026-06-16', jobs: { today_completed: 4 } })
    now = new Date('2026-06-15T11:59:59.999Z')
    expect(await overview()).toMatchObject({ date: '2026-06-15', jobs: { today_completed: 3 } })
    await liveIn('America/St_Johns')
    now = new Date('2026-06-15T02:29:59.999Z')
    expect(await overview()).toMatchObject({ date: '2026-06-14', jobs: { today_completed: 1 } })
    now = new Date('2026-06-15T02:30:00Z')
    expect(await overview()).toMatchObject({ date: '2026-06-15', jobs: { today_completed: 6 } })
  })

  // Zone, a moment of the day, the day, its beginning, its end; the offsets and changes are those of the IANA data.
  const days: [zone: string, what: string, at: string, date: string, startsAt: string, endsAt: string][] = [
    ['UTC', 'a day', '2026-06-15T12:00Z', '2026-06-15', '2026-06-15T00:00Z', '2026-06-16T00:00Z'],
    [
      'Asia/Kathmandu',
      'five and three quarters ahead',
      '2026-06-15T18:15Z',
      '2026-06-16',
      '2026-06-15T18:15Z',
      '2026-06-16T18:15Z',
    ],
    [
      'Pacific/Kiritimati',
      'the earliest day',
      '2026-06-15T10:00Z',
      '2026-06-16',
      '2026-06-15T10:00Z',
      '2026-06-16T10:00Z',
    ],
    [
      'Pacific/Auckland',
      '23 hours in spring',
      '2026-09-27T02:00Z',
      '2026-09-27',
      '2026-09-26T12:00Z',
      '2026-09-27T11:00Z',
    ],
    [
      'Pacific/Auckland',
      '25 hours in autumn',
      '2026-04-04T12:00Z',
      '2026-04-05',
      '2026-04-04T11:00Z',
      '2026-04-05T12:00Z',
    ],
    [
      'America/St_Johns',
      '23 hours in spring',
      '2026-03-08T23:00Z',
      '2026-03-08',
      '2026-03-08T03:30Z',
      '2026-03-09T02:30Z',
    ],
    [
      'America/St_Johns',
      '25 hours in autumn',
      '2026-11-02T03:29Z',
      '2026-11-01',
      '2026-11-01T02:30Z',
      '2026-11-02T03:30Z',
    ],
    [
      'Africa/Cairo',
      'a midnight that is skipped',
      '2026-04-24T12:00Z',
      '2026-04-24',
      '2026-04-23T22:00Z',
      '2026-04-24T21:00Z',
    ],
    [
      'America/Santiago',
      'a day whose last hour comes twice',
      '2026-04-05T03:30Z',
      '2026-04-04',
      '2026-04-04T03:00Z',
      '2026-04-05T04:00Z',
    ],
    [
      'Atlantic/Azores',
      'a midnight that comes twice, at the first',
      '2026-10-25T00:30Z',
      '2026-10-25',
      '2026-10-25T00:00Z',
      '2026-10-26T01:00Z',
    ],
    [
      'Atlantic/Azores',
      'a midnight that comes twice, at the second',
      '2026-10-25T01:00Z',
      '2026-10-25',
      '2026-10-25T00:00Z',
      '2026-10-26T01:00Z',
    ],
    [
      'Atlantic/Azores',
      'the day before such a midnight',
      '2026-10-24T23:59Z',
      '2026-10-24',
      '2026-10-24T00:00Z',
      '2026-10-25T00:00Z',
    ],
  ]
  test.each(days)('in %s: %s', async (zone, _what, at, date, startsAt, endsAt) => {
    await liveIn(zone)
    expect(await getDay(t.db.sql, farm.id, new Date(at))).toEqual({
      date,
      starts_at: new Date(startsAt),
      ends_at: new Date(endsAt),
    })
  })

  test('every moment around a change of the clocks belongs to the day that its calendar shows', async () => {
    for (const [zone, change] of [
      ['Pacific/Auckland', '2026-04-04T14:00Z'],
      ['America/St_Johns', '2026-03-08T05:30Z'],
      ['Atlantic/Azores', '2026-10-25T01:00Z'],
      ['Africa/Cairo', '2026-04-23T22:00Z'],
    ] as const) {
      await liveIn(zone)
      const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
      for (let minutes = -30 * 60; minutes <= 30 * 60; minutes += 30) {
        const at = new Date(new Date(change).getTime() + minutes * 60_000)
        const day = await getDay(t.db.sql, farm.id, at)
        expect([zone, at, day.date]).toEqual([zone, at, calendar.format(at)])
        expect(at >= day.starts_at && at < day.ends_at, `${zone} ${at.toISOString()}`).toBe(true)
      }
    }
  })
})

describe('the cost of the overview', () => {
  /** Rows that the plan took from the tables and indexes, those it threw away included. */
  function rowsRead(plan: unknown): number {
    const nodes = JSON.stringify(plan).matchAll(
      /"Node Type":"[^"]*Scan",[^{}[\]]*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)([^{}]*)/g,
    )
    return [...nodes].reduce((sum, [, rows, loops, rest]) => {
      const removed = /"Rows Removed by (?:Filter|Index Recheck)":(\d+)/.exec(rest ?? '')?.[1] ?? 0
      return sum + (Number(rows) + Number(removed)) * Number(loops)
    }, 0)
  }

  test('does not grow with the jobs that ended before today', async () => {
    await addJobs(20, 'queued')
    await addJobs(100, 'completed', now, { everySeconds: 60 })
    await t.db.sql`analyze jobs`
    const day = await getDay(t.db.sql, farm.id, now)
    const explainCounts = () => countJobs(explaining(t.db.sql, 'analyze'), farm.id, day)
    const young = rowsRead(await explainCounts())
    expect(young).toBe(120)

    await addJobs(30_000, 'completed', '2026-06-14T23:00:00Z', { everySeconds: 300 })
    await addJobs(10_000, 'failed', '2026-06-14T22:00:00Z', { everySeconds: 900 })
    await addJobs(10_000, 'cancelled', '2026-06-14T21:00:00Z', { everySeconds: 900 })
    for (const statistics of ['stale', 'fresh']) {
      if (statistics === 'fresh') await t.db.sql`analyze jobs`
      const plan = await explainCounts()
      expect(readPlan(plan).nodes, statistics).not.toContain('Seq Scan')
      expect(readPlan(plan).indexes.sort(), statistics).toEqual(['jobs_history', 'jobs_unfinished'])
      expect(rowsRead(plan), statistics).toBe(young)
    }
    expect((await overview()).jobs).toMatchObject({ pending: 20, today_completed: 100, today_failed: 0 })
  })

  test('does not grow with the tasks that are over', async () => {
    await addTasks(30, 'collection', 'pending')
    await addTasks(40_000, 'collection', 'completed')
    await addTasks(10_000, 'filament_change', 'cancelled')
    for (const statistics of ['stale', 'fresh']) {
      if (statistics === 'fresh') await t.db.sql`analyze worklist_tasks`
      const plan = await countTasks(explaining(t.db.sql, 'analyze'), farm.id)
      expect(readPlan(plan).nodes, statistics).not.toContain('Seq Scan')
      expect(rowsRead(plan), statistics).toBeLessThanOrEqual(60)
    }
    expect((await overview()).tasks).toMatchObject({ pending: 30, filament_change: 0 })
  })
})

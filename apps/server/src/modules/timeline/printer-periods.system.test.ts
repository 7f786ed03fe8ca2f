import { setTimeout as wait } from 'node:timers/promises'
import type { PrinterStatus } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { fromHub } from '../../live/hub-messages.ts'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { hubConnection } from '../../test/farm/hub-connection.ts'
import { analyzedPlanOf, explaining, readPlan } from '../../test/run/query-plan.ts'
import { listDemand } from '../matching/matching.queries.ts'
import { recordPeriods, resumePrinterTime, sweepPrinterTime } from './follow-printer-time.ts'
import type { PeriodCause } from './period-cause.ts'
import { changePeriods, type PeriodChange, watchedPrinters } from './printer-periods.queries.ts'
import { listSegments, sumFarmTime, sumPrinterTime } from './timeline.queries.ts'

const minuteMs = 60_000
const start = new Date('2026-06-15T12:00:00Z')

let t: TestApp
let farm: TestAccount
let now = start
beforeAll(async () => {
  // Nothing is looked at by itself: the tests say when.
  t = await createTestApp({ context: { clock: { now: () => now }, isDraining: () => true } })
})
afterAll(() => t.close())
beforeEach(async () => {
  now = start
  farm = await t.account()
})

const later = (minutes: number) => new Date(start.getTime() + minutes * minuteMs)
const change = (changes: PeriodChange[], at: Date) =>
  t.db.beginForFarm(farm.id, (sql) => changePeriods(sql, farm.id, changes, at))
const record = () => recordPeriods(t.context, farm.id, now)
const everything = { from: new Date(start.getTime() - 1e9), to: new Date(start.getTime() + 1e10) }

/** Printers as the tables have them; nothing looks at them before the test does. */
async function addPrinters(count: number, hubId: string | null = null, account = farm): Promise<PrinterId[]> {
  const rows = await t.db.sql<{ id: PrinterId }[]>`
    insert into printers (account_id, id, hub_id, name, model, connection_type, connection_sealed, plate_state)
    select ${account.id}, ${account.id} || '_' || n, ${hubId}, 'Printer ' || n, 'MK4S', 'virtual', '', 'clear'
    from generate_series(1, ${count}) n returning id`
  return rows.map((row) => row.id)
}

/** A hub whose printers are told of by the test itself. */
async function addHub() {
  const { id } = (await farm.request('POST', '/hubs', { name: 'Hub' })).json().data
  const connection = hubConnection({ accountId: farm.id, hubId: id }, now)
  return {
    id,
    join: () => t.context.hubs.attach(connection),
    leave: () => void t.context.hubs.detach(connection),
    tell(printerId: PrinterId, status: PrinterStatus) {
      const state = { ...fromHub(unknownPrinterState('told by the test')), status }
      t.context.hubs.applyTelemetry(connection, [{ printer_id: printerId, full: true, state }], now)
    },
  }
}

async function periodsOf(printerId: string) {
  return t.db.sql<{ cause: string; started_at: Date; ended_at: Date | null }[]>`
    select cause, started_at, ended_at from printer_periods
    where account_id = ${farm.id} and printer_id = ${printerId} order by started_at`
}

const toError = (printerId: PrinterId, seen: PeriodCause): PeriodChange => ({
  printerId,
  seen,
  cause: 'error',
  attemptId: null,
  jobId: null,
})

describe('the record of a printer', () => {
  test('a change ends a period and begins the next at the same moment', async () => {
    const hub = await addHub()
    hub.join()
    const [printerId] = (await addPrinters(1, hub.id)) as [PrinterId]
    hub.tell(printerId, 'printing')
    await record()
    now = later(30)
    hub.tell(printerId, 'idle')
    await record()
    expect(await periodsOf(printerId)).toEqual([
      { cause: 'printing', started_at: start, ended_at: later(30) },
      { cause: 'no_matching_job', started_at: later(30), ended_at: null },
    ])
  })

  test('looking again without a change writes nothing', async () => {
    const [printerId] = (await addPrinters(1)) as [PrinterId]
    await record()
    now = later(5)
    await record()
    expect(await periodsOf(printerId)).toEqual([{ cause: 'offline', started_at: start, ended_at: null }])
  })

  test('a clock that was set back never gives a period that lasts less than nothing', async () => {
    const hub = await addHub()
    hub.join()
    const [printerId] = (await addPrinters(1, hub.id)) as [PrinterId]
    hub.tell(printerId, 'printing')
    await record()
    now = later(-60)
    hub.tell(printerId, 'paused')
    await record()
    expect(await periodsOf(printerId)).toEqual([{ cause: 'paused', started_at: start, ended_at: null }])
    now = later(10)
    hub.tell(printerId, 'printing')
    await record()
    expect(await periodsOf(printerId)).toEqual([
      { cause: 'paused', started_at: start, ended_at: later(10) },
      { cause: 'printing', started_at: later(10), ended_at: null },
    ])
  })

  test('while a hub is away its printers are offline', async () => {
    const hub = await addHub()
    hub.join()
    const printerIds = await addPrinters(2, hub.id)
    for (const printerId of printerIds) hub.tell(printerId, 'printing')
    await record()
    now = later(10)
    hub.leave()
    await record()
    for (const printerId of printerIds) {
      expect((await periodsOf(printerId)).map((period) => period.cause)).toEqual(['printing', 'offline'])
    }
  })

  test('a printer whose hub another process holds, of which nothing is heard, stays in its period until the hub is silent', async () => {
    const hub = await addHub()
    const [printerId = ''] = await addPrinters(1, hub.id)
    hub.join()
    hub.tell(printerId as PrinterId, 'printing')
    await record()
    hub.leave()
    await t.db.sql`
      insert into hub_connections (account_id, hub_id, epoch, process_id) values (${farm.id}, ${hub.id}, 2, 'other')`
    await t.db.sql`update hubs set last_seen_at = ${now} where account_id = ${farm.id} and id = ${hub.id}`
    const causes = async () => (await periodsOf(printerId)).map(({ cause }) => cause)
    now = later(1)
    await record()
    expect(await causes()).toEqual(['printing'])
    // It would know of the hub.
    await recordPeriods({ ...t.context, peers: { ...t.context.peers, isCurrent: true } }, farm.id, now)
    expect(await causes()).toEqual(['printing', 'offline'])

    hub.join()
    hub.tell(printerId as PrinterId, 'printing')
    now = later(2)
    await record()
    hub.leave()
    now = later(5)
    await record()
    expect(await causes()).toEqual(['printing', 'offline', 'printing', 'offline'])
  })

  test('of many processes that see the same change, one writes it', async () => {
    const printerIds = await addPrinters(20)
    await record()
    now = later(1)
    const changes = printerIds.map((printerId) => toError(printerId, 'offline'))
    await Promise.all(Array.from({ length: 6 }, () => change(changes, now)))
    for (const printerId of printerIds) {
      expect(await periodsOf(printerId)).toEqual([
        { cause: 'offline', started_at: start, ended_at: later(1) },
        { cause: 'error', started_at: later(1), ended_at: null },
      ])
    }
  })

  test('what was seen too long ago changes nothing', async () => {
    const [printerId] = (await addPrinters(1)) as [PrinterId]
    await record()
    await change([toError(printerId, 'printing')], later(1))
    expect(await periodsOf(printerId)).toEqual([{ cause: 'offline', started_at: start, ended_at: null }])
  })

  test('a printer that was deleted meanwhile is passed over, and its record goes with it', async () => {
    const [gone, stays] = (await addPrinters(2)) as [PrinterId, PrinterId]
    await record()
    expect((await farm.request('DELETE', `/printers/${gone}`)).statusCode).toBe(200)
    const changes = [gone, stays].map((printerId) => toError(printerId, 'offline'))
    await change(changes, later(1))
    expect(await periodsOf(gone)).toEqual([])
    expect((await periodsOf(stays)).map((period) => period.cause)).toEqual(['offline', 'error'])
  })
})

test('a look that is under way when a round begins waits before its next page, and what it sees then counts from then', async () => {
  await addPrinters(600)
  const causesOf = () => t.db.sql<{ cause: string; started_at: Date; count: number }[]>`
    select cause, started_at, count(*)::integer as count from printer_periods
    where account_id = ${farm.id} group by 1, 2 order by 2`
  const round = Promise.withResolvers<void>()
  const isFirstPage = Promise.withResolvers<void>()
  const beginForFarm: typeof t.db.beginForFarm = async (...given) => {
    const answer = await t.db.beginForFarm(...given)
    void t.context.memory.hold(makeStartRounds, undefined).run(farm.id, () => round.promise)
    isFirstPage.resolve()
    return answer
  }
  const look = recordPeriods(
    { ...t.context, db: Object.create(t.db, { beginForFarm: { value: beginForFarm } }) },
    farm.id,
    now,
  )
  await isFirstPage.promise
  // Longer than a page takes.
  await wait(300)
  const firstPage = { cause: 'offline', started_at: start, count: 500 }
  expect(await causesOf()).toEqual([firstPage])
  now = later(1)
  round.resolve()
  await look
  expect(await causesOf()).toEqual([firstPage, { cause: 'offline', started_at: later(1), count: 100 }])
})

test('a look waits no longer than it may, however many rounds follow one another', async () => {
  await addPrinters(1)
  const round = Promise.withResolvers<void>()
  void t.context.memory.hold(makeStartRounds, undefined).run(farm.id, () => round.promise)
  await recordPeriods(t.context, farm.id, now, -1)
  round.resolve()
  const periods = await t.db.sql`select cause from printer_periods where account_id = ${farm.id}`
  expect(periods).toEqual([{ cause: 'offline' }])
})

describe('what no one watched', () => {
  test('is offline from the last sweep on, when the service comes back', async () => {
    const hub = await addHub()
    hub.join()
    const [printerId] = (await addPrinters(1, hub.id)) as [PrinterId]
    hub.tell(printerId, 'printing')
    await sweepPrinterTime(t.context)
    now = later(1)
    await sweepPrinterTime(t.context)
    hub.leave()
    now = later(500)
    await resumePrinterTime(t.context)
    now = later(501)
    hub.join()
    hub.tell(printerId, 'printing')
    await record()
    expect(await periodsOf(printerId)).toEqual([
      { cause: 'printing', started_at: start, ended_at: later(1) },
      { cause: 'offline', started_at: later(1), ended_at: later(501) },
      { cause: 'printing', started_at: later(501), ended_at: null },
    ])
  })

  test('is offline as well when the machine of the service slept', async () => {
    const hub = await addHub()
    hub.join()
    const [printerId] = (await addPrinters(1, hub.id)) as [PrinterId]
    hub.tell(printerId, 'printing')
    await sweepPrinterTime(t.context)
    now = later(90)
    await sweepPrinterTime(t.context)
    expect((await periodsOf(printerId)).map(({ cause, started_at }) => [cause, started_at])).toEqual([
      ['offline', start],
      ['printing', later(90)],
    ])
    now = later(91)
    await sweepPrinterTime(t.context)
    expect(await periodsOf(printerId)).toHaveLength(2)
  })

  test('does not end what a person decided', async () => {
    const [printerId] = (await addPrinters(1)) as [PrinterId]
    await t.db.sql`update printers set in_maintenance = true where account_id = ${farm.id} and id = ${printerId}`
    await sweepPrinterTime(t.context)
    now = later(600)
    await resumePrinterTime(t.context)
    expect(await periodsOf(printerId)).toEqual([{ cause: 'maintenance', started_at: start, ended_at: null }])
  })
})

describe('whatever happens', () => {
  const statuses = ['idle', 'printing', 'paused', 'error', 'offline', 'maintenance'] as const
  const happening = fc.record({
    // The clock may be set back by hours.
    minutes: fc.integer({ min: -180, max: 400 }),
    what: fc.oneof(
      fc.constantFrom(
        'join',
        'leave',
        'sweep',
        'resume',
        'occupy',
        'clear',
        'maintenance',
        'service',
        'unused',
        'used',
      ),
      fc.record({ printer: fc.nat(2), status: fc.constantFrom(...statuses) }),
    ),
  })

  test('the periods of a printer have no gaps, do not overlap and sum to the time that passed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 1, maxLength: 25 }),
        fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 1, max: 3_000 })),
        async (happenings, [afterMinutes, lastingMinutes]) => {
          now = start
          farm = await t.account()
          const hub = await addHub()
          const printerIds = await addPrinters(3, hub.id)
          await record()
          for (const { minutes, what } of happenings) {
            now = new Date(now.getTime() + minutes * minuteMs)
            await happen(hub, printerIds, what)
            if (what !== 'sweep' && what !== 'resume') await record()
          }
          for (const printerId of printerIds) await expectWhole(printerId)
          const from = later(afterMinutes)
          await expectSums(printerIds, { from, to: new Date(from.getTime() + lastingMinutes * minuteMs) })
        },
      ),
      { numRuns: 40 },
    )
  })

  async function happen(
    hub: Awaited<ReturnType<typeof addHub>>,
    printerIds: PrinterId[],
    what: string | { printer: number; status: PrinterStatus },
  ): Promise<void> {
    if (typeof what === 'object') return hub.tell(printerIds[what.printer] as PrinterId, what.status)
    if (what === 'join' || what === 'leave') return hub[what]()
    if (what === 'sweep') return sweepPrinterTime(t.context)
    if (what === 'resume') return resumePrinterTime(t.context)
    const change = {
      occupy: { plate_state: 'occupied' },
      clear: { plate_state: 'clear' },
      maintenance: { in_maintenance: true },
      service: { in_maintenance: false },
      unused: { is_active: false },
      used: { is_active: true },
    }[what]
    await t.db.sql`
      update printers set ${t.db.sql(change ?? {})} where account_id = ${farm.id} and id = ${printerIds[0] ?? ''}`
  }

  async function expectWhole(printerId: string): Promise<void> {
    const periods = await periodsOf(printerId)
    expect(periods[0]?.started_at.getTime()).toBeLessThanOrEqual(start.getTime())
    for (const [index, period] of periods.entries()) {
      const next = periods[index + 1]
      expect(period.ended_at).toEqual(next?.started_at ?? null)
      if (period.ended_at) expect(period.ended_at > period.started_at).toBe(true)
    }
  }

  async function expectSums(printerIds: PrinterId[], span: { from: Date; to: Date }): Promise<void> {
    const wallMs = span.to.getTime() - span.from.getTime()
    const ofFarm = await sumFarmTime(t.db.reports, farm.id, span)
    for (const printerId of printerIds) {
      const segments = await listSegments(t.db.sql, farm.id, printerId, span, { limit: 1_000 })
      expect(segments[0]?.started_at).toEqual(span.from)
      expect(segments.at(-1)?.ended_at).toEqual(span.to)
      for (const [index, segment] of segments.entries()) {
        expect(segment.ended_at > segment.started_at).toBe(true)
        if (index > 0) expect(segment.started_at).toEqual(segments[index - 1]?.ended_at)
      }
      const times = await sumPrinterTime(t.db.sql, farm.id, printerId, span)
      expect(times.reduce((sum, time) => sum + time.ms, 0)).toBe(wallMs)
      const msByCause = (rows: { cause: string; ms: number }[]) =>
        Object.fromEntries(rows.map((row) => [row.cause, row.ms]))
      expect(msByCause(ofFarm.filter((row) => row.printer_id === printerId))).toEqual(msByCause(times))
    }
  }
})

describe('the cost', () => {
  /** A period of ten minutes after another, up to now. */
  async function addHistory(printers: number, periods: number): Promise<string[]> {
    const printerIds = await addPrinters(printers)
    await t.db.sql`
      insert into printer_periods (account_id, printer_id, cause, started_at, ended_at)
      select ${farm.id}, p.id, (array['printing', 'plate_not_clear', 'no_matching_job'])[1 + n % 3],
             ${start}::timestamptz - n * interval '10 min',
             case when n > 0 then ${start}::timestamptz - (n - 1) * interval '10 min' end
      from printers p cross join generate_series(0, ${periods}) n where p.account_id = ${farm.id}`
    await t.db.sql`analyze printer_periods`
    return printerIds
  }

  test('of a timeline is that of its own time, by the primary key', async () => {
    const [printerId] = (await addHistory(20, 2_000)) as [PrinterId]
    const span = { from: later(-1_440), to: start }
    const plans = [
      await listSegments(explaining(t.db.sql), farm.id, printerId, span, { limit: 100 }),
      await sumPrinterTime(explaining(t.db.sql), farm.id, printerId, span),
    ]
    for (const plan of plans) {
      const { nodes, indexes } = readPlan(plan)
      expect(nodes).not.toContain('Seq Scan')
      expect(new Set(indexes)).toEqual(new Set(['printer_periods_pkey']))
    }
  })

  test('of the time of a farm is that of the periods within it', async () => {
    await addHistory(20, 2_000)
    const { nodes, indexes } = readPlan(
      await sumFarmTime(explaining(t.db.reports), farm.id, { from: later(-1_440), to: later(-100) }),
    )
    expect(nodes).toContain('Index Only Scan')
    expect(indexes).toContain('printer_periods_by_end')
    expect(indexes).toContain('printer_periods_pkey')
  })

  test('of printers that all change at once grows with their number, whatever statistics say', async () => {
    const printerIds = await addPrinters(600)
    // Of a plan that joins all with all these are some hundred thousands.
    const removedBy = (plan: unknown) =>
      [...JSON.stringify(plan).matchAll(/"Rows Removed by (?:Join )?Filter":(\d+)/g)].reduce(
        (sum, [, rows]) => sum + Number(rows),
        0,
      )
    for (const cause of ['offline', 'error', 'offline'] as const) {
      now = new Date(now.getTime() + minuteMs)
      const seen = (await t.db.sql<{ printer_id: PrinterId; cause: PeriodCause }[]>`
        select printer_id, cause from printer_periods where account_id = ${farm.id} and ended_at is null`) as {
        printer_id: PrinterId
        cause: PeriodCause
      }[]
      const causes = new Map(seen.map((period) => [period.printer_id, period.cause]))
      const changes = printerIds.map((printerId) => ({
        ...toError(printerId, causes.get(printerId) ?? 'offline'),
        seen: causes.get(printerId) ?? null,
        cause,
      }))
      const plan = await t.db.beginForFarm(farm.id, (sql) =>
        analyzedPlanOf(sql, (handle) => changePeriods(handle, farm.id, changes, now)),
      )
      expect(removedBy(plan)).toBeLessThan(5 * printerIds.length)
    }
    const plans: Promise<unknown>[] = []
    const explained = explaining(t.db.sql, 'analyze')
    const explainedToo = Object.assign((...given: Parameters<typeof t.db.sql>) => {
      if (/^\s*select/.test(String(given[0]))) plans.push(Promise.resolve(explained(...given)))
      return t.db.sql(...given)
    }, t.db.sql)
    let read = 0
    for await (const page of watchedPrinters(explainedToo as never, farm.id)) read += page.length
    expect(read).toBeGreaterThanOrEqual(printerIds.length)
    const removed = (await Promise.all(plans)).map(removedBy)
    expect(removed.length).toBeGreaterThanOrEqual(3)
    // At worst a statement reads its table once.
    for (const rows of removed) expect(rows).toBeLessThan(5 * printerIds.length)
  })

  test('of looking at the queue is that of the jobs in it', async () => {
    const { indexes } = readPlan(await listDemand(explaining(t.db.sql), farm.id))
    // Which of the indexes that hold only the queue is used is left to the planner.
    expect(indexes.some((index) => ['jobs_unfinished', 'jobs_queue', 'jobs_queued_for_printer'].includes(index))).toBe(
      true,
    )
  })
})

test('what is asked for beyond the record is left out', async () => {
  const [printerId] = (await addPrinters(1)) as [PrinterId]
  await record()
  expect(await sumPrinterTime(t.db.sql, farm.id, printerId, everything)).toMatchObject([{ first_at: start }])
  expect(await sumPrinterTime(t.db.sql, farm.id, printerId, { from: later(-60), to: start })).toEqual([])
})

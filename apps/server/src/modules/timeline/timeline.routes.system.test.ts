import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { createTestApp } from '../../test/app/test-app.ts'
import { createTestFarm } from '../../test/farm/test-farm.ts'
import { periodCauses } from './period-cause.ts'

const start = new Date('2026-06-15T12:00:00Z')
/** Nothing is recorded here but what a test writes down itself. */
let now = start
beforeEach(() => {
  now = start
})
const { t, account: farm } = accountForEachTest({ context: { clock: { now: () => now }, isDraining: () => true } })

const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)
const sum = (parts: { minutes: number }[]) => parts.reduce((total, part) => total + part.minutes, 0)

async function read(path: string, account = farm) {
  const answer = await account.request('GET', path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

/** A printer with this record: each cause lasts so many minutes, the last one to this day. */
async function addPrinter(name: string, periods: [cause: string, minutes: number][], account = farm): Promise<string> {
  const printer = { name, model: 'MK4S', connection_type: 'virtual' }
  const { id } = (await account.request('POST', '/printers', printer)).json().data
  let at = 0
  for (const [index, [cause, minutes]] of periods.entries()) {
    const endedAt = index < periods.length - 1 ? later(at + minutes) : null
    await t.db.sql`
      insert into printer_periods (account_id, printer_id, cause, started_at, ended_at)
      values (${account.id}, ${id}, ${cause}, ${later(at)}, ${endedAt})`
    at += minutes
  }
  return id
}

describe('GET /printers/{id}/timeline', () => {
  test('200: tells of a printer from its first print to the loss of its hub, by itself', async () => {
    const app = await createTestApp({ context: { clock: { now: () => now } } })
    onTestFinished(() => app.close())
    const live = await createTestFarm(app)
    const { account, printerId, hub } = live
    const segments = async () => (await read(`/printers/${printerId}/timeline`, account)).segments
    async function becomes(cause: string): Promise<void> {
      await app.settled(async () => {
        const { cause: present } = (
          await app.db.sql<{ cause: string }[]>`
          select cause from printer_periods
          where account_id = ${account.id} and printer_id = ${printerId} and ended_at is null`
        )[0] ?? { cause: 'none' }
        return present === cause
      })
      now = new Date(now.getTime() + 7 * 60_000 + 1_234)
    }
    const patch = (body: object) => account.request('PATCH', `/printers/${printerId}`, body)
    await becomes('no_matching_job')
    const jobId = await live.queueJob()
    await becomes('filament')
    await patch({ current_filament_type: 'PETG', current_color_hex: '#112233' })
    await becomes('not_started')
    const attempt = await live.print(jobId)
    await becomes('printing')
    hub.telemetry(printerId, {
      status: 'paused',
      run: { file_name: 'c', job_id: 'r1', attempt_id: attempt.attempt_id },
    })
    await becomes('paused')
    await hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    hub.telemetry(printerId, { status: 'idle' })
    await becomes('plate_not_clear')
    await account.request('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    await becomes('no_matching_job')
    hub.telemetry(printerId, { status: 'error' })
    await becomes('error')
    await account.request('PUT', `/printers/${printerId}/maintenance`, { in_maintenance: true })
    await becomes('maintenance')
    await account.request('PUT', `/printers/${printerId}/maintenance`, { in_maintenance: false })
    await becomes('error')
    await hub.close()
    await becomes('offline')
    await patch({ is_active: false })
    await becomes('inactive')

    const told: { cause: string; job_id: string | null; started_at: string; ended_at: string }[] = await segments()
    const causes = told.map((segment) => segment.cause)
    const expected = [
      'no_matching_job',
      'filament',
      'not_started',
      'printing',
      'paused',
      'plate_not_clear',
      'no_matching_job',
      'error',
      'maintenance',
      'error',
      'offline',
      'inactive',
    ]
    // Before, it was offline until its hub came; and between two of these it may have been seen on its way.
    expect(causes.filter((cause) => cause !== 'transferring').slice(-expected.length)).toEqual(expected)
    expect(told.filter((segment) => segment.cause === 'printing').map((segment) => segment.job_id)).toEqual([jobId])
    for (const [index, segment] of told.entries()) {
      if (index > 0) expect(segment.started_at).toBe(told[index - 1]?.ended_at)
    }
    const { totals, wall_minutes, wall_seconds, from, to } = await read(`/printers/${printerId}/timeline`, account)
    expect([from, to]).toEqual([told[0]?.started_at, told.at(-1)?.ended_at])
    expect(sum(totals)).toBe(wall_minutes)
    expect(totals.reduce((total: number, part: { seconds: number }) => total + part.seconds, 0)).toBe(wall_seconds)
    expect(wall_seconds).toBe(Math.round((Date.parse(to) - Date.parse(from)) / 1_000))
  }, 120_000)

  test('every cause is told with its sentence, also when nothing went to it', async () => {
    const printerId = await addPrinter('A', [
      ['printing', 10],
      ['offline', 0],
    ])
    now = later(30)
    const { totals, segments } = await read(`/printers/${printerId}/timeline`)
    expect(totals.map((part: { cause: string }) => part.cause)).toEqual(periodCauses)
    expect(totals.filter((part: { minutes: number }) => part.minutes > 0)).toEqual([
      expect.objectContaining({ cause: 'printing', minutes: 10, seconds: 600 }),
      expect.objectContaining({ cause: 'offline', minutes: 20, seconds: 1_200 }),
    ])
    for (const { description } of totals) expect(description).toMatch(/^[A-Z].*\.$/)
    expect(segments.map((segment: { is_open: boolean }) => segment.is_open)).toEqual([false, true])
  })

  test('segments are cut off at the ends of the time that is asked for, and paged', async () => {
    const printerId = await addPrinter('A', [
      ['printing', 60],
      ['paused', 60],
      ['error', 60],
      ['offline', 60],
    ])
    now = later(300)
    const bounds = `from=${later(30).toISOString()}&to=${later(150).toISOString()}`
    const whole = await read(`/printers/${printerId}/timeline?${bounds}`)
    expect(whole).toMatchObject({ wall_minutes: 120, segment_count: 3 })
    expect(
      whole.segments.map(({ cause, started_at, ended_at }: Record<string, string>) => [cause, started_at, ended_at]),
    ).toEqual([
      ['printing', later(30).toISOString(), later(60).toISOString()],
      ['paused', later(60).toISOString(), later(120).toISOString()],
      ['error', later(120).toISOString(), later(150).toISOString()],
    ])
    expect(whole.next_from).toBeNull()
    const part = await read(`/printers/${printerId}/timeline?${bounds}&limit=1`)
    expect(part).toMatchObject({
      segments: [whole.segments[0]],
      totals: whole.totals,
      next_from: whole.segments[0].ended_at,
    })
    const rest = await read(`/printers/${printerId}/timeline?from=${part.next_from}&to=${later(150).toISOString()}`)
    expect(rest.segments).toEqual(whole.segments.slice(1))
  })

  test('a date is a day in the time zone of the account', async () => {
    await t.db.sql`update accounts set time_zone = 'Pacific/Auckland' where id = ${farm.id}`
    const printerId = await addPrinter('A', [['printing', 0]])
    now = later(3 * 1_440)
    const { from, to, wall_minutes } = await read(`/printers/${printerId}/timeline?from=2026-06-17&to=2026-06-17`)
    expect([from, to, wall_minutes]).toEqual(['2026-06-16T12:00:00.000Z', '2026-06-17T12:00:00.000Z', 1_440])
  })

  test('the future is left out, and so is what was before the printer', async () => {
    const printerId = await addPrinter('A', [['printing', 0]])
    now = later(90)
    const { from, to, wall_minutes } = await read(`/printers/${printerId}/timeline?from=2026-06-01&to=2026-06-30`)
    expect([from, to, wall_minutes]).toEqual([start.toISOString(), later(90).toISOString(), 90])
    const before = await read(`/printers/${printerId}/timeline?from=2026-06-01&to=2026-06-02`)
    expect(before).toMatchObject({ wall_minutes: 0, segments: [], segment_count: 0 })
  })

  test.each([
    ['from=2026-06-20', 'from'],
    ['from=2026-06-14&to=2026-06-13', 'from'],
    ['from=2026-04-01', 'from'],
    ['to=0001-01-01', 'to'],
    ['from=yesterday', 'from'],
    ['limit=0', 'limit'],
  ])('400: ?%s names the wrong field', async (query, field) => {
    const printerId = await addPrinter(`Printer ${query}`, [['printing', 0]])
    const answer = await farm.request('GET', `/printers/${printerId}/timeline?${query}`)
    expect([answer.statusCode, Object.keys(answer.json().error?.details ?? {})]).toEqual([400, [field]])
  })

  test('404: of another account, and of no one', async () => {
    const printerId = await addPrinter('A', [['printing', 0]])
    const stranger = await t.account({ name: 'Stranger' })
    for (const id of [printerId, 'prn_unknown']) {
      expect((await stranger.request('GET', `/printers/${id}/timeline`)).json().error.code).toBe('NOT_FOUND')
    }
  })
})

describe('GET /analytics/idle', () => {
  test('200: the causes sum to the time of all printers, and so do the minutes of each', async () => {
    await addPrinter('A', [
      ['printing', 10.3],
      ['plate_not_clear', 20.4],
      ['printing', 60],
    ])
    const idle = await addPrinter('B', [
      ['printing', 1.7],
      ['filament', 33.3],
      ['offline', 1],
    ])
    const stranger = await t.account({ name: 'Stranger' })
    await addPrinter('C', [['error', 60]], stranger)
    now = later(90)
    const answer = await read('/analytics/idle')
    expect(answer).toMatchObject({ printers: 2, wall_minutes: 180, to: now.toISOString() })
    expect(sum(answer.causes)).toBe(180)
    expect(answer.causes.map((part: { cause: string }) => part.cause)).toEqual(periodCauses)
    expect(answer.by_printer.map((each: { printer_name: string }) => each.printer_name)).toEqual(['B', 'A'])
    for (const each of answer.by_printer) {
      const minutes: number[] = Object.values(each.minutes)
      expect(minutes.reduce((total, part) => total + part, 0)).toBe(each.wall_minutes)
    }
    expect(answer.by_printer[0]).toMatchObject({ printer_id: idle, wall_minutes: 90, idle_minutes: 88 })
    expect(answer.idle_minutes).toBe(88 + 20)
  })

  test('the list of printers is cut to the limit, the sums are not', async () => {
    for (const name of ['A', 'B', 'C']) await addPrinter(name, [['printing', 0]])
    now = later(10)
    const answer = await read('/analytics/idle?limit=2')
    expect(answer).toMatchObject({ printers: 3, wall_minutes: 30 })
    expect(answer.by_printer).toHaveLength(2)
  })

  test('400: more than 92 days at once', async () => {
    const answer = await farm.request('GET', '/analytics/idle?from=2026-01-01')
    expect([answer.statusCode, Object.keys(answer.json().error.details)]).toEqual([400, ['from']])
  })
})

describe('GET /analytics/hours', () => {
  test('each printer has the 24 hours of the day, in the time zone of the account', async () => {
    // From 12:00 in UTC on: 50 minutes of waiting, then 40 of printing.
    const id = await addPrinter('North 1', [
      ['no_matching_job', 50],
      ['printing', 40],
      ['offline', 30],
    ])
    now = later(120)
    const hoursOf = (data: { by_printer: { hours: { hour: number }[] }[] }) =>
      data.by_printer[0]?.hours.filter(({ hour }) => [17, 18, 12, 13].includes(hour))
    const data = await read('/analytics/hours')
    expect(data).toMatchObject({ printers: 1, by_printer: [{ printer_id: id, printer_name: 'North 1' }] })
    expect(data.by_printer[0].hours).toHaveLength(24)
    expect(hoursOf(data)).toEqual([
      { hour: 12, printing_minutes: 10, wall_minutes: 60 },
      { hour: 13, printing_minutes: 30, wall_minutes: 60 },
      { hour: 17, printing_minutes: 0, wall_minutes: 0 },
      { hour: 18, printing_minutes: 0, wall_minutes: 0 },
    ])
    // Half an hour beside the hours of UTC.
    await t.db.sql`update accounts set time_zone = 'Asia/Kolkata' where id = ${farm.id}`
    expect(hoursOf(await read('/analytics/hours'))).toMatchObject([
      ...[{ hour: 12 }, { hour: 13 }],
      { hour: 17, printing_minutes: 0, wall_minutes: 30 },
      { hour: 18, printing_minutes: 40, wall_minutes: 60 },
    ])
    const stranger = await t.account()
    expect(await read('/analytics/hours', stranger)).toMatchObject({ printers: 0, by_printer: [] })
  })
})

import { beforeEach, expect, test } from 'vitest'
import { farmForEachTest } from '../../test/app/app-hooks.ts'

let offsetMs = 0
beforeEach(() => {
  offsetMs = 0
})
const { t, farm } = farmForEachTest({ context: { clock: { now: () => new Date(Date.now() + offsetMs) } } })

const read = async (query = '') => (await farm.account.request('GET', `/analytics/failures${query}`)).json()
const change = (id: string, body: object, account = farm.account) =>
  account.request('PATCH', `/analytics/failures/${id}`, body)

async function failWith(reasonCode: string | null, detail: string | null = null): Promise<string> {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  await farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  const report = {
    ...attempt,
    phase: 'finished' as const,
    outcome: 'failed' as const,
    reason_code: reasonCode,
    evidence: { kind: 'telemetry' as const, run_id: null, detail },
  }
  await farm.hub.report(report)
  await farm.hub.report(report)
  return jobId
}

test('a failed print is on record once, with what the printer said of it', async () => {
  const jobId = await failWith('FILAMENT_RUNOUT', 'No filament')
  const { data } = await read()
  expect(data).toMatchObject({
    total_failures: 1,
    resolved: 0,
    unresolved: 1,
    resolution_rate: 0,
    // As reports of its kind have it, and once more in their first lines.
    summary: { total_failures: 1, resolved: 0, unresolved: 1, resolution_rate: 0 },
    date_range: { from: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), to: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
    by_type: [{ type: 'filament_runout', failure_type: 'filament_runout', count: 1 }],
    by_printer: [{ printer_id: farm.printerId, printer_name: 'Printer', count: 1 }],
    daily_trend: [{ count: 1 }],
    recent: [{ job_id: jobId, reason_code: 'FILAMENT_RUNOUT', reason: 'No filament', resolved: false }],
  })
})

test('only those that were dealt with, or only those that were not, are asked for', async () => {
  const open = await failWith('FILAMENT_RUNOUT')
  const dealtWith = await failWith('CLOG')
  const { recent } = (await read()).data
  await change(recent.find((each: { job_id: string }) => each.job_id === dealtWith).id, { resolved: true })
  const jobsOf = async (resolved: boolean) => {
    const { data } = await read(`?resolved=${resolved}`)
    return [data.total_failures, data.recent.map((each: { job_id: string }) => each.job_id)]
  }
  expect(await jobsOf(false)).toEqual([1, [open]])
  expect(await jobsOf(true)).toEqual([1, [dealtWith]])
})

test('a print that was stopped is on record as stopped by a person; what never began is not', async () => {
  const printing = await farm.queueJob()
  await farm.print(printing)
  await farm.account.request('POST', `/jobs/${printing}/stop`)
  await farm.account.request('POST', `/jobs/${await farm.queueJob()}/cancel`)
  expect((await read()).data).toMatchObject({
    total_failures: 1,
    by_type: [{ type: 'cancelled_by_person', count: 1 }],
  })
})

test.each([
  ['stop', (id: string) => [`/jobs/${id}/stop`, { failure_type: 'spaghetti' }]],
  ['cancel', (id: string) => [`/jobs/${id}/cancel`, { failure_type: 'spaghetti' }]],
  ['control', () => [`/printers/${farm.printerId}/control`, { action: 'stop', failure_type: 'spaghetti' }]],
] as const)('who stops a print by %s may say what went wrong, and its failure says so', async (_, asked) => {
  const jobId = await farm.queueJob()
  await farm.print(jobId)
  const [path, body] = asked(jobId) as [string, object]
  expect((await farm.account.request('POST', path, body)).statusCode).toBe(200)
  const { data } = await read()
  expect(data.by_type).toEqual([{ type: 'spaghetti', failure_type: 'spaghetti', count: 1 }])
  expect(data.recent).toMatchObject([{ job_id: jobId, type: 'spaghetti', reason_code: 'STOPPED' }])
})

test('a stop that failed leaves nothing: the next one, without a reason, is by a person', async () => {
  const jobId = await farm.queueJob()
  await farm.print(jobId)
  await t.db.sql`update attempts set stop_type = 'clog' where account_id = ${farm.account.id} and job_id = ${jobId}`
  await farm.account.request('POST', `/jobs/${jobId}/stop`)
  expect((await read()).data.by_type).toMatchObject([{ type: 'cancelled_by_person', count: 1 }])
})

test('a person says better what went wrong, and that it was dealt with', async () => {
  await failWith(null)
  const [{ id }] = (await read()).data.recent
  const changed = await change(id, { type: 'spaghetti', notes: 'Brim was too small', resolved: true })
  expect(changed.json().data).toMatchObject({
    type: 'spaghetti',
    notes: 'Brim was too small',
    resolved: true,
    resolved_at: expect.any(String),
  })
  expect((await read()).data).toMatchObject({ resolved: 1, resolution_rate: 100 })
  expect((await change(id, { resolved: false })).json().data).toMatchObject({ resolved: false, type: 'spaghetti' })
  expect((await change(id, { type: 'gremlins' })).json().error.code).toBe('VALIDATION_ERROR')
  expect((await change(id, {})).json().error.code).toBe('VALIDATION_ERROR')
})

test('a job that is completed in the end has made up for its failures', async () => {
  const jobId = await failWith('CLOG')
  await farm.account.request('POST', `/jobs/${jobId}/retry`)
  await farm.account.request('POST', `/jobs/${jobId}/complete`)
  expect((await read()).data).toMatchObject({ total_failures: 1, resolved: 1, unresolved: 0 })
})

test('only the days asked for count, by the calendar of the account, and bad ones are refused', async () => {
  await failWith(null)
  expect((await read('?from=2020-01-01&to=2020-01-31')).data).toMatchObject({
    total_failures: 0,
    recent: [],
  })
  offsetMs = 31 * 86_400_000
  expect((await read()).data.total_failures).toBe(0)
  expect((await read('?from=2020-02-01&to=2020-01-31')).error.details).toEqual({ from: ['must not be after to'] })
  expect((await read('?from=2018-01-01&to=2020-01-31')).error.code).toBe('VALIDATION_ERROR')
  expect((await read('?from=soon')).error.code).toBe('VALIDATION_ERROR')
  expect((await read('?from=2020-02-31')).error.code).toBe('VALIDATION_ERROR')
})

test('a day long before any print is refused by name, the last day of all is not', async () => {
  for (const field of ['from', 'to']) {
    for (const day of ['0001-01-01', '0001-01-30', '1999-12-31']) {
      expect((await read(`?${field}=${day}`)).error?.details, `${field} ${day}`).toEqual({
        [field]: ['must not lie before 2000'],
      })
    }
  }
  expect((await read('?from=2000-01-01&to=2000-01-01')).data.total_failures).toBe(0)
  for (const query of ['?to=9999-12-31', '?from=9999-12-31&to=9999-12-31', '?from=9998-12-01&to=9998-12-31']) {
    expect((await read(query)).data?.total_failures, query).toBe(0)
  }
})

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])(
  'a failure of today is found by the date of today in %s',
  async (timeZone) => {
    await t.db.sql`update accounts set time_zone = ${timeZone} where id = ${farm.account.id}`
    await failWith(null)
    const { date } = (await farm.account.request('GET', '/analytics/overview')).json().data
    expect((await read(`?from=${date}&to=${date}`)).data).toMatchObject({
      date_range: { from: date, to: date },
      total_failures: 1,
      daily_trend: [{ date, count: 1 }],
    })
  },
)

import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { addMaterial, addSku, itemOf } from '../../../test/farm/test-catalogue.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'

let owner: TestPerson
let offsetMs = 0
let hubAheadMs = 0
const now = () => new Date(Date.now() + offsetMs)
beforeEach(() => {
  offsetMs = 0
  hubAheadMs = 0
})
const { t, farm } = farmForEachTest({ context: { clock: { now } } }, () => new Date(now().getTime() + hubAheadMs))
beforeEach(async () => {
  owner = await createTestPerson(t, farm.account, 'owner')
})

type Attempt = { attempt_id: string; printer_id: string; fence: number }

const act = (jobId: string, action: string) => farm.account.request('POST', `/jobs/${jobId}/${action}`)
const plan = async (jobId: string) => (await owner.request('GET', `/jobs/${jobId}/plan`)).json().data
const printer = async () => (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data

async function audit(filter: Record<string, string>) {
  return (await owner.request('GET', `/audit?${new URLSearchParams(filter)}`)).json().data
}

const cancelled = { phase: 'finished', outcome: 'cancelled' } as const

/** As a real hub does: the end of the print is reported before the answer to the stop that brought it about. */
function reportsStopBeforeItsAnswer(attempt: Attempt): void {
  farm.hub.onCommand(({ kind }) => {
    if (kind === 'stop') void farm.hub.report({ ...attempt, ...cancelled })
    return { ok: true }
  })
}

describe('a print that is stopped', () => {
  test('by a person is theirs in the job, the audit and the record of the plate, with a reason', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    reportsStopBeforeItsAnswer(attempt)
    expect((await owner.request('POST', `/jobs/${jobId}/stop`)).json().data).toMatchObject({
      status: 'cancelled',
      failure_reason: 'Stopped on request',
    })
    const by = `user:${owner.userId}`
    const { attempts, events } = await plan(jobId)
    expect(attempts).toMatchObject([{ phase: 'finished', outcome: 'cancelled', reason_code: 'STOPPED' }])
    expect(events[0]).toMatchObject({ type: 'job.cancelled', actor: by, data: { reason: 'Stopped on request' } })
    expect(await audit({ actor: by, type: 'job.cancelled' })).toMatchObject([{ subject_id: jobId }])
    expect(await printer()).toMatchObject({
      plate_state: 'occupied',
      plate_change_reason: 'print_cancelled',
      plate_changed_by: by,
    })
  })

  test('by a key that acts on the printer is that of the key', async () => {
    const jobId = await farm.queueJob()
    reportsStopBeforeItsAnswer(await farm.print(jobId))
    await farm.account.request('POST', `/printers/${farm.printerId}/control`, { action: 'stop' })
    const [event] = (await plan(jobId)).events
    expect(event).toMatchObject({ type: 'job.cancelled', actor: expect.stringMatching(/^key:key_/) })
  })

  test('after heating, as its printer answered, is that of the person who asked for it', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.onCommand(() => ({ ok: true, pending: true, message: 'will stop once heated' }))
    await owner.request('POST', `/jobs/${jobId}/stop`)
    await farm.hub.report({ ...attempt, ...cancelled })
    expect((await plan(jobId)).events[0]).toMatchObject({ type: 'job.cancelled', actor: `user:${owner.userId}` })
  })

  test('at the printer itself says so, also after a stop of ours that was refused', async () => {
    const jobId = await farm.queueJob()
    const attempt = await farm.print(jobId)
    farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_REFUSED', message: 'no' }))
    expect((await act(jobId, 'stop')).statusCode).toBe(503)
    await farm.hub.report({ ...attempt, ...cancelled })
    const { attempts, events } = await plan(jobId)
    expect(attempts).toMatchObject([{ reason_code: 'STOPPED_AT_PRINTER' }])
    expect(events[0]).toMatchObject({
      actor: `hub:${farm.hubId}`,
      data: { reason: 'Stopped at the printer, not by this service' },
    })
  })

  test('while its hub is away is that of the person, although the hub never had the command', async () => {
    farm.hub.onCommand(() => undefined)
    const jobId = await farm.queueJob()
    await act(jobId, 'start')
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    await owner.request('POST', `/jobs/${jobId}/cancel`)
    const hub = await farm.reconnect()
    hub.onCommand(() => ({ ok: false, code: 'WRONG_STATE', message: 'nothing runs' }))
    const [attempt] = (await hub.waitFor('welcome')).settle
    if (!attempt) throw new Error('nothing to settle')
    await hub.report({ ...attempt, phase: 'finished', outcome: 'not_started', reason_code: 'ORDER_LOST' })
    expect((await plan(jobId)).events[0]).toMatchObject({ type: 'job.cancelled', actor: `user:${owner.userId}` })
  })
})

describe('a print that ended while its hub was away', () => {
  const minuteMs = 60_000
  const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / minuteMs
  const timeline = async () => {
    const answer = await farm.account.request('GET', `/printers/${farm.printerId}/timeline`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.segments as {
      cause: string
      started_at: string
      ended_at: string
      job_id: string | null
    }[]
  }

  /** Prints for ten minutes in sight; the hub is back an hour after the start. */
  async function printUnseen(): Promise<{ jobId: string; attempt: Attempt; startedAt: number }> {
    const jobId = await farm.queueJob()
    const startedAt = now().getTime()
    const attempt = await farm.print(jobId)
    await t.settled(async () => (await timeline()).at(-1)?.cause === 'printing')
    offsetMs += 10 * minuteMs
    await farm.hub.close()
    await t.settled(async () => (await timeline()).at(-1)?.cause === 'offline')
    offsetMs += 50 * minuteMs
    await farm.reconnect()
    return { jobId, attempt, startedAt }
  }

  test.each([
    ['with a clock that is right', 0],
    ['with a clock that is three hours ahead', 180],
    ['with a clock that is years behind', -3_000_000],
  ])('ended when the hub says, in job, history and timeline: %s', async (_, aheadMinutes) => {
    hubAheadMs = aheadMinutes * minuteMs
    // By its heartbeats the service knows the clock of the hub.
    farm.hub.send('heartbeat', { uptime_seconds: 1, printer_count: 1 })
    const { jobId, attempt, startedAt } = await printUnseen()
    const happened_at = new Date(startedAt + hubAheadMs + 30 * minuteMs).toISOString()
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await farm.hub.report({
      ...attempt,
      phase: 'finished',
      outcome: 'failed',
      reason_code: 'PRINT_FAILED',
      happened_at,
    })
    const job = await farm.job(jobId)
    const ended = String(job.time_completed)
    expect(minutesBetween(new Date(startedAt).toISOString(), ended)).toBeCloseTo(30, 0)
    expect(job.actual_print_time_minutes).toBeGreaterThanOrEqual(30)
    expect(job.actual_print_time_minutes).toBeLessThanOrEqual(31)
    const { attempts, events } = await plan(jobId)
    expect(attempts).toMatchObject([{ finished_at: ended, time_note: null }])
    expect(events[0]).toMatchObject({ type: 'job.failed', data: { happened_at: ended } })
    const until = new URLSearchParams({ to: new Date(startedAt + 40 * minuteMs).toISOString() })
    expect((await farm.account.request('GET', `/jobs/history?${until}`)).json().data).toMatchObject([{ id: jobId }])
    expect((await farm.account.request('GET', '/analytics/failures')).json().data.recent).toMatchObject([
      { occurred_at: ended },
    ])
    await t.settled(async () => (await timeline()).at(-1)?.cause === 'plate_not_clear')
    const parts = await timeline()
    const first = parts.findIndex(({ cause }) => cause === 'printing')
    const minutes = parts.slice(first).map(({ cause, job_id, started_at, ended_at }) => {
      return [cause, job_id, Math.round(minutesBetween(started_at, ended_at))] as const
    })
    expect(minutes.filter(([, , length]) => length > 0)).toEqual([
      ['printing', jobId, 10],
      ['printing', jobId, 20],
      ['offline', null, 30],
    ])
    const after = parts.filter(({ started_at }) => started_at >= ended).map(({ cause }) => cause)
    expect([...new Set(after)]).toEqual(['offline', 'plate_not_clear'])
  })

  test('has its units and its filament in the ledgers at that time, and in the report of that day', async () => {
    const sku = await addSku(farm.account)
    const spool = await addMaterial(farm.account, 'filament', { type: 'PETG', remaining_grams: 500 })
    await farm.account.request('PATCH', `/materials/filament/${spool.id}`, { printer_id: farm.printerId, slot: 0 })
    const jobId = await farm.queueJob({ product_sku_id: sku.id, number_of_units: 1 })
    const startedAt = now().getTime()
    const attempt = await farm.print(jobId)
    await farm.hub.close()
    offsetMs += 3 * 24 * 60 * minuteMs
    await farm.reconnect()
    await farm.hub.report({
      ...attempt,
      phase: 'finished',
      outcome: 'done',
      happened_at: new Date(startedAt + 30 * minuteMs).toISOString(),
    })
    // As the clock of the hub shows it, to some milliseconds.
    const happened_at = String((await farm.job(jobId)).time_completed)
    expect(minutesBetween(new Date(startedAt).toISOString(), happened_at)).toBeCloseTo(30, 0)
    const { id } = await itemOf(farm.account, sku)
    const read = async (path: string) => (await farm.account.request('GET', path)).json().data
    const [made] = await read(`/inventory/${id}/movements`)
    const [used] = await read(`/materials/filament/${spool.id}/movements`)
    expect(made).toMatchObject({ reason: 'job_completed', change: 1, happened_at })
    expect(used).toMatchObject({ reason: 'printed', change: -12.345, happened_at })
    const day = happened_at.slice(0, 10)
    const { material_usage } = await read(`/analytics/inventory?from=${day}&to=${day}`)
    expect(material_usage).toEqual([{ material_type: 'PETG', total_usage: 12.345 }])
    // What is told at once has one time alone.
    await farm.account.request('POST', `/inventory/${id}/adjust`, { adjustment: 1 })
    expect((await read(`/inventory/${id}/movements`))[0]).toMatchObject({ reason: 'manual', happened_at: null })
  })

  test('ended when the service learned of it, where the hub tells a time that cannot be, and says so', async () => {
    const { jobId, attempt, startedAt } = await printUnseen()
    const happened_at = new Date(startedAt - 24 * 60 * minuteMs).toISOString()
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done', happened_at })
    const job = await farm.job(jobId)
    expect(minutesBetween(new Date(startedAt).toISOString(), String(job.time_completed))).toBeCloseTo(60, 0)
    const { attempts, events } = await plan(jobId)
    const time_note = expect.stringContaining('before what was seen of the print')
    expect(attempts).toMatchObject([{ time_note }])
    expect(events[0]).toMatchObject({ type: 'job.completed', data: { time_note } })
    expect((await timeline()).filter(({ cause }) => cause === 'printing')).toHaveLength(1)
  })
})

describe('names', () => {
  const named = async (person: TestPerson, jobId: string) =>
    (await person.request('GET', `/jobs/${jobId}/plan`)).json().data

  test('of people, keys and hubs stand beside their IDs in job, audit and history of the printer', async () => {
    const jobId = await farm.queueJob()
    reportsStopBeforeItsAnswer(await farm.print(jobId))
    await owner.request('POST', `/jobs/${jobId}/stop`)
    await owner.request('POST', `/printers/${farm.printerId}/light`, { state: 'on' })
    const { created_by_name, attempts, events } = await named(owner, jobId)
    expect([created_by_name, attempts[0].actor_name]).toEqual(['test', 'test'])
    expect(events.map(({ type, actor_name }: Record<string, unknown>) => [type, actor_name])).toEqual([
      ['job.cancelled', 'A owner'],
      ['job.started', 'Hub'],
      ['job.queued', 'test'],
    ])
    expect((await audit({ subject: jobId }))[0]).toMatchObject({ type: 'job.cancelled', actor_name: 'A owner' })
    const viewer = await createTestPerson(t, farm.account, 'viewer')
    const history = await viewer.request('GET', `/printers/${farm.printerId}/events`)
    expect(history.json().data[0]).toMatchObject({ type: 'printer.commanded', actor_name: 'A owner' })
    expect((await viewer.request('GET', '/printers/prn_x/events')).json().error.code).toBe('NOT_FOUND')
    const stranger = await createTestPerson(t, await t.account(), 'owner')
    expect((await stranger.request('GET', `/printers/${farm.printerId}/events`)).statusCode).toBe(404)
  })

  test('stay of a person who has left, are gone of one who was erased, and are told to no key', async () => {
    const jobId = await farm.queueJob()
    const former = await createTestPerson(t, farm.account, 'operator')
    await former.request('POST', `/jobs/${jobId}/cancel`)
    const by = async () => {
      const [event] = (await named(owner, jobId)).events
      return [event.actor, event.actor_name]
    }
    const actor = `user:${former.userId}`
    const ofKey = await farm.account.request('GET', `/jobs/${jobId}/plan`)
    expect(ofKey.json().data).toMatchObject({ created_by_name: 'test', events: [{ actor, actor_name: null }, {}] })
    await owner.request('DELETE', `/members/${former.memberId}`)
    expect(await by()).toEqual([actor, 'A operator'])
    await t.db.sql`update users set name = '' where id = ${former.userId}`
    expect(await by()).toEqual([actor, null])
    expect(JSON.stringify(await named(owner, jobId))).not.toContain(former.email)
  })
})

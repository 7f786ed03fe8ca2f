import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../test/test-app.ts'
import { createTestFarm, type TestFarm } from '../../../test/test-farm.ts'
import { createTestPerson, type TestPerson } from '../../../test/test-person.ts'

let t: TestApp
let farm: TestFarm
let owner: TestPerson
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  farm = await createTestFarm(t)
  owner = await createTestPerson(t, farm.account, 'owner')
  return () => farm.hub.close()
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

  test('while its hub is away is that of the person, although the hub never had the order', async () => {
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

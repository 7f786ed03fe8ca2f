import { beforeEach, describe, expect, test } from 'vitest'
import { createLive } from '../../live/live.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { watchFarms } from './farm-watch.ts'

let offsetMs = 0
beforeEach(() => {
  offsetMs = 0
})
const { t, farm } = farmForEachTest({ context: { clock: { now: () => new Date(Date.now() + offsetMs) } } }, () =>
  t.context.clock.now(),
)

const later = (minutes: number) => {
  offsetMs += minutes * 60_000
}
/** The watch of another process, which has no hubs, or of the same service after a restart. */
const watchElsewhere = () => watchFarms({ ...t.context, ...createLive() })

const post = (path: string, body?: object) => farm.account.request('POST', path, body)
const tasks = async (query = '') =>
  (await farm.account.request('GET', `/worklist?task_type=maintenance&${query}`)).json().data
const openTasks = () => tasks('status=pending')
const setStatus = (taskId: string, status: string) =>
  farm.account.request('PUT', `/worklist/${taskId}/status`, { status })

async function hubLeaves(): Promise<void> {
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
}

/** The hub is heard, so that only the printer is in question. Not every heartbeat is written. */
async function hubIsHeard(): Promise<void> {
  farm.hub.send('heartbeat', { uptime_seconds: 1, printer_count: 1 })
  const now = t.context.clock.now().getTime()
  await t.settled(async () => {
    const [hub] = await t.db.sql<{ last_seen_at: Date }[]>`
      select last_seen_at from hubs where account_id = ${farm.account.id} and id = ${farm.hubId}`
    return (hub?.last_seen_at.getTime() ?? 0) >= now - 60_000
  })
}

async function startWithUnknownFate() {
  const jobId = await farm.queueJob()
  const sent = farm.hub.commands().length
  await post(`/jobs/${jobId}/start`)
  const command = farm.hub.commands()[sent]
  const attempt = {
    attempt_id: String(command?.args.attempt_id),
    printer_id: farm.printerId,
    fence: command?.fence ?? 0,
  }
  await farm.hub.report({ ...attempt, phase: 'starting', outcome: 'unknown' })
  return { jobId, attempt }
}

describe('an attempt whose fate is unknown', () => {
  test('asks a person after ten minutes and not before, once, no matter who watches', async () => {
    const { jobId } = await startWithUnknownFate()
    later(9)
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await tasks()).toEqual([])
    later(2)
    await hubIsHeard()
    await Promise.all([watchFarms(t.context), watchElsewhere(), watchFarms(t.context), watchElsewhere()])
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect(task).toMatchObject({ task_type: 'maintenance', priority: 'high', printer_id: farm.printerId })
    expect(task.title).toContain('Printer')
    expect(task.description).toContain(jobId)
    const made = await t.db.sql`
      select id from events
      where account_id = ${farm.account.id} and type = 'worklist_task.created' and subject_id = ${task.id}`
    expect(made).toHaveLength(1)
  })

  test.each([
    ['confirmed', { phase: 'confirmed' }],
    ['never started', { phase: 'finished', outcome: 'not_started' }],
    ['done', { phase: 'finished', outcome: 'done' }],
  ] as const)('closes its task by evidence that it was %s', async (_, report) => {
    const { attempt } = await startWithUnknownFate()
    later(11)
    await hubIsHeard()
    await watchFarms(t.context)
    await farm.hub.report({ ...attempt, ...report })
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await openTasks()).toEqual([])
  })

  test.each(['printed', 'failed', 'not_started'])('closes its task when a person says %s', async (outcome) => {
    const { jobId } = await startWithUnknownFate()
    later(11)
    await hubIsHeard()
    await watchFarms(t.context)
    expect((await post(`/jobs/${jobId}/resolve`, { outcome })).statusCode).toBe(200)
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
  })

  test('is asked about again an hour after its task was closed without an answer', async () => {
    await startWithUnknownFate()
    later(11)
    await hubIsHeard()
    await watchFarms(t.context)
    await setStatus((await openTasks())[0].id, 'completed')
    later(30)
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await openTasks()).toEqual([])
    later(31)
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await openTasks()).toHaveLength(1)
  })

  test('that is lost together with its hub is asked about too, also after a restart', async () => {
    const jobId = await farm.queueJob()
    await post(`/jobs/${jobId}/start`)
    await hubLeaves()
    later(9)
    await watchElsewhere()
    expect(await tasks()).toEqual([])
    later(2)
    await watchElsewhere()
    const titles = (await openTasks()).map((task: { title: string }) => task.title)
    expect(titles.some((title: string) => title.startsWith('Look at Printer: did it print'))).toBe(true)
    expect(await farm.job(jobId)).toMatchObject({ status: 'processing' })
    expect((await post(`/jobs/${jobId}/resolve`, { outcome: 'not_started' })).json().data.status).toBe('queued')
  })
})

describe('a printer that reports an error', () => {
  async function show(status: 'error' | 'idle'): Promise<void> {
    farm.hub.telemetry(farm.printerId, { status, status_reason: status === 'error' ? 'Heater fault' : null })
    const isError = status === 'error'
    await t.settled(async () => {
      const [printer] = await t.db.sql<{ is_error: boolean }[]>`
        select error_since is not null as is_error from printers
        where account_id = ${farm.account.id} and id = ${farm.printerId}`
      return printer?.is_error === isError
    })
  }

  test('gets one task when it stays so, which closes when the error is gone', async () => {
    await show('error')
    await watchFarms(t.context)
    expect(await tasks()).toEqual([])
    later(11)
    await hubIsHeard()
    await Promise.all([watchFarms(t.context), watchElsewhere()])
    expect(await tasks()).toMatchObject([{ title: 'Look at Printer: it reports an error', status: 'pending' }])
    await show('idle')
    await watchFarms(t.context)
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
  })

  test('is not asked about again when a person has closed the task, until it errs again', async () => {
    await show('error')
    later(11)
    await hubIsHeard()
    await watchFarms(t.context)
    await setStatus((await openTasks())[0].id, 'cancelled')
    later(30)
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await openTasks()).toEqual([])
    await show('idle')
    await show('error')
    later(11)
    await hubIsHeard()
    await watchFarms(t.context)
    expect(await openTasks()).toHaveLength(1)
  })
})

test('a hub of which nothing is heard gets one task for all its printers, closed when it is heard again', async () => {
  await post('/printers', { name: 'Second', model: 'MINI', connection_type: 'virtual', hub_id: farm.hubId })
  await hubLeaves()
  later(11)
  await Promise.all([watchFarms(t.context), watchElsewhere()])
  expect(await tasks()).toMatchObject([
    { title: 'Look at the hub Hub: nothing is heard of it', printer_id: null, status: 'pending' },
  ])
  await farm.reconnect()
  await hubIsHeard()
  await watchElsewhere()
  expect(await tasks()).toMatchObject([{ status: 'completed' }])
})

describe('maintenance by hours printed', () => {
  const setInterval = (hours: number | null) =>
    farm.account.request('PATCH', `/printers/${farm.printerId}`, { maintenance_interval_hours: hours })

  async function printFor(hours: number): Promise<void> {
    const attempt = await farm.print(await farm.queueJob())
    later(hours * 60)
    await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    farm.hub.telemetry(farm.printerId, { status: 'idle' })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
    await post(`/printers/${farm.printerId}/control`, { action: 'clear_bed' })
  }

  test('asks when the hours are up, once, and starts over after maintenance', async () => {
    expect((await setInterval(5)).json().data.maintenance_interval_hours).toBe(5)
    await printFor(4)
    expect(await tasks()).toEqual([])
    await printFor(2)
    await printFor(1)
    expect(await tasks()).toMatchObject([{ title: expect.stringContaining('Maintain Printer'), status: 'pending' }])
    for (const in_maintenance of [true, false]) {
      await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance })
    }
    expect(await tasks()).toMatchObject([{ status: 'completed' }])
    await printFor(4)
    expect(await openTasks()).toEqual([])
    await printFor(2)
    expect(await openTasks()).toHaveLength(1)
    await setStatus((await openTasks())[0].id, 'completed')
    const printer = (await farm.account.request('GET', `/printers/${farm.printerId}`)).json().data
    expect(printer.last_maintenance_date).toEqual(expect.any(String))
    await printFor(4)
    expect(await openTasks()).toEqual([])
  })

  test('asks at once when the hours were up before anybody wanted to know', async () => {
    await printFor(3)
    await setInterval(2)
    expect(await openTasks()).toHaveLength(1)
    expect((await setInterval(0)).json().error.code).toBe('VALIDATION_ERROR')
  })
})

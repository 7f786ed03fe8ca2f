import { beforeEach, describe, expect, test } from 'vitest'
import type { HubId } from '../../kernel/ids.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { systemWork } from '../../test/app/system-work.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { connectTestHub, type TestHub } from '../../test/farm/test-hub.ts'
import { watchFarms } from '../floor/farm-watch.ts'
import { createHubWithToken } from '../hubs/hubs.service.ts'
import { watchHealth } from './follow-health.ts'

let farm: TestFarm
let offsetMs = 0
const t = appForAllTests({ context: { clock: { now: () => new Date(Date.now() + offsetMs) } } })
/** Connected by a test beside the farm's own. */
const hubs: TestHub[] = []
beforeEach(async () => {
  farm = await createTestFarm(t)
  return async () => {
    for (const hub of [farm.hub, ...hubs.splice(0)]) await hub.close()
  }
})

/** Long enough for whatever is there, or gone, to count. */
async function settle(): Promise<void> {
  await watchHealth(t.context)
  offsetMs += 20_000
  await watchHealth(t.context)
}

async function report(reasons: string[], message: string | null = null, state = {}): Promise<void> {
  const problems = reasons.map((reason) => ({ reason, message }))
  farm.hub.telemetry(farm.printerId, { ...state, problems })
  await t.settled(
    () => JSON.stringify(t.context.printers.find(farm.printerId)?.state.problems) === JSON.stringify(problems),
  )
}

async function hubSays(reasons: string[], hub = farm.hub): Promise<void> {
  const problems = reasons.map((reason) => ({ reason, message: null }))
  hub.send('heartbeat', { uptime_seconds: 1, printer_count: 1, problems })
  await t.settled(() => {
    const said = t.context.hubs.find(farm.hubId)?.problems
    // The clock of this test runs ahead of the hub's.
    return said !== undefined && reasons.every((reason) => said.some((problem) => problem.reason === reason))
  })
}

const isFullStorage = ({ problem }: { problem: string }) => problem === 'hub_storage_full'

const get = async (path: string) => (await farm.account.request('GET', path)).json().data
const health = async () => (await get(`/printers/${farm.printerId}`)).health
const tasks = (query = 'status=pending') => get(`/worklist?task_type=maintenance&${query}`)
const changes = async (type = 'printer.health_changed') =>
  t.db.sql<{ data: { appeared: string[]; gone: string[] } }[]>`
    select data from events where account_id = ${farm.account.id} and type = ${type} order by created_at, id`

describe('a printer that refuses the credentials', () => {
  test('has a problem with a sentence, a remedy and a time, an event, and one task, until it is fixed', async () => {
    await report(['credentials_wrong'], null, { status: 'offline' })
    await settle()
    await settle()
    expect(await health()).toEqual([
      {
        problem: 'credentials_wrong',
        message: 'The printer refuses the credentials.',
        remedy: expect.stringContaining('access code'),
        since: expect.any(String),
        certificate_fingerprint: null,
        blocks_starts: true,
      },
    ])
    const [task, ...others] = await tasks()
    expect(others).toEqual([])
    expect(task).toMatchObject({
      printer_id: farm.printerId,
      title: 'Look at Printer: The printer refuses the credentials',
    })
    expect(task.description).toContain('access code')

    await report([], null, { status: 'idle' })
    await settle()
    expect(await health()).toEqual([])
    expect(await tasks()).toEqual([])
    expect(await tasks('status=completed')).toMatchObject([{ id: task.id }])
    expect((await changes()).map(({ data }) => data)).toEqual([
      { problems: ['credentials_wrong'], appeared: ['credentials_wrong'], gone: [] },
      { problems: [], appeared: [], gone: ['credentials_wrong'] },
    ])
  })

  test('is not asked about again by a person who closed the task, nor after a restart of the hub', async () => {
    await report(['developer_mode_off'], null, { status: 'error' })
    await settle()
    const [task] = await tasks()
    await farm.account.request('PUT', `/worklist/${task.id}/status`, { status: 'cancelled' })
    await farm.hub.close()
    await farm.reconnect()
    await report(['developer_mode_off'], null, { status: 'error' })
    await settle()
    expect(await tasks()).toEqual([])
    expect(await changes()).toHaveLength(1)
  })
})

test('the printers with which something is wrong can be listed, and those that are well', async () => {
  const list = (wanted: boolean) => get(`/printers?has_problems=${wanted}`)
  expect([await list(true), (await list(false)).length]).toEqual([[], 1])
  await report(['storage_missing'])
  await settle()
  expect([(await list(true))[0].id, await list(false)]).toEqual([farm.printerId, []])
})

test('two problems of one printer are two tasks, and each closes for itself', async () => {
  await report(['storage_full', 'clock_skew'])
  await settle()
  expect(await tasks()).toHaveLength(2)
  await report(['clock_skew'])
  await settle()
  expect((await tasks()).map((task: { title: string }) => task.title)).toEqual([expect.stringContaining('clocks')])
})

test('a problem that lasts only a moment leaves nothing behind', async () => {
  await report(['no_answer', 'storage_full'], null, { status: 'offline' })
  await watchHealth(t.context)
  offsetMs += 5_000
  await report([], null, { status: 'idle' })
  await settle()
  expect(await health()).toEqual([])
  expect(await changes()).toEqual([])
  expect(await tasks('')).toEqual([])
})

test('a printer that is switched off shows that it cannot be reached, and is work for no one', async () => {
  await report(['unreachable'], 'the printer cannot be reached (EHOSTUNREACH)', { status: 'offline' })
  await settle()
  expect(await health()).toMatchObject([{ problem: 'unreachable', message: expect.stringContaining('EHOSTUNREACH') }])
  expect(await tasks()).toEqual([])
})

test('a reason that only a newer hub knows is shown in its words', async () => {
  await report(['nozzle_lost'], 'The nozzle fell off.')
  await settle()
  expect(await health()).toMatchObject([{ problem: 'unknown', message: 'The nozzle fell off.' }])
})

test('an error with a name of its own is not asked about twice', async () => {
  await report(['firmware_stopped'], 'MCU shutdown', { status: 'error', status_reason: 'MCU shutdown' })
  await settle()
  await t.written()
  offsetMs += 15 * 60_000
  await watchFarms(t.context)
  expect((await tasks()).filter((task: { printer_id: string }) => task.printer_id === farm.printerId)).toHaveLength(1)
})

test('of a printer that is put out of use nothing stays wrong', async () => {
  await report(['storage_missing'])
  await settle()
  await farm.account.request('PATCH', `/printers/${farm.printerId}`, { is_active: false })
  await watchHealth(t.context)
  expect(await health()).toEqual([])
  expect(await tasks()).toEqual([])
})

test('nothing is started on a printer with a problem, and explain says which and what to do', async () => {
  const jobId = await farm.queueJob()
  await report(['storage_missing'])
  const { printers } = await get(`/jobs/${jobId}/explain`)
  const verdict = printers[0].rules.find(({ rule: name }: { rule: string }) => name === 'no_known_problem')
  expect(verdict).toMatchObject({ passes: false, sentence: expect.stringContaining('Put a memory card') })
})

describe('a hub whose disk is full', () => {
  test('has a problem and one task until there is room again', async () => {
    await hubSays(['hub_storage_full'])
    await settle()
    await settle()
    const [hub] = await get('/hubs')
    expect(hub.health).toContainEqual(expect.objectContaining({ problem: 'hub_storage_full', blocks_starts: false }))
    const about = (all: { title: string }[]) => all.filter(({ title }) => title.includes('cannot write to its disk'))
    expect(about(await tasks())).toHaveLength(1)
    await hubSays([])
    await t.settled(
      () => !t.context.hubs.find(farm.hubId)?.problems?.some(({ reason }) => reason === 'hub_storage_full'),
    )
    await settle()
    expect(about(await tasks())).toEqual([])
  })
})

test('what is wrong with each of 150 hubs is written down, and their list tells it page by page', async () => {
  const problems = [{ reason: 'hub_storage_full', message: null }] as const
  const hubIds: HubId[] = []
  for (let count = 1; count <= 150; count += 1) {
    const { id, token } = await createHubWithToken(systemWork(t.db.sql, farm.account.id), `Hub ${count}`)
    const hub = await connectTestHub(t.app.listeningOrigin, token)
    hubs.push(hub)
    hub.send('heartbeat', { uptime_seconds: 1, printer_count: 0, problems: [...problems] })
    hubIds.push(id)
  }
  // The clock of this test may run ahead of the hubs', which is a problem of its own.
  const said = (id: HubId) => t.context.hubs.find(id)?.problems?.some(({ reason }) => reason === 'hub_storage_full')
  await t.settled(() => hubIds.every(said))
  await settle()
  const told = new Set<string>()
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await farm.account.request('GET', `/hubs?limit=100${cursor && `&cursor=${cursor}`}`)
    const { data, meta } = page.json()
    for (const { id, health } of data) if (health.some(isFullStorage)) told.add(id)
    cursor = meta.next_cursor
  }
  expect(hubIds.filter((id) => !told.has(id))).toEqual([])
}, 120_000)

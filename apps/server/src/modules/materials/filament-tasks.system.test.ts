import { expect, test } from 'vitest'
import { makeStartRounds } from '../../live/start-rounds.ts'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { keepFilamentTasks, sweepFilamentTasks } from './filament-tasks.ts'

const { t, farm: live } = farmForEachTest()

async function send(method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object) {
  const answer = await live.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}
const tasks = async () =>
  (await send('GET', '/worklist?task_type=filament_change')).map(
    ({ title, status, printer_id }: Record<string, unknown>) => ({
      title,
      status,
      printer_id,
    }),
  )
const asked = (status: string) => ({ title: 'Load PETG', status, printer_id: live.printerId })

async function loadSpool(grams: number): Promise<void> {
  const spool = { type: 'PETG', hex_code: '#112233', remaining_grams: grams }
  const { id } = await send('POST', '/materials/filament', spool)
  await send('PATCH', `/materials/filament/${id}`, { printer_id: live.printerId })
}

test('jobs that need a filament ask for it once, and loading the spool completes the task', async () => {
  await live.queueJob()
  await live.queueJob()
  await sweepFilamentTasks(t.context)
  await sweepFilamentTasks(t.context)
  expect(await tasks()).toEqual([asked('pending')])
  await loadSpool(500)
  expect(await tasks()).toEqual([asked('completed')])
})

test('a farm whose printers are being started has its turn after that, and keeps no other farm waiting', async () => {
  await live.queueJob()
  const other = await createTestFarm(t)
  await other.queueJob()
  const askedOf = async ({ account }: TestFarm) =>
    (await account.request('GET', '/worklist?task_type=filament_change')).json().data.length
  const goOn = Promise.withResolvers<void>()
  const round = t.context.memory.hold(makeStartRounds, undefined).run(live.account.id, () => goOn.promise)
  const swept = sweepFilamentTasks(t.context)
  try {
    await t.settled(async () => (await askedOf(other)) === 1)
    expect(await askedOf(live)).toBe(0)
  } finally {
    goOn.resolve()
    await round
    await swept
    await other.hub.close()
  }
  expect(await askedOf(live)).toBe(1)
})

test('a spool with less on it than the next plate needs is asked to be changed', async () => {
  await loadSpool(5)
  await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([asked('pending')])
  await loadSpool(500)
  expect(await tasks()).toEqual([asked('completed')])
})

test('a task that no one needs any more is cancelled', async () => {
  const jobId = await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  await send('POST', `/jobs/${jobId}/cancel`)
  await sweepFilamentTasks(t.context)
  expect(await tasks()).toEqual([asked('cancelled')])
})

test('a task that a person closed is not made again at once', async () => {
  await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  const [task] = await send('GET', '/worklist')
  await send('PUT', `/worklist/${task.id}/status`, { status: 'cancelled' })
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([asked('cancelled')])
})

test('of many who look at once, one makes the task', async () => {
  await live.queueJob()
  await Promise.all(Array.from({ length: 5 }, () => keepFilamentTasks(t.context, live.account.id)))
  expect(await tasks()).toEqual([asked('pending')])
})

test('a colour that no one insists on asks for no change, one that a person named does', async () => {
  await send('PATCH', `/printers/${live.printerId}`, { current_filament_type: 'PETG', current_color: 'Red' })
  await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([])
  await live.queueJob({ color: 'Blue' })
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([{ ...asked('pending'), title: 'Load PETG Blue' }])
})

test('printers that nothing waits for are given the filament that many jobs wait for', async () => {
  await send('PATCH', `/printers/${live.printerId}`, { current_filament_type: 'PETG', current_color: 'Blue' })
  const other = await send('POST', '/printers', {
    name: 'Other',
    model: 'MK4S',
    connection_type: 'virtual',
    current_filament_type: 'PLA',
  })
  const wanted = { printer_id: undefined, color: 'Blue', number_of_units: 6 }
  await live.queueJob(wanted)
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([])
  for (let jobs = 1; jobs < 4; jobs += 1) await live.queueJob(wanted)
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([{ title: 'Load PETG Blue', status: 'pending', printer_id: other.id }])
})

test('a task of a filament is made by its rule, and taking up a cancelled one is refused while another is open', async () => {
  await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  const [cancelled] = await send('GET', '/worklist')
  await send('PUT', `/worklist/${cancelled.id}/status`, { status: 'cancelled' })
  await keepFilamentTasks({ ...t.context, clock: { now: () => new Date(Date.now() + 2 * 3_600_000) } }, live.account.id)
  expect(await tasks()).toEqual([asked('pending'), asked('cancelled')])
  const rows = await t.db.sql`
    select source, subject_id from worklist_tasks where account_id = ${live.account.id} order by id`
  expect(rows).toEqual([
    { source: 'filament', subject_id: `${live.printerId} petg|` },
    { source: 'filament', subject_id: `${live.printerId} petg|` },
  ])
  const answer = await live.account.request('PUT', `/worklist/${cancelled.id}/status`, { status: 'pending' })
  expect(answer.json()).toMatchObject({ error: { code: 'ALREADY_EXISTS' } })
})

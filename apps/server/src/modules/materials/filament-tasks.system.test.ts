import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/test-farm.ts'
import { keepFilamentTasks, sweepFilamentTasks } from './filament-tasks.ts'

let t: TestApp
let live: TestFarm
beforeAll(async () => {
  t = await createTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  live = await createTestFarm(t)
  return () => live.hub.close()
})

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
const asked = (status: string) => ({ title: 'Load PETG #112233', status, printer_id: live.printerId })

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

test('a spool with less on it than the next plate needs is asked to be changed', async () => {
  await loadSpool(5)
  await live.queueJob()
  await keepFilamentTasks(t.context, live.account.id)
  expect(await tasks()).toEqual([asked('pending')])
  await loadSpool(500)
  expect(await tasks()).toEqual([asked('completed')])
})

test('a task that nobody needs any more is cancelled', async () => {
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

import { expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'

const { t, farm } = farmForEachTest()

const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, account = farm.account) =>
  account.request(method, path, body)
const queued = async () => (await ask('GET', '/jobs/queue')).json().data.map(({ id }: { id: string }) => id)
const cancel = (id: string, body = {}) => ask('POST', `/jobs/${id}/cancel`, body)
const restore = (id: string) => ask('POST', `/jobs/${id}/restore`)

test('a job whose cancel is taken back stands where it stood, with all that it asked for', async () => {
  const ids = [await farm.queueJob(), await farm.queueJob(), await farm.queueJob()]
  const [, second = ''] = ids
  await ask('PATCH', `/jobs/${second}`, { color: 'red' })
  const order = await queued()
  const before = (await ask('GET', `/jobs/${second}`)).json().data
  await cancel(second)
  expect(await queued()).not.toContain(second)
  const answer = await restore(second)
  expect(answer.statusCode).toBe(200)
  const { updated_at: _before, ...same } = before
  expect(answer.json().data).toMatchObject(same)
  expect(await queued()).toEqual(order)
})

test('a job that was stopped on its printer is printed again, and stops no more by the old cancel', async () => {
  const id = await farm.queueJob()
  await farm.print(id)
  await cancel(id)
  expect((await restore(id)).json().data).toMatchObject({
    status: 'queued',
    progress_percentage: null,
    time_started: null,
    time_completed: null,
  })
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
  await ask('POST', `/printers/${farm.printerId}/control`, { action: 'clear_bed' })
  await farm.print(id)
  expect((await ask('GET', `/jobs/${id}`)).json().data).toMatchObject({ status: 'printing' })
})

test('only a cancelled job is restored, of the own account', async () => {
  const id = await farm.queueJob()
  expect((await restore(id)).json().error).toMatchObject({ code: 'JOB_STATE_CHANGED', details: { status: 'queued' } })
  expect((await restore('job_01kaxq3v7m2e8h5t9w4c6y0b1d')).statusCode).toBe(404)
})

test('a cancel that means a waiting job only does not stop one that has been started', async () => {
  const id = await farm.queueJob()
  await farm.print(id)
  const refused = await cancel(id, { only_queued: true })
  expect(refused.json().error.code).toBe('JOB_STATE_CHANGED')
  expect((await ask('GET', `/jobs/${id}`)).json().data).toMatchObject({ status: 'printing' })
  const waiting = await farm.queueJob()
  expect((await cancel(waiting, { only_queued: true })).json().data).toMatchObject({ status: 'cancelled' })
})

import { beforeAll, expect, test } from 'vitest'
import { farmForAllTests } from '../test/app/app-hooks.ts'
import { addSku } from '../test/farm/test-catalogue.ts'
import { dataOf, errorOf, expectForm, jobDetailForm, jobForm, keepsCommonPromises } from './expectations.ts'

let jobId: string
const { t, farm } = farmForAllTests()
beforeAll(async () => {
  jobId = await farm.queueJob()
})

const read = async (id: string) => dataOf(await farm.account.request('GET', `/jobs/${id}`))

keepsCommonPromises({ method: 'GET', path: '/jobs/:id', scope: 'read' }, () => ({
  t,
  account: farm.account,
  id: jobId,
}))

test('200: every field of the detail projection is there, and null while nothing is known', async () => {
  const job = await read(jobId)
  expectForm(job, jobDetailForm)
  expect(job).toMatchObject({ id: jobId, status: 'queued', time_started: null, time_completed: null, sku_name: null })
})

test('200: a job that ran to its end has its figures; lists show it without the four fields of the detail', async () => {
  const sku = await addSku(farm.account, { color: 'Red', filament_type: 'ASA' })
  const id = await farm.queueJob({ product_sku_id: sku.id })
  const attempt = await farm.print(id)
  const printing = await read(id)
  expectForm(printing, jobDetailForm)
  expect(printing).toMatchObject({
    status: 'printing',
    progress_percentage: 10,
    printer_name: 'Printer',
    printer_model: 'MK4S',
    sku_name: 'Red ASA',
    time_started: expect.any(String),
    time_completed: null,
  })
  await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
  const completed = await read(id)
  expectForm(completed, { ...jobDetailForm, time_completed: 'timestamp', actual_print_time_minutes: 'number' })
  expect(completed).toMatchObject({ status: 'completed', progress_percentage: 100, failure_reason: null })

  for (const list of ['/jobs', '/jobs/history']) {
    const rows: Record<string, unknown>[] = (await farm.account.request('GET', list)).json().data
    const row = rows.find((each) => each.id === id) ?? {}
    expectForm(row, jobForm)
    expect(completed).toMatchObject(row)
  }
})

test('404 NOT_FOUND also for the ID of something else, and for what a list would be', async () => {
  errorOf(await farm.account.request('GET', `/jobs/${farm.printerId}`), 404, 'NOT_FOUND')
  errorOf(await farm.account.request('GET', '/jobs/'), 404, 'NOT_FOUND')
})

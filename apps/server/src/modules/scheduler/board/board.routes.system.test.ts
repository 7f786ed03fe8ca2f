import { expect, test } from 'vitest'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'

const { t, farm } = farmForEachTest()

const idle = async () => {
  farm.hub.telemetry(farm.printerId, { status: 'idle' })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'idle')
}

test('a printer tells the job that holds it, the next one, and what is loaded', async () => {
  const person = await createTestPerson(t, farm.account, 'viewer')
  const board = async () => (await person.request('GET', '/printers/board')).json().data
  await farm.account.request('PATCH', `/printers/${farm.printerId}`, {
    ...{ current_filament_type: 'PETG', current_color: 'Orange', current_color_hex: '#F26B21' },
  })
  expect(await board()).toEqual([
    expect.objectContaining({ id: farm.printerId, job: null, next_job: null, slots: [expect.anything()] }),
  ])
  const jobId = await farm.queueJob()
  await farm.print(jobId)
  const nextId = await farm.queueJob()
  expect(await board()).toEqual([
    {
      id: farm.printerId,
      job: expect.objectContaining({ id: jobId, file_name: 'clip', units: 1, plate_number: 1, plates_total: 1 }),
      next_job: { id: nextId, name: 'clip' },
      slots: [{ name: '', type: 'PETG', color: 'Orange', color_hex: '#F26B21', is_empty: false, is_active: true }],
    },
  ])
  const stranger = await createTestPerson(t, await t.account(), 'owner')
  expect((await stranger.request('GET', '/printers/board')).json().data).toEqual([])
})

test('jobs that one thing keeps from idle printers are told together, with the printers', async () => {
  const person = await createTestPerson(t, farm.account, 'viewer')
  const groups = async () => (await person.request('GET', '/jobs/queue/remedies')).json().data
  expect(await groups()).toEqual([])
  await idle()
  await farm.account.request('PATCH', `/printers/${farm.printerId}`, {
    ...{ auto_start: false, nozzle_size: 0.4, current_filament_type: 'PETG', current_color: 'Black' },
  })
  await farm.queueJob({ printer_id: farm.printerId })
  await farm.queueJob({ printer_id: farm.printerId })
  expect(await groups()).toEqual([
    {
      rule: 'auto_start',
      remedy: 'auto_start',
      jobs: 2,
      printers: [{ id: farm.printerId, name: 'Printer' }],
      nozzle: expect.toBeOneOf([0.4, null]),
    },
  ])
  // With a second thing in the way, to let it start is not enough.
  await farm.account.request('PUT', `/printers/${farm.printerId}/maintenance`, { in_maintenance: true })
  expect(await groups()).toEqual([])
})

import { expect, test } from 'vitest'
import { farmForAllTests } from '../../../test/app/app-hooks.ts'

const { t, farm } = farmForAllTests()

const look = async () => (await farm.account.request('GET', `/printers/${farm.printerId}/transfer`)).json().data

async function show(transfer: { attempt_id: string; sent_bytes: number; total_bytes: number } | null) {
  farm.hub.telemetry(farm.printerId, { status: 'idle', transfer })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.transfer?.sent_bytes === transfer?.sent_bytes)
}

test('a file on its way is shown with its job, as far as the hub said last', async () => {
  expect(await look()).toEqual({ printer_id: farm.printerId, hub_online: true, transfer: null })
  const jobId = await farm.queueJob()
  const { attempt_id } = await farm.print(jobId)
  for (const sent_bytes of [0, 1_000, 4_000]) {
    await show({ attempt_id, sent_bytes, total_bytes: 4_000 })
    expect((await look()).transfer).toEqual({ job_id: jobId, sent_bytes, total_bytes: 4_000 })
  }
  await show(null)
  expect((await look()).transfer).toBeNull()
})

test('a hub that names an attempt of no one shows bytes and no job', async () => {
  await show({ attempt_id: 'att_strange', sent_bytes: 5, total_bytes: 10 })
  expect((await look()).transfer).toEqual({ job_id: null, sent_bytes: 5, total_bytes: 10 })
})

test('nothing is known of a printer whose hub is away', async () => {
  await show({ attempt_id: 'att_strange', sent_bytes: 5, total_bytes: 10 })
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  expect(await look()).toEqual({ printer_id: farm.printerId, hub_online: false, transfer: null })
})

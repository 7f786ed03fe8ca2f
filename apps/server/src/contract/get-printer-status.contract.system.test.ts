import { expect, test } from 'vitest'
import { farmForEachTest } from '../test/app/app-hooks.ts'
import type { TestFarm } from '../test/farm/test-farm.ts'
import { dataOf, expectForm, type Form, keepsCommonPromises } from './expectations.ts'

const liveForm: Form = {
  status: 'string?',
  progress: 'number?',
  nozzle_temp: 'number?',
  bed_temp: 'number?',
  chamber_temp: 'number?',
  target_nozzle_temp: 'number?',
  target_bed_temp: 'number?',
  layer_num: 'number?',
  total_layers: 'number?',
  remaining_time_minutes: 'number?',
  current_job_id: 'string?',
  current_color: 'string?',
  current_color_hex: 'string?',
  current_filament_type: 'string?',
}
const statusForm: Form = { printer_id: 'string', hub_online: 'boolean', ...liveForm, last_telemetry_at: 'timestamp?' }
const nothingLive = Object.fromEntries(Object.keys(liveForm).map((name) => [name, null]))

const reported = {
  progress: 42.5,
  nozzle_temp: 214.8,
  bed_temp: 59.9,
  chamber_temp: 38,
  target_nozzle_temp: 215,
  target_bed_temp: 60,
  layer_num: 12,
  total_layers: 200,
  remaining_time_minutes: 77,
}

const { t, farm } = farmForEachTest()

const read = async (id = farm.printerId) => dataOf(await farm.account.request('GET', `/printers/${id}/status`))

async function report(state: Parameters<TestFarm['hub']['telemetry']>[1]): Promise<void> {
  const before = t.context.printers.find(farm.printerId)?.reportedAt
  farm.hub.telemetry(farm.printerId, state)
  await t.settled(() => {
    const live = t.context.printers.find(farm.printerId)
    return live !== undefined && live.reportedAt !== before && live.state.status === state.status
  })
}

keepsCommonPromises({ method: 'GET', path: '/printers/:id/status', scope: 'read' }, () => ({
  t,
  account: farm.account,
  id: farm.printerId,
}))

test('200: exactly its fields, as the printer last reported them', async () => {
  const jobId = await farm.queueJob()
  const attempt = await farm.print(jobId)
  const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: attempt.attempt_id }
  await report({ status: 'paused', run, ...reported, filament_type: 'PETG', filament_color_hex: '#112233' })
  const status = await read()
  expectForm(status, { ...statusForm, last_telemetry_at: 'timestamp' })
  expect(status).toMatchObject({
    printer_id: farm.printerId,
    hub_online: true,
    status: 'paused',
    ...reported,
    current_job_id: jobId,
    current_color: null,
    current_color_hex: '#112233',
    current_filament_type: 'PETG',
  })
})

test('an idle printer has no job and no progress; its temperatures are those of now', async () => {
  await report({ status: 'idle', nozzle_temp: 25, bed_temp: 24 })
  expect(await read()).toMatchObject({
    status: 'idle',
    progress: null,
    nozzle_temp: 25,
    bed_temp: 24,
    current_job_id: null,
    layer_num: null,
  })
})

test('a print that is not of this service is no job', async () => {
  await report({ status: 'printing', run: { file_name: 'vase.gcode', job_id: '7', attempt_id: null }, progress: 5 })
  expect(await read()).toMatchObject({ status: 'printing', progress: 5, current_job_id: null })
})

test('hub offline: hub_online is false and every live field null; only the last report keeps its time', async () => {
  await report({ status: 'printing', ...reported })
  const { last_telemetry_at } = await read()
  await farm.hub.close()
  await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
  const status = await read()
  expectForm(status, statusForm)
  expect(status).toEqual({ printer_id: farm.printerId, hub_online: false, ...nothingLive, last_telemetry_at })
})

test('a printer that its hub cannot reach is offline, its hub is not', async () => {
  await report({ status: 'offline' })
  expect(await read()).toMatchObject({ hub_online: true, status: 'offline', nozzle_temp: null, progress: null })
})

test('a printer without a hub was never heard of', async () => {
  const added = await farm.account.request('POST', '/printers', {
    name: 'Alone',
    model: 'X',
    connection_type: 'virtual',
  })
  const { id } = dataOf(added, 201)
  expect(await read(id)).toEqual({ printer_id: id, hub_online: false, ...nothingLive, last_telemetry_at: null })
})

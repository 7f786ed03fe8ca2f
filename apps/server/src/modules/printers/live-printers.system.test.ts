import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/test-farm.ts'

let t: TestApp
let farm: TestFarm
beforeAll(async () => {
  t = await createTestApp()
  farm = await createTestFarm(t)
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

const read = async (account = farm.account) => (await account.request('GET', '/printers/live')).json().data

test('every printer comes with what its hub says of it now', async () => {
  farm.hub.telemetry(farm.printerId, {
    ...unknownPrinterState(''),
    status: 'printing',
    run: { file_name: 'vase.gcode', job_id: null, attempt_id: null },
    progress: 12.5,
    nozzle_temp: 214.6,
    target_nozzle_temp: 215,
    remaining_time_minutes: 42,
    filament_type: 'PETG',
    filament_color_hex: '#00FF00',
  })
  await t.settled(async () => (await read())[0].status === 'printing')
  expect(await read()).toEqual([
    expect.objectContaining({
      id: farm.printerId,
      hub_online: true,
      status: 'printing',
      file_name: 'vase.gcode',
      is_foreign: true,
      progress: 12.5,
      nozzle_temp: 214.6,
      remaining_time_minutes: 42,
      current_filament_type: 'PETG',
      current_color_hex: '#00FF00',
    }),
  ])
})

test('a printer that nobody hears of has no live values, and what a person entered of its filament', async () => {
  const account = await t.account()
  const entered = { current_filament_type: 'PLA', current_color: 'Sky' }
  const printer = { name: 'Alone', model: 'MK4S', connection_type: 'virtual', ...entered }
  await account.request('POST', '/printers', printer)
  expect(await read(account)).toEqual([
    expect.objectContaining({
      name: 'Alone',
      status: 'offline',
      hub_online: false,
      plate_state: 'unknown',
      health_problem: null,
      progress: null,
      nozzle_temp: null,
      file_name: null,
      is_foreign: false,
      ...entered,
    }),
  ])
})

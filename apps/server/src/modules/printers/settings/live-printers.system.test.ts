import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { expect, test } from 'vitest'
import { farmForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestFarm } from '../../../test/farm/test-farm.ts'
import { createTestPerson } from '../../../test/farm/test-person.ts'

const { t, farm } = farmForAllTests()

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

test('a print of a job is called by the name that people gave its file, not by the one on the printer', async () => {
  const other = await createTestFarm(t)
  const { attempt_id } = await other.print(await other.queueJob())
  other.hub.telemetry(other.printerId, { run: { file_name: 'clip-80c3wwsg3yk2.gcode', job_id: null, attempt_id } })
  await t.settled(() => t.context.printers.find(other.printerId)?.state.run?.file_name.startsWith('clip-') === true)
  expect(await read(other.account)).toEqual([expect.objectContaining({ file_name: 'clip', is_foreign: false })])
  await other.hub.close()
})

test('a printer that no one hears of has no live values, and what a person entered of its filament', async () => {
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

test('a printer whose hub is away keeps what it did last, with its time; a report of the hub ends it', async () => {
  const other = await createTestFarm(t)
  other.hub.telemetry(other.printerId, {
    ...unknownPrinterState(''),
    status: 'printing',
    run: { file_name: 'vase.gcode', job_id: null, attempt_id: null },
    progress: 42,
    nozzle_temp: 215,
  })
  const rowOf = async () => (await read(other.account))[0]
  await t.settled(async () => (await rowOf()).status === 'printing')
  expect((await rowOf()).last_known).toBeNull()

  const person = await createTestPerson(t, other.account, 'viewer')
  const temperatures = async () =>
    (await person.request('GET', `/printers/${other.printerId}/last-hour`)).json().data.samples
  expect((await temperatures()).at(-1)).toMatchObject({ nozzle: 215, bed: null })

  await other.hub.close()
  await t.settled(async () => (await rowOf()).hub_online === false)
  expect(await rowOf()).toMatchObject({
    status: 'offline',
    progress: null,
    last_known: { status: 'printing', progress: 42, file_name: 'vase.gcode', reported_at: expect.any(String) },
  })
  expect((await temperatures()).at(-1)).toMatchObject({ nozzle: null })
})

import { withinBounds } from '@printyard/protocol/number-bounds'
import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type CrealityFields, crealityState, follow, freshMemory, mergeFields } from './creality-state.ts'
import { hasMaterialBox, slotsOf } from './material-boxes.ts'

const printing = {
  state: 1,
  deviceState: 0,
  withSelfTest: 0,
  printProgress: '42',
  dProgress: 41,
  layer: '57',
  TotalLayer: 120,
  printLeftTime: '1501',
  printJobTime: 900,
  printFileName: '/usr/data/printer_data/gcodes/clip.gcode',
  nozzleTemp: '214.710000',
  targetNozzleTemp: '215',
  bedTemp0: '59.980000',
  targetBedTemp0: 60,
  boxTemp: 38,
  targetBoxTemp: 0,
  lightSw: '1',
  materialStatus: 0,
  err: { errcode: 0, key: 0 },
  model: 'F008',
  modelVersion: 'printer hw ver:CR4CU220812S12;printer sw ver:1.1.2.10;DWIN sw ver:;',
}
const boxsInfo = {
  materialBoxs: [
    { id: 0, type: 1, materials: [{ id: 0, type: 'ABS', color: '#0000000', selected: 0 }] },
    {
      id: 1,
      type: 0,
      materials: [
        { id: 0, type: 'PLA', color: '#0ba552a', selected: '1' },
        { id: 1, type: 'PETG', color: '#07a92ac', selected: 0 },
      ],
    },
  ],
}
const stateOf = (fields: Record<string, unknown> = {}) => crealityState({ ...printing, ...fields })

test('a running job is shown, numbers as text included', () => {
  expect(stateOf({ boxsInfo })).toEqual({
    status: 'printing',
    status_reason: null,
    run: { file_name: 'clip.gcode', job_id: null, attempt_id: null },
    last_result: null,
    progress: 42,
    nozzle_temp: 214.7,
    bed_temp: 60,
    chamber_temp: 38,
    target_nozzle_temp: 215,
    target_bed_temp: 60,
    target_chamber_temp: 0,
    layer_num: 57,
    total_layers: 120,
    remaining_time_minutes: 26,
    light_on: true,
    filament_type: 'PLA',
    filament_color_hex: '#BA552A',
    firmware_version: '1.1.2.10',
    problems: [],
    slots: expect.any(Array),
    transfer: null,
  })
})

test('a remaining time of zero while printing is unknown', () => {
  expect(stateOf({ printLeftTime: 0 }).remaining_time_minutes).toBeNull()
})

test('a fragment changes only what it names', () => {
  const merged = mergeFields(mergeFields(printing, { nozzleTemp: '180' }), 'ok')
  expect(crealityState(merged)).toMatchObject({ status: 'printing', nozzle_temp: 180, bed_temp: 60 })
})

test('a file is shown under the name that we know it by', () => {
  const shown = crealityState({ ...printing, printFileName: '/x/my_clip.gcode' }, undefined, () => 'my clip.gcode')
  expect(shown.run?.file_name).toBe('my clip.gcode')
})

describe('state', () => {
  test.each([
    ['1 prints', { state: '1' }, 'printing'],
    ['1 prints, self-test included', { state: 1, withSelfTest: 30 }, 'printing'],
    ['1 without a file is neither idle nor a run', { state: 1, printFileName: '' }, 'maintenance'],
    ['5 is paused', { state: 5 }, 'paused'],
    ['5 with a fault is still the paused job', { state: 5, err: { errcode: 2564, key: 1 } }, 'paused'],
    ['0 is idle', { state: 0, printFileName: '' }, 'idle'],
    ['0 during a self-test is busy', { state: 0, withSelfTest: '1', printFileName: '' }, 'maintenance'],
    ['0 after a self-test is idle', { state: 0, withSelfTest: 100, printFileName: '' }, 'idle'],
    ['2 during a self-test is busy', { state: 2, withSelfTest: 99 }, 'maintenance'],
    ['0 while homing is busy', { state: 0, deviceState: 7, printFileName: '' }, 'maintenance'],
    ['0 in the middle of a print is busy', { state: 0 }, 'maintenance'],
    ['4 is idle', { state: 4 }, 'idle'],
    ['with a fault and no job needs a person', { state: 0, err: { errcode: '2564', key: 101 } }, 'error'],
    ['of a number that no one knows is not idle', { state: 77 }, 'maintenance'],
  ])('%s', (_name, fields, status) => {
    expect(stateOf(fields).status).toBe(status)
  })

  test('of a pause by the filament sensor says so', () => {
    expect(stateOf({ state: 5, materialStatus: '1' }).status_reason).toBe('the filament ran out')
  })
})

describe('the last result', () => {
  test.each([
    ['is completed in state 2', { state: 2, printProgress: 100, printLeftTime: 0 }, 'completed'],
    ['is completed in state 0 with the whole file printed', { state: 0, printProgress: '100' }, 'completed'],
    ['is cancelled in state 4', { state: 4 }, 'cancelled'],
    ['is failed with a fault', { state: 4, err: { errcode: 2564, key: 101 } }, 'failed'],
  ])('%s', (_name, fields, result) => {
    expect(stateOf(fields)).toMatchObject({ run: null, last_result: { result, run: { file_name: 'clip.gcode' } } })
  })

  test('is not known of a file whose progress was set back', () => {
    expect(stateOf({ state: 0, printProgress: 0, printLeftTime: 0 })).toMatchObject({
      status: 'idle',
      last_result: null,
    })
  })
})

describe('material boxes', () => {
  test('are read with their places named', () => {
    expect(slotsOf(boxsInfo).map(({ name, type, colorHex }) => [name, type, colorHex])).toEqual([
      ['external', 'ABS', '#000000'],
      ['1A', 'PLA', '#BA552A'],
      ['1B', 'PETG', '#7A92AC'],
    ])
    expect(hasMaterialBox(boxsInfo)).toBe(true)
  })

  test('a spool holder alone is none', () => {
    expect(hasMaterialBox({ materialBoxs: boxsInfo.materialBoxs.slice(0, 1) })).toBe(false)
  })
})

describe('a fault', () => {
  const fault = { errcode: 2564, key: 101 }
  /** The last picture of a printer that said these things one after the other. */
  const after = (...reports: Record<string, unknown>[]) => {
    let fields: CrealityFields = {}
    let memory = freshMemory
    for (const report of reports) {
      fields = mergeFields(fields, report)
      memory = follow(memory, fields)
    }
    return { fields, memory, state: crealityState(fields, memory) }
  }
  const idle = { ...printing, state: 0, printFileName: '' }

  test('that stays from before does not make a run a failure that ends well, or a stop one', () => {
    const before = { ...idle, err: fault }
    const done = { state: 2, printProgress: 100, printLeftTime: 0 }
    expect(after(before, { ...printing, err: fault }, done).state.last_result?.result).toBe('completed')
    expect(after(before, { ...printing, err: fault }, { state: 4 }).state.last_result?.result).toBe('cancelled')
    expect(after(idle, printing, { state: 4, err: fault }).state.last_result?.result).toBe('failed')
    expect(after(idle, printing, { ...done, err: fault }).state.last_result?.result).toBe('completed')
  })

  test('that a person has acknowledged keeps the printer from nothing, another one does', () => {
    const { fields, memory, state } = after(idle, printing, { state: 4, err: fault })
    expect(state.status).toBe('error')
    const acknowledged = { ...memory, acknowledged: memory.fault }
    expect(crealityState(fields, acknowledged)).toMatchObject({ status: 'idle', last_result: { result: 'failed' } })
    const other = mergeFields(fields, { err: { errcode: 2, key: 1 } })
    expect(crealityState(other, follow(acknowledged, other)).status).toBe('error')
  })

  test('or a power cut that breaks a print off leaves no printer busy for ever', () => {
    const cold = { ...printing, state: 0, targetNozzleTemp: '0' }
    expect(after(printing, cold).state).toMatchObject({ status: 'idle', run: null, last_result: null })
    expect(after(printing, { ...printing, state: 0 }).state.status).toBe('maintenance')
  })
})

test('a fragment alone does not tell what was printed last', () => {
  expect(crealityState({ state: 0 }).run_mark).toBeNull()
  expect(stateOf()).not.toHaveProperty('run_mark')
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const fragment = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...Object.keys(printing), 'boxsInfo', '__proto__', 'toString'), fc.jsonValue()),
    fc.record({
      state: fc.constantFrom(0, '1', 2, 4, '5', -1),
      err: fc.record({ errcode: fc.jsonValue(), key: fc.jsonValue() }),
      boxsInfo: fc.record({
        materialBoxs: fc.array(
          fc.record({
            id: fc.jsonValue(),
            type: fc.jsonValue(),
            materials: fc.array(fc.record({ id: fc.nat(30), type: fc.jsonValue(), color: fc.jsonValue() })),
          }),
        ),
      }),
    }),
  )
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 5 }), (fragments) => {
      const fields = fragments.reduce<CrealityFields>(mergeFields, printing)
      expect(isPrinterState.Check(withinBounds(crealityState(fields)))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

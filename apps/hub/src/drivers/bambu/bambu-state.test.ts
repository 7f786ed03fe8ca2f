import { readFileSync } from 'node:fs'
import { withinBounds } from '@printyard/protocol/number-bounds'
import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { anyText } from '../../test/any-text.ts'
import { developerModeRemedy } from './bambu-faults.ts'
import { amsTrays } from './bambu-filament.ts'
import { traitsOf } from './bambu-models.ts'
import { type BambuPicture, emptyPicture, markCancelled, mergeMessage } from './bambu-report.ts'
import { bambuState, openFaults, refusesCommands, storageProblem } from './bambu-state.ts'

type Print = Record<string, unknown>

function fixture(name: string): { print: Print } {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'))
}

const x1c = traitsOf(null, '00M00A000000000', '')
const p1s = traitsOf(null, '01P00A000000000', '')
const h2d = traitsOf('Bambu Lab H2D', '09400A000000000', '')
const pictureOf = (...messages: unknown[]): BambuPicture => messages.reduce<BambuPicture>(mergeMessage, emptyPicture())
const change = (print: Print) => ({ print: { command: 'push_status', msg: 1, ...print } })
const full = (print: Print) => ({ print: { command: 'push_status', msg: 0, ...print } })
const running = { gcode_state: 'RUNNING', gcode_file: 'clip.gcode.3mf', subtask_id: '4711', mc_percent: 10 }

describe('recorded reports', () => {
  test('an X1 Carbon that prints', () => {
    const version = { info: { command: 'get_version', module: [{ name: 'ota', sw_ver: '01.09.00.00' }] } }
    expect(bambuState(pictureOf(version, fixture('x1c-printing')), x1c)).toEqual({
      status: 'printing',
      status_reason: null,
      run: { file_name: 'bracket-x4.gcode.3mf', job_id: '918273645', attempt_id: null },
      last_result: null,
      progress: 37,
      nozzle_temp: 219.8,
      bed_temp: 54.9,
      chamber_temp: 31,
      target_nozzle_temp: 220,
      target_bed_temp: 55,
      target_chamber_temp: null,
      layer_num: 61,
      total_layers: 165,
      remaining_time_minutes: 84,
      light_on: true,
      filament_type: 'PETG',
      filament_color_hex: '#0A2CA5',
      firmware_version: '01.09.00.00',
      problems: [],
      slots: expect.any(Array),
      transfer: null,
    })
  })

  test('the slots of an X1 Carbon, its external holder among them', () => {
    const { slots } = bambuState(pictureOf(fixture('x1c-printing')), x1c)
    expect(slots?.map(({ slot, name, is_empty }) => [slot, name, is_empty])).toEqual([
      [0, 'AMS 1 slot 1', false],
      [1, 'AMS 1 slot 2', false],
      [2, 'AMS 1 slot 3', true],
      [3, 'AMS 1 slot 4', true],
      [254, 'external', false],
    ])
    expect(slots?.[1]).toEqual({
      slot: 1,
      name: 'AMS 1 slot 2',
      filament_type: 'PETG',
      filament_color_hex: '#0A2CA5',
      preset_id: 'GFA00',
      is_external: false,
      tool: null,
      remaining_percent: 80,
      is_empty: false,
      is_active: true,
    })
    expect(slots?.filter(({ is_active }) => is_active)).toHaveLength(1)
  })

  test('a printer that has not said where its spools are tells of no slots', () => {
    expect(bambuState(emptyPicture(), p1s).slots).toBeNull()
  })

  test('a P1S that keeps its last result, without a chamber sensor and with numbers as text', () => {
    expect(bambuState(pictureOf(fixture('p1s-finished')), p1s)).toMatchObject({
      status: 'idle',
      run: null,
      last_result: { result: 'completed', run: { file_name: 'clip.gcode.3mf', job_id: '4711' } },
      progress: null,
      nozzle_temp: 61.3,
      chamber_temp: null,
      filament_type: 'PETG',
      filament_color_hex: '#F7D959',
      light_on: false,
    })
  })

  test('an A1 mini whose plain G-code was cancelled', () => {
    expect(bambuState(pictureOf(fixture('a1-mini-cancelled')), p1s)).toMatchObject({
      status: 'idle',
      last_result: { result: 'cancelled', reason: null, run: { file_name: 'vase.gcode', job_id: null } },
      filament_type: 'PLA-S',
    })
  })

  test('an H2D that waits for filament, with packed temperatures of the nozzle in use and a heated unit', () => {
    expect(bambuState(pictureOf(fixture('h2d-paused')), h2d)).toMatchObject({
      status: 'paused',
      status_reason: expect.stringContaining('the filament ran out'),
      run: { file_name: 'hinge.gcode.3mf', job_id: '2147483646' },
      nozzle_temp: 219,
      target_nozzle_temp: 220,
      bed_temp: 60,
      chamber_temp: 41,
      target_chamber_temp: 45,
      filament_type: 'ABS',
      filament_color_hex: '#000000',
    })
  })
})

test.each([
  ['IDLE', 'idle'],
  ['FINISH', 'idle'],
  ['FAILED', 'idle'],
  ['PREPARE', 'printing'],
  ['SLICING', 'printing'],
  ['RUNNING', 'printing'],
  ['PAUSE', 'paused'],
])('%s is %s for us', (gcode_state, status) => {
  expect(bambuState(pictureOf(full({ ...running, gcode_state })), p1s).status).toBe(status)
})

test.each(['INIT', 'OFFLINE', 'UNKNOWN', '', 'constructor'])('the state %j keeps the one before', (gcode_state) => {
  expect(bambuState(pictureOf(full(running), change({ gcode_state })), p1s).status).toBe('printing')
})

test('before the first state nothing is claimed', () => {
  expect(bambuState(pictureOf(change({ nozzle_temper: 20 })), p1s)).toMatchObject({ status: 'offline', run: null })
})

test('while a job is unpacked the percentage is still of the last one and is not shown', () => {
  const picture = pictureOf(full({ ...running, gcode_state: 'PREPARE', mc_percent: 100, layer_num: 80 }))
  expect(bambuState(picture, p1s)).toMatchObject({ status: 'printing', progress: null, layer_num: null })
})

test('the total of layers that falls to 0 at the end keeps its last value, for that job only', () => {
  const picture = pictureOf(full({ ...running, total_layer_num: 120 }), change({ total_layer_num: 0 }))
  expect(bambuState(picture, p1s).total_layers).toBe(120)
  expect(bambuState(mergeMessage(picture, change({ subtask_id: '4712' })), p1s).total_layers).toBeNull()
})

describe('the end of a job', () => {
  const failed = { gcode_state: 'FAILED', print_error: 0 }

  test('that failed tells why', () => {
    const picture = pictureOf(full(running), change({ ...failed, print_error: 0x0300_8001 }))
    expect(bambuState(picture, p1s).last_result).toMatchObject({ result: 'failed', reason: 'error 0300_8001' })
  })

  test('stays cancelled when the error that says so is wiped away', () => {
    const picture = pictureOf(full(running), change({ ...failed, print_error: 50_348_044 }), change({ print_error: 0 }))
    expect(bambuState(picture, p1s).last_result?.result).toBe('cancelled')
  })

  test('that we stopped is cancelled whatever stands beside it, and the next job is not', () => {
    const picture = mergeMessage(markCancelled(pictureOf(full(running))), change(failed))
    expect(bambuState(picture, p1s).last_result?.result).toBe('cancelled')
    const next = [change({ ...running, subtask_id: '4712' }), change(failed)].reduce(mergeMessage, picture)
    expect(bambuState(next, p1s).last_result?.result).toBe('failed')
  })
})

describe('busy without a job', () => {
  test.each([1, 3, 8, 9, 12, 13, 18, 19, 22, 24, 25])('stage %i of an idle printer is maintenance', (stg_cur) => {
    const state = bambuState(pictureOf(full({ gcode_state: 'IDLE', stg_cur })), p1s)
    expect(state).toMatchObject({ status: 'maintenance', status_reason: expect.stringMatching(/\w/) })
  })

  test.each([0, -1, 255])(
    'stage %i is none: right after power-on 0 is said of a printer that does nothing',
    (stg_cur) => {
      expect(bambuState(pictureOf(full({ gcode_state: 'IDLE', stg_cur })), p1s).status).toBe('idle')
    },
  )

  test('filament is changed also while the last result stays', () => {
    expect(bambuState(pictureOf(full({ gcode_state: 'FINISH', stg_cur: 24 })), p1s).status).toBe('maintenance')
    expect(bambuState(pictureOf(full({ gcode_state: 'FINISH', stg_cur: 13 })), p1s).status).toBe('idle')
  })

  test('an update of the firmware', () => {
    const upgrade = { gcode_state: 'IDLE', upgrade_state: { status: 'FLASHING', progress: '40' } }
    expect(bambuState(pictureOf(full(upgrade)), p1s).status).toBe('maintenance')
  })
})

describe('health messages', () => {
  const hms = [{ attr: 0x0300_0200, code: 0x0001_0001 }]

  test('a fatal one is an error without a job, and stands beside a job that runs', () => {
    const sentence = 'fatal fault, motion (HMS_0300_0200_0001_0001)'
    expect(bambuState(pictureOf(full({ gcode_state: 'IDLE', hms })), p1s)).toMatchObject({
      status: 'error',
      status_reason: sentence,
    })
    expect(bambuState(pictureOf(full({ ...running, hms })), p1s)).toMatchObject({
      status: 'printing',
      status_reason: sentence,
    })
  })

  test('a common one is no one’s concern', () => {
    const common = [{ attr: 0x0300_0200, code: 0x0003_0001 }]
    expect(bambuState(pictureOf(full({ gcode_state: 'IDLE', hms: common })), p1s).status).toBe('idle')
  })
})

describe('Developer mode that is off', () => {
  test.each([
    ['the bit in `fun`', { fun: '3EC1BFFF9CFF' }],
    ['the bit in a short `fun`', { fun: '20000000' }],
    ['its health message', { hms: [{ attr: 0x0500_0500, code: 0x0001_0007 }] }],
  ])('is known by %s and told with its remedy', (_sign, fields) => {
    const picture = pictureOf(full({ gcode_state: 'IDLE', ...fields }))
    expect(refusesCommands(picture)).toBe(true)
    expect(bambuState(picture, p1s)).toMatchObject({ status: 'error', status_reason: developerModeRemedy })
  })

  test.each([{}, { fun: '' }, { fun: 'none' }, { fun: '3EC19FFF9CFF' }])('is not read into %j', (fields) => {
    expect(refusesCommands(pictureOf(full({ gcode_state: 'IDLE', ...fields })))).toBe(false)
  })

  test('does not hide a print that runs', () => {
    expect(bambuState(pictureOf(full({ ...running, fun: '20000000' })), p1s)).toMatchObject({
      status: 'printing',
      run: { job_id: '4711' },
    })
  })
})

describe('trays', () => {
  const unit = (tray: unknown[]) => ({ ams: { ams: [{ id: '0', tray }] } })
  const spool = { tray_type: 'PLA', tray_color: 'FFFFFFFF' }

  test('a change names only the trays that changed', () => {
    const picture = pictureOf(
      full({
        ...running,
        ...unit([
          { id: '0', ...spool },
          { id: '1', ...spool },
        ]),
      }),
      change(unit([{ id: '1', tray_type: 'ABS' }])),
    )
    expect(amsTrays(picture).map(({ type, colorHex }) => [type, colorHex])).toEqual([
      ['PLA', '#FFFFFF'],
      ['ABS', '#FFFFFF'],
    ])
  })

  test('a tray of which only the id comes is empty from then on', () => {
    const picture = pictureOf(full(unit([{ id: '0', ...spool }])), change(unit([{ id: '0', state: 9 }])))
    expect(amsTrays(picture)).toMatchObject([{ type: null, colorHex: null, isEmpty: true }])
  })

  test('a unit that a full report leaves out is gone', () => {
    const picture = pictureOf(full(unit([{ id: '0', ...spool }])), full({ ams: { ams: [] } }))
    expect(amsTrays(picture)).toEqual([])
  })

  test('bits that are all zero while the unit has no power yet say nothing', () => {
    const ams = { ...unit([{ id: '0', ...spool }]).ams, tray_exist_bits: '0' }
    expect(amsTrays(pictureOf(full({ ams: { ...ams, power_on_flag: false } })))[0]?.isEmpty).toBe(false)
    expect(amsTrays(pictureOf(full({ ams: { ...ams, power_on_flag: true } })))[0]?.isEmpty).toBe(true)
  })

  test('a transparent colour is unknown, not black', () => {
    const picture = pictureOf(full({ gcode_state: 'IDLE', vt_tray: { tray_type: 'PLA', tray_color: '00000000' } }))
    expect(bambuState(picture, p1s)).toMatchObject({ filament_type: 'PLA', filament_color_hex: null })
  })
})

test('a chamber temperature is believed only of models that measure it', () => {
  const picture = pictureOf(full({ gcode_state: 'IDLE', chamber_temper: 5 }))
  expect(bambuState(picture, p1s).chamber_temp).toBeNull()
  expect(bambuState(picture, x1c).chamber_temp).toBe(5)
})

test('the product name decides the model before the serial, the serial before what people typed', () => {
  expect(traitsOf('Bambu Lab H2S', '09400A', 'X1C').hasTwoNozzles).toBe(false)
  expect(traitsOf('Bambu Lab H2D', '09400A', '').hasTwoNozzles).toBe(true)
  expect(traitsOf(null, '31B00A', '').hasTwoNozzles).toBe(true)
  expect(traitsOf(null, '09300A', '').hasTwoLights).toBe(true)
  expect(traitsOf(null, '01P00A', 'X1C').hasChamberSensor).toBe(false)
  expect(traitsOf(null, 'ZZZ00A', 'X1C').hasChamberSensor).toBe(true)
})

test.each([
  [{ home_flag: 0x100 }, null],
  [{ home_flag: 0x300 }, 'the memory card is faulty'],
  [{ home_flag: 0 }, 'there is no memory card in the printer'],
  [{ sdcard: false }, 'there is no memory card in the printer'],
  [{}, null],
])('the store of %j', (fields, problem) => {
  expect(storageProblem(pictureOf(full(fields)))).toBe(problem)
})

test.each([
  [{}, []],
  [{ home_flag: 0x300 }, ['storage_faulty']],
  [{ sdcard: false }, ['storage_missing']],
  [{ fun: '3EC1BFFF9CFF' }, ['developer_mode_off']],
  [{ hms: [{ attr: 0x0500_0500, code: 0x0001_0007 }], sdcard: false }, ['developer_mode_off', 'storage_missing']],
])('a printer that reports %j has the problems %j', (fields, reasons) => {
  const { problems } = bambuState(pictureOf(full({ ...running, ...fields })), p1s)
  expect(problems?.map(({ reason }) => reason)).toEqual(reasons)
})

test('a report that is nested without end costs nothing but itself', () => {
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  const picture = pictureOf(full(running), change(deep), change(deep))
  expect(bambuState(picture, p1s).status).toBe('printing')
})

test('whatever is sent, the picture is a possible one', () => {
  const isPrinterState = Compile(PrinterState)
  const names = [...Object.keys(fixture('x1c-printing').print), 'device', 'vir_slot', '__proto__', 'toString']
  const states = fc.constantFrom('IDLE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED', 'PREPARE', '')
  const fields = fc.oneof(
    fc.dictionary(fc.constantFrom(...names), fc.jsonValue()),
    fc.record({
      gcode_state: states,
      print_error: fc.integer(),
      stg_cur: fc.integer(),
      fun: fc.string({ unit: fc.constantFrom(...'0123456789abcdefg') }),
    }),
    fc.record({
      ams: fc.record({
        ams: fc.array(fc.record({ id: fc.jsonValue(), tray: fc.jsonValue() })),
        tray_now: fc.jsonValue(),
      }),
      hms: fc.array(fc.record({ attr: fc.integer(), code: fc.integer() })),
      device: fc.record({ extruder: fc.record({ state: fc.jsonValue(), info: fc.jsonValue() }) }),
      subtask_name: anyText(400),
    }),
  )
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({ info: fc.record({ module: fc.jsonValue() }) }),
    fc
      .tuple(fields, fc.constantFrom(0, 1))
      .map(([print, msg]) => ({ print: { ...print, command: 'push_status', msg } })),
  )
  const start = fc.constantFrom(fixture('x1c-printing'), fixture('p1s-finished'), fixture('h2d-paused'), null)
  fc.assert(
    fc.property(start, fc.array(message, { maxLength: 6 }), fc.constantFrom(x1c, p1s, h2d), (first, rest, traits) => {
      const state = bambuState(pictureOf(first, ...rest), traits)
      expect(isPrinterState.Check(withinBounds(state))).toBe(true)
      expect(state.run !== null).toBe(state.status === 'printing' || state.status === 'paused')
      if (state.run !== null) expect(state.last_result).toBeNull()
    }),
    { numRuns: 500 },
  )
}, 60_000)

test('a list whose entries have no usable IDs replaces the one before', () => {
  const units = [{ id: { toString: '' }, tray: [] }]
  const picture = mergeMessage(pictureOf(fixture('x1c-printing')), change({ ams: { ams: units } }))
  expect(picture.print.ams).toMatchObject({ ams: units })
})

describe('whose run it is', () => {
  const project = { ...running, subtask_name: 'clip.gcode.3mf' }
  const byHand = { subtask_id: '0', task_id: '0' }

  test('another run of a file that was cancelled is not cancelled by that', () => {
    const cancelled = pictureOf(full(project), change({ gcode_state: 'FAILED', print_error: 0x0300_400c }))
    expect(bambuState(cancelled, p1s).last_result?.result).toBe('cancelled')
    const again = [change({ gcode_state: 'PREPARE', print_error: 0 }), change({ gcode_state: 'FAILED' })]
    expect(bambuState(again.reduce<BambuPicture>(mergeMessage, cancelled), p1s).last_result?.result).toBe('failed')
  })

  test('a project without a number is another one on a printer that shows our numbers', () => {
    const picture = pictureOf(full({ ...project, ...byHand }))
    expect(bambuState(picture, p1s).run?.job_id).toBeNull()
    expect(bambuState({ ...picture, echoesIds: true }, p1s).run?.job_id).toBe('0')
    const plain = pictureOf(full({ ...project, ...byHand, gcode_file: 'clip.gcode', subtask_name: 'clip' }))
    expect(bambuState({ ...plain, echoesIds: true }, p1s).run?.job_id).toBeNull()
  })

  test('a change alone does not tell what was printed last', () => {
    const picture = pictureOf(change({ gcode_state: 'FINISH' }))
    expect(bambuState(picture, p1s).run_mark).toBeNull()
    expect(bambuState(mergeMessage(picture, full(project)), p1s)).not.toHaveProperty('run_mark')
    const named = mergeMessage(picture, change({ gcode_file: 'clip.gcode.3mf', subtask_name: 'clip' }))
    expect(bambuState(named, p1s)).not.toHaveProperty('run_mark')
  })
})

describe('a fault that a person has acknowledged', () => {
  const fault = { attr: 0x0300_0200, code: 0x0001_0001 }
  const broken = pictureOf(full({ ...running, gcode_state: 'FAILED', hms: [fault] }))
  const acknowledged = { ...broken, acknowledged: openFaults(broken) }

  test('keeps the printer from nothing, and is still told', () => {
    expect(bambuState(broken, p1s).status).toBe('error')
    expect(bambuState(acknowledged, p1s)).toMatchObject({
      status: 'idle',
      status_reason: expect.stringContaining('motion'),
    })
  })

  test('counts again once it has gone in between', () => {
    const gone = mergeMessage(acknowledged, change({ hms: [] }))
    expect(bambuState(mergeMessage(gone, change({ hms: [fault] })), p1s).status).toBe('error')
  })

  test('is remembered by the next connection, and covers no other', () => {
    const next = mergeMessage(emptyPicture(acknowledged), full({ gcode_state: 'FAILED', hms: [fault] }))
    expect(bambuState(next, p1s).status).toBe('idle')
    const other = { attr: 0x0500_0200, code: 0x0002_0001 }
    expect(bambuState(mergeMessage(next, change({ hms: [fault, other] })), p1s).status).toBe('error')
  })
})

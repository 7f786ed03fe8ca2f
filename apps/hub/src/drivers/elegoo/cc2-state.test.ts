import { withinBounds } from '@printyard/protocol/number-bounds'
import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import {
  cc2State,
  emptyCc2Picture,
  faultToAcknowledge,
  lacksEnd,
  newestRecorded,
  withAttributes,
  withChange,
  withFullStatus,
} from './cc2-state.ts'

const full = {
  error_code: 0,
  machine_status: { status: 2, sub_status: 2075, exception_status: [], progress: 42 },
  print_status: {
    filename: 'clip.gcode',
    uuid: 'b52af24c',
    current_layer: 57,
    total_layer: 120,
    print_duration: 900,
    remaining_time_sec: 1501,
  },
  extruder: { temperature: 214.71, target: 215, filament_detected: 1 },
  heater_bed: { temperature: 59.98, target: 60 },
  ztemperature_sensor: { temperature: 38.24 },
  led: { status: 1 },
}
const start = withFullStatus(emptyCc2Picture, full)
const change = (id: number, result: object) => ({ id, method: 6000, result })
const stateOf = (machine: object, print: object = {}) =>
  cc2State(
    withFullStatus(emptyCc2Picture, {
      ...full,
      machine_status: { ...full.machine_status, ...machine },
      print_status: { ...full.print_status, ...print },
    }),
  )

test('a running job is shown', () => {
  const picture = withAttributes(start, { software_version: { ota_version: '02.01.00.00' } })
  expect(cc2State(picture)).toEqual({
    status: 'printing',
    status_reason: null,
    run: { file_name: 'clip.gcode', job_id: 'b52af24c', attempt_id: null },
    last_result: null,
    progress: 42,
    nozzle_temp: 214.7,
    bed_temp: 60,
    chamber_temp: 38.2,
    target_nozzle_temp: 215,
    target_bed_temp: 60,
    target_chamber_temp: null,
    layer_num: 57,
    total_layers: 120,
    remaining_time_minutes: 26,
    light_on: true,
    filament_type: null,
    filament_color_hex: null,
    firmware_version: '02.01.00.00',
    problems: [],
    slots: null,
    transfer: null,
  })
})

test('the chamber has two names', () => {
  const { ztemperature_sensor, ...rest } = full
  expect(cc2State(withFullStatus(emptyCc2Picture, { ...rest, chamber: ztemperature_sensor })).chamber_temp).toBe(38.2)
})

describe('changes', () => {
  test('name only what changed, also inside of groups', () => {
    const { picture, isWhole } = withChange(start, change(7, { extruder: { temperature: 200 } }))
    expect(isWhole).toBe(true)
    expect(cc2State(picture)).toMatchObject({ nozzle_temp: 200, target_nozzle_temp: 215, bed_temp: 60 })
  })

  test('with consecutive numbers are whole, a gap is not', () => {
    const first = withChange(start, change(7, {})).picture
    expect(withChange(first, change(8, {})).isWhole).toBe(true)
    expect(withChange(first, change(9, {})).isWhole).toBe(false)
    expect(withChange(first, change(7, {})).isWhole).toBe(false)
  })

  test('after a full status go on in their row, so that one lost right after it is missed', () => {
    const gap = withChange(withChange(start, change(7, {})).picture, change(9, {})).picture
    expect(withChange(withFullStatus(gap, full), change(10, {})).isWhole).toBe(true)
    expect(withChange(withFullStatus(gap, full), change(11, {})).isWhole).toBe(false)
  })

  test('before the first full status only count', () => {
    const { picture, isWhole } = withChange(emptyCc2Picture, change(7, { led: { status: 1 } }))
    expect(picture).toEqual({ ...emptyCc2Picture, lastChangeId: 7 })
    expect(isWhole).toBe(true)
    expect(withChange(withFullStatus(picture, full), change(9, {})).isWhole).toBe(false)
  })

  test('cannot reach the prototype of anything', () => {
    const bad = JSON.parse('{"id": 1, "method": 6000, "result": {"__proto__": {"polluted": true}}}')
    const { picture } = withChange(start, bad)
    expect(Object.getPrototypeOf(picture.status)).toBe(Object.prototype)
    expect('polluted' in {}).toBe(false)
  })
})

describe('machine status', () => {
  test.each([
    [{ status: 0 }, 'maintenance'],
    [{ status: 1, sub_status: 0 }, 'idle'],
    [{ status: '1' }, 'idle'],
    [{ status: 2, sub_status: 1045 }, 'printing'],
    [{ status: 2, sub_status: 2401 }, 'printing'],
    [{ status: 2, sub_status: 2501 }, 'printing'],
    [{ status: 2, sub_status: 2503 }, 'printing'],
    [{ status: 2, sub_status: 2502 }, 'paused'],
    [{ status: 2, sub_status: 2505 }, 'paused'],
    [{ status: 3 }, 'maintenance'],
    [{ status: 9 }, 'maintenance'],
    [{ status: 11 }, 'idle'],
    [{ status: 13 }, 'maintenance'],
    [{ status: 14 }, 'error'],
    [{ status: 15 }, 'maintenance'],
    [{ status: 77 }, 'maintenance'],
    [{ status: null }, 'maintenance'],
    [{ status: 1, exception_status: [102] }, 'error'],
    [{ status: 1, exception_status: [109] }, 'idle'],
    [{ status: 2, exception_status: [102] }, 'printing'],
  ])('%j is %s', (machine, status) => {
    expect(stateOf(machine).status).toBe(status)
  })

  test('paused because the filament ran out says so', () => {
    expect(stateOf({ sub_status: 2502, exception_status: [109] })).toMatchObject({
      status: 'paused',
      status_reason: 'the filament ran out',
    })
  })

  test('printing without a file is neither idle nor a run', () => {
    expect(stateOf({}, { filename: '' })).toMatchObject({ status: 'maintenance', run: null })
  })
})

describe('the end of a job', () => {
  const idle = { status: 1, sub_status: 0 }

  test.each([
    [2077, 'completed'],
    [2504, 'cancelled'],
  ])('%s stays known when the printer shows it only for a moment', (sub_status, result) => {
    const ended = withChange(start, change(1, { machine_status: { sub_status } })).picture
    expect(cc2State(ended)).toMatchObject({ status: 'maintenance', run: null, last_result: { result } })
    const over = withChange(
      ended,
      change(2, { machine_status: idle, print_status: { filename: '', uuid: '' } }),
    ).picture
    expect(cc2State(over)).toMatchObject({
      status: 'idle',
      run: null,
      last_result: { result, run: { file_name: 'clip.gcode', job_id: 'b52af24c' } },
    })
  })

  test('belongs to no other run', () => {
    const ended = withChange(start, change(1, { machine_status: { sub_status: 2077 } })).picture
    const next = { machine_status: { ...idle, progress: 10 }, print_status: { uuid: 'c1' } }
    expect(cc2State(withChange(ended, change(2, next)).picture).last_result).toBeNull()
  })

  test('left over from the job before is not that of the next', () => {
    const ended = withChange(start, change(1, { machine_status: { sub_status: 2077 } })).picture
    const started = { machine_status: { sub_status: 1405 }, print_status: { filename: 'vase.gcode', uuid: 'c1' } }
    const next = withChange(ended, change(2, started)).picture
    expect(cc2State(next)).toMatchObject({ status: 'printing', run: { job_id: 'c1' }, last_result: null })
    const failed = { machine_status: { status: 1, sub_status: 0, exception_status: [102] } }
    expect(cc2State(withChange(next, change(3, failed)).picture).last_result).toMatchObject({
      result: 'failed',
      run: { job_id: 'c1' },
    })
  })

  test('is that of the run that was seen, although its name has gone with it', () => {
    const gone = { machine_status: { status: 1, sub_status: 2504 }, print_status: { filename: '', uuid: '' } }
    const over = withChange(start, change(1, gone)).picture
    expect(cc2State(over).last_result).toMatchObject({ result: 'cancelled', run: { job_id: 'b52af24c' } })
    expect(lacksEnd(over)).toBe(false)
  })

  test('unseen is read from the record of the printer, and only of the file that ran', () => {
    const idle = { status: 1, sub_status: 0 }
    const gone = { machine_status: idle, print_status: { filename: '', uuid: '' } }
    const over = withChange(start, change(1, gone)).picture
    expect(lacksEnd(over)).toBe(true)
    const recorded = (task_name: string, begin_time: number, task_status = 1) => ({
      task_name,
      begin_time,
      task_status,
    })
    const read = (...history_task_list: object[]) => ({ ...over, recorded: newestRecorded({ history_task_list }) })
    const ours = read(recorded('vase.gcode', 1), recorded('/local/clip.gcode', 2))
    expect(cc2State(ours).last_result).toMatchObject({ result: 'completed', run: { job_id: 'b52af24c' } })
    expect(lacksEnd(ours)).toBe(false)
    expect(cc2State(read(recorded('clip.gcode', 1), recorded('vase.gcode', 2))).last_result).toBeNull()
    expect(cc2State(read(recorded('clip.gcode', 2, 0))).last_result).toBeNull()
    const fresh = withFullStatus(emptyCc2Picture, { ...full, ...gone })
    const known = { ...fresh, recorded: newestRecorded({ history_task_list: [recorded('clip.gcode', 2, 2)] }) }
    expect(cc2State(known).last_result).toMatchObject({ result: 'cancelled', run: { file_name: 'clip.gcode' } })
  })

  test('by a fault that a person has acknowledged leaves the printer free for the next', () => {
    const broken = withFullStatus(emptyCc2Picture, { ...full, machine_status: { ...idle, exception_status: [102] } })
    expect(faultToAcknowledge(broken)).toBe('error 102')
    const acknowledged = { ...broken, acknowledged: faultToAcknowledge(broken) }
    expect(cc2State(acknowledged)).toMatchObject({ status: 'idle', last_result: { result: 'failed' } })
    const other = withChange(acknowledged, change(1, { machine_status: { exception_status: [102, 103] } })).picture
    expect(cc2State(other).status).toBe('error')
  })

  test('by a fault is a failure with its number', () => {
    expect(stateOf({ ...idle, exception_status: [102] })).toMatchObject({
      status: 'error',
      last_result: { result: 'failed', reason: 'error 102' },
    })
  })

  test('is read from the progress when nothing else tells', () => {
    expect(stateOf({ ...idle, progress: 100 }).last_result?.result).toBe('completed')
    expect(stateOf({ ...idle, progress: 42 }).last_result).toBeNull()
  })
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const group = (known: object) => fc.dictionary(fc.constantFrom(...Object.keys(known), '__proto__'), fc.jsonValue())
  const result = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...Object.keys(full), '__proto__', 'toString'), fc.jsonValue()),
    fc.record({
      machine_status: fc.record({
        status: fc.constantFrom(1, 2, '2', 14),
        sub_status: fc.constantFrom(2077, 2504, 2502, 0),
        exception_status: fc.jsonValue(),
      }),
      print_status: group(full.print_status),
      extruder: group(full.extruder),
    }),
  )
  const message = fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue(), result }))
  fc.assert(
    fc.property(result, fc.array(message, { maxLength: 5 }), fc.jsonValue(), (first, messages, attributes) => {
      const known = withAttributes(withFullStatus(start, first), attributes)
      const picture = messages.reduce<typeof known>((before, sent) => withChange(before, sent).picture, known)
      expect(isPrinterState.Check(withinBounds(cc2State(picture)))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

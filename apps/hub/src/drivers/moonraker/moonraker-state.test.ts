import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { emptyPicture, lacksItsJob, type MoonrakerPicture, mergeObjects, moonrakerState } from './moonraker-state.ts'

const printing = {
  webhooks: { state: 'ready' },
  print_stats: { state: 'printing', filename: 'clip.gcode', print_duration: 600, info: { total_layer: null } },
  virtual_sdcard: { progress: 0.418 },
  display_status: { progress: 0 },
  extruder: { temperature: 214.71, target: 215 },
  heater_bed: { temperature: 59.9, target: 60 },
  'temperature_sensor enclosure': { temperature: 38.2 },
  'output_pin caselight': { value: 1 },
}
const ready = (more: Partial<MoonrakerPicture> = {}): MoonrakerPicture => ({
  ...emptyPicture(),
  klippy: 'ready',
  ...more,
})
const stateOf = (objects: unknown, more: Partial<MoonrakerPicture> = {}) =>
  moonrakerState(mergeObjects(ready(more), objects))

test('a running job is shown with its run, progress by bytes and what its file says', () => {
  const metadata = { fileName: 'clip.gcode', facts: { estimated_time: 1500, layer_count: 120, filament_type: 'PETG' } }
  const newestJob = { job_id: '0000A3', filename: 'clip.gcode', status: 'in_progress' }
  expect(stateOf(printing, { metadata, newestJob })).toMatchObject({
    status: 'printing',
    run: { file_name: 'clip.gcode', job_id: '0000A3' },
    progress: 41.8,
    remaining_time_minutes: 15,
    total_layers: 120,
    filament_type: 'PETG',
    nozzle_temp: 214.7,
    chamber_temp: 38.2,
    light_on: true,
  })
})

test('a number of the history belongs only to the run of its own file', () => {
  const newestJob = { job_id: '0000A2', filename: 'vase.gcode', status: 'completed' }
  expect(stateOf(printing, { newestJob }).run).toMatchObject({ file_name: 'clip.gcode', job_id: null })
})

describe('a run whose number the history does not show yet', () => {
  const newestJob = { job_id: '0000A2', filename: 'clip.gcode', status: 'completed' }

  test('does not take that of an earlier run of its file', () => {
    expect(stateOf(printing, { newestJob }).run).toMatchObject({ file_name: 'clip.gcode', job_id: null })
  })

  test('is not shown while the number is awaited', () => {
    expect(lacksItsJob(mergeObjects(ready({ newestJob }), printing))).toBe(true)
    const state = stateOf(printing, { newestJob, historyWait: 'waiting' })
    expect(state).toMatchObject({ status: 'maintenance', status_reason: 'a print begins', run: null })
  })

  test.each(['in_progress', 'interrupted', 'server_exit'])('is known by a job that is %s', (status) => {
    const picture = mergeObjects(ready({ newestJob: { ...newestJob, status } }), printing)
    expect(lacksItsJob(picture)).toBe(false)
    expect(moonrakerState(picture).run?.job_id).toBe('0000A2')
  })
})

test('the slicer’s own progress counts before that of the bytes', () => {
  expect(stateOf({ ...printing, display_status: { progress: 0.25 } }).progress).toBe(25)
})

describe('the end of a job', () => {
  test.each([
    ['complete', 'idle', 'completed'],
    ['cancelled', 'idle', 'cancelled'],
    ['error', 'error', 'failed'],
  ])('%s stays until the next one', (state, status, result) => {
    const stats = { ...printing.print_stats, state, message: 'because' }
    expect(stateOf({ ...printing, print_stats: stats })).toMatchObject({
      status,
      run: null,
      last_result: { result, run: { file_name: 'clip.gcode' } },
    })
  })

  test('is still in the history after a restart of Klipper', () => {
    const newestJob = { job_id: '0000A3', filename: 'clip.gcode', status: 'klippy_shutdown' }
    const stats = { state: 'standby', filename: '' }
    expect(stateOf({ ...printing, print_stats: stats }, { newestJob }).last_result).toEqual({
      run: { file_name: 'clip.gcode', job_id: '0000A3', attempt_id: null },
      result: 'failed',
      reason: 'klippy shutdown',
    })
  })
})

test.each([
  ['startup', 'maintenance'],
  ['shutdown', 'error'],
  ['error', 'error'],
  ['disconnected', 'offline'],
  ['constructor', 'offline'],
])('Klipper in %s is %s for us', (klippy, status) => {
  expect(stateOf(printing, { klippy }).status).toBe(status)
})

test('G-code that moves outside of a job is maintenance', () => {
  const objects = { ...printing, print_stats: { state: 'standby', filename: '' }, idle_timeout: { state: 'Printing' } }
  expect(stateOf(objects)).toMatchObject({ status: 'maintenance', run: null })
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const objects = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.constantFrom(...Object.keys(printing), '__proto__', 'toString'), fc.jsonValue()),
    fc.record({
      print_stats: fc.record({
        state: fc.constantFrom('printing', 'complete', 'x'),
        filename: fc.jsonValue(),
        info: fc.jsonValue(),
        print_duration: fc.jsonValue(),
      }),
    }),
  )
  fc.assert(
    fc.property(fc.array(objects, { maxLength: 5 }), fc.jsonValue(), fc.jsonValue(), (changes, newestJob, facts) => {
      const picture = changes.reduce<MoonrakerPicture>(
        mergeObjects,
        mergeObjects(ready({ newestJob, metadata: { fileName: 'clip.gcode', facts } }), printing),
      )
      expect(isPrinterState.Check(moonrakerState(picture))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

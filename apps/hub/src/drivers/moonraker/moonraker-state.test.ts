import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { lacksItsJob } from './moonraker-history.ts'
import { emptyPicture, historyIn, type MoonrakerPicture, mergeJob, mergeObjects } from './moonraker-picture.ts'
import { moonrakerState } from './moonraker-state.ts'

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
/** Jobs as Moonraker tells them, newest first. */
const history = (...jobs: unknown[]) => historyIn({ jobs })
const ready = (more: Partial<MoonrakerPicture> = {}): MoonrakerPicture => ({
  ...emptyPicture(),
  klippy: 'ready',
  history: [],
  ...more,
})
const stateOf = (objects: unknown, more: Partial<MoonrakerPicture> = {}) =>
  moonrakerState(mergeObjects(ready(more), objects))

test('a running job is shown with its run, progress by bytes and what its file says', () => {
  const metadata = { fileName: 'clip.gcode', facts: { estimated_time: 1500, layer_count: 120, filament_type: 'PETG' } }
  const newestJob = { job_id: '0000A3', filename: 'clip.gcode', status: 'in_progress' }
  expect(stateOf(printing, { metadata, history: history(newestJob) })).toMatchObject({
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
  expect(stateOf(printing, { history: history(newestJob) }).run).toMatchObject({
    file_name: 'clip.gcode',
    job_id: null,
  })
})

describe('a run whose number the history does not show yet', () => {
  const newestJob = { job_id: '0000A2', filename: 'clip.gcode', status: 'completed' }

  test('does not take that of an earlier run of its file', () => {
    expect(stateOf(printing, { history: history(newestJob) }).run).toMatchObject({
      file_name: 'clip.gcode',
      job_id: null,
    })
  })

  test('is not shown while the number is awaited', () => {
    expect(lacksItsJob(mergeObjects(ready({ history: history(newestJob) }), printing))).toBe(true)
    const state = stateOf(printing, { history: history(newestJob), historyWait: 'waiting' })
    expect(state).toMatchObject({ status: 'maintenance', status_reason: 'a print begins', run: null })
  })

  test.each(['in_progress', 'interrupted', 'server_exit', 'klippy_disconnect'])(
    'is known by a job that is %s',
    (status) => {
      const picture = mergeObjects(ready({ history: history({ ...newestJob, status }) }), printing)
      expect(lacksItsJob(picture)).toBe(false)
      expect(moonrakerState(picture).run?.job_id).toBe('0000A2')
    },
  )
})

test('the slicer’s own progress counts before that of the bytes', () => {
  expect(stateOf({ ...printing, display_status: { progress: 0.25 } }).progress).toBe(25)
})

describe('the end of a job', () => {
  const over = { print_stats: { state: 'standby', filename: '' }, webhooks: { state: 'ready' } }
  const job = (more: object) => ({ job_id: '0000A3', filename: 'clip.gcode', start_time: 1_000, ...more })

  test.each(['interrupted', 'server_exit'])('is not told by %s: the print may have gone on', (status) => {
    const state = stateOf(over, { history: history(job({ status })) })
    expect(state).toMatchObject({ status: 'idle', last_result: null, run_mark: expect.stringContaining('0000A3') })
  })

  test.each(['startup', 'disconnected', 'shutdown'])(
    'is not told by klippy_disconnect while Klipper is %s',
    (klippy) => {
      const lost = history(job({ status: 'klippy_disconnect' }))
      expect(stateOf(over, { history: lost, klippy }).last_result).toBeNull()
      expect(stateOf(over, { history: lost }).last_result).toMatchObject({
        result: 'failed',
        run: { job_id: '0000A3' },
      })
    },
  )

  test.each([
    ['complete', 'idle', 'completed'],
    ['cancelled', 'idle', 'cancelled'],
    ['error', 'idle', 'failed'],
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
    expect(stateOf({ ...printing, print_stats: stats }, { history: history(newestJob) }).last_result).toEqual({
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

describe('a run that Moonraker lost sight of', () => {
  const stats = (total_duration: number) => ({ ...printing, print_stats: { ...printing.print_stats, total_duration } })
  const lost = { job_id: '0000A3', filename: 'clip.gcode', status: 'klippy_disconnect', start_time: 1_000 }

  test('keeps its first number when Moonraker gives it another', () => {
    const again = { ...lost, job_id: '0000A4', status: 'in_progress', start_time: 1_700, total_duration: 700 }
    const picture = { history: history(again, { ...lost, end_time: 1_650, total_duration: 580 }) }
    const state = stateOf(stats(900), picture)
    expect(state.run).toMatchObject({ file_name: 'clip.gcode', job_id: '0000A3' })
    expect(state.run_mark).toBe(stateOf(stats(580), { history: history(lost) }).run_mark)
    const ended = mergeJob(ready(picture), { ...again, status: 'completed', end_time: 2_600, total_duration: 1_600 })
    const complete = { print_stats: { state: 'complete', filename: 'clip.gcode', total_duration: 1_600 } }
    expect(moonrakerState(mergeObjects(ended, complete)).last_result).toMatchObject({
      result: 'completed',
      run: { job_id: '0000A3' },
    })
  })

  test('is another one than that of its file which begins afterwards', () => {
    const before = { ...lost, end_time: 1_600, total_duration: 600 }
    const started = mergeObjects(ready({ history: history(before) }), stats(0.2))
    expect(lacksItsJob(started)).toBe(true)
    const next = { ...lost, job_id: '0000A4', status: 'in_progress', start_time: 1_900, total_duration: 0.2 }
    expect(moonrakerState(mergeJob(started, next)).run?.job_id).toBe('0000A4')
  })
})

describe('the mark of what was printed', () => {
  const job = { job_id: '000001', filename: 'clip.gcode', status: 'completed', start_time: 1_000, total_duration: 600 }
  const markOf = (objects: object, jobs: unknown[]) => stateOf(objects, { history: history(...jobs) }).run_mark
  const loaded = (more: object) => ({ print_stats: { filename: 'clip.gcode', total_duration: 600.3, ...more } })

  test('is that of the newest job, running and over, also under a number that was given before', () => {
    const mark = markOf(loaded({ state: 'complete' }), [job])
    expect(markOf(loaded({ state: 'printing' }), [{ ...job, status: 'in_progress', total_duration: 0 }])).toBe(mark)
    expect(markOf({ print_stats: { state: 'standby', filename: '' } }, [job])).toBe(mark)
    expect(markOf({ print_stats: { state: 'standby', filename: '' } }, [{ ...job, start_time: 9_000 }])).not.toBe(mark)
    expect(markOf({ print_stats: { state: 'standby', filename: '' } }, [])).not.toBe(mark)
  })

  test('is another one when Klipper printed what the history does not know', () => {
    const mark = markOf(loaded({ state: 'complete' }), [job])
    expect(markOf(loaded({ state: 'complete', filename: 'vase.gcode' }), [job])).not.toBe(mark)
    expect(markOf(loaded({ state: 'complete', total_duration: 1_200 }), [job])).not.toBe(mark)
  })

  test('is none while Klipper starts, and before the history was read', () => {
    expect(stateOf(loaded({ state: 'complete' }), { history: history(job), klippy: 'startup' }).run_mark).toBeNull()
    expect(stateOf(loaded({ state: 'complete' }), { history: undefined as never }).run_mark).toBeNull()
  })
})

test.each([
  ['nothing of its prints yet', {}],
  [
    'a file that it reads, and nothing that it prints',
    {
      print_stats: { state: 'standby', filename: 'clip.gcode' },
      virtual_sdcard: { is_active: true },
    },
  ],
  ['a state that no one knows', { print_stats: { state: 'dreaming' } }],
])('Klipper that is ready and says %s is not idle', (_, objects) => {
  expect(stateOf(objects)).toMatchObject({ status: 'maintenance', run: null })
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
        mergeObjects(ready({ history: history(newestJob), metadata: { fileName: 'clip.gcode', facts } }), printing),
      )
      expect(isPrinterState.Check(moonrakerState(picture))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

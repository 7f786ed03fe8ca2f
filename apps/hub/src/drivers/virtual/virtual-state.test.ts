import type { VirtualReport } from '@printyard/virtual-printers/virtual-printer'
import { describe, expect, test } from 'vitest'
import { virtualState } from './virtual-state.ts'

/** Recorded from a simulated MK4S in the middle of a print. */
const printing: VirtualReport = {
  activity: 'printing',
  message: null,
  runId: 'mi8f2k1a-3',
  fileName: 'cube-000000000001.gcode',
  lastResult: null,
  lastResultReason: null,
  progress: 0.4237,
  layer: 21,
  totalLayers: 50,
  remainingSeconds: 345,
  nozzle: { actual: 209.8, target: 210 },
  bed: { actual: 60.04, target: 60 },
  chamber: null,
  lightOn: false,
  filament: { type: 'PLA', colorHex: '#1a1a1aff' },
  firmware: '6.2.1',
}

describe('the state of a virtual printer', () => {
  test('a print shows its run, rounded readings, and minutes rounded up', () => {
    expect(virtualState(printing)).toEqual({
      status: 'printing',
      status_reason: null,
      run: { file_name: 'cube-000000000001.gcode', job_id: 'mi8f2k1a-3', attempt_id: null },
      last_result: null,
      progress: 42.4,
      nozzle_temp: 209.8,
      bed_temp: 60,
      chamber_temp: null,
      target_nozzle_temp: 210,
      target_bed_temp: 60,
      target_chamber_temp: null,
      layer_num: 21,
      total_layers: 50,
      remaining_time_minutes: 6,
      light_on: false,
      filament_type: 'PLA',
      filament_color_hex: '#1A1A1A',
      firmware_version: '6.2.1',
      problems: [],
    })
  })

  test('heating belongs to the print', () => {
    expect(virtualState({ ...printing, activity: 'heating' }).status).toBe('printing')
  })

  test('a result is never a state: the printer is idle and nothing runs', () => {
    const state = virtualState({ ...printing, activity: 'idle', lastResult: 'completed', progress: 1 })
    expect(state).toMatchObject({
      status: 'idle',
      run: null,
      progress: null,
      layer_num: null,
      remaining_time_minutes: null,
    })
    expect(state.last_result).toMatchObject({ result: 'completed', run: { job_id: 'mi8f2k1a-3' } })
  })

  test('a failed print leaves an error with the reason and the result beside it', () => {
    const report: VirtualReport = { ...printing, activity: 'fault', message: 'Too hot.', lastResult: 'failed' }
    expect(virtualState(report)).toMatchObject({
      status: 'error',
      status_reason: 'Too hot.',
      last_result: { result: 'failed' },
    })
  })

  test('a change of filament in a pause is a pause, without a job it is maintenance', () => {
    const changing: VirtualReport = { ...printing, activity: 'changing_filament', message: 'Loading filament.' }
    expect(virtualState(changing).status).toBe('paused')
    expect(virtualState({ ...changing, runId: null, fileName: null }).status).toBe('maintenance')
    expect(virtualState({ ...changing, lastResult: 'completed' }).status).toBe('maintenance')
  })

  test('an empty spool holder is unknown filament', () => {
    expect(virtualState({ ...printing, filament: null })).toMatchObject({
      filament_type: null,
      filament_color_hex: null,
    })
  })
})

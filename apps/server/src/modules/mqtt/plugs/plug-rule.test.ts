import { describe, expect, test } from 'vitest'
import { isDueOff, keepsPower, readPlugState, type SeenPrinter } from './plug-rule.ts'

const coldAndIdle: SeenPrinter = {
  status: 'idle',
  run: null,
  nozzle_temp: 28,
  bed_temp: 24,
  chamber_temp: null,
  target_nozzle_temp: 0,
  target_bed_temp: null,
}
const run = { file_name: 'clip.gcode', job_id: null, attempt_id: null }

describe('power', () => {
  test('goes off only on a printer that is seen idle and cool', () => {
    expect(keepsPower(coldAndIdle)).toBeUndefined()
    expect(keepsPower({ ...coldAndIdle, nozzle_temp: 50 })).toBeUndefined()
  })

  test.each<[string, Partial<SeenPrinter>]>([
    ['prints', { status: 'printing' }],
    ['is paused', { status: 'paused' }],
    ['homes, or changes filament', { status: 'maintenance' }],
    ['is in error', { status: 'error' }],
    ['does not answer', { status: 'offline' }],
    ['says that something runs', { run }],
    ['is being sent a file', { transfer: { attempt_id: 'a', sent_bytes: 1, total_bytes: 2 } }],
    ['has a hot nozzle', { nozzle_temp: 51 }],
    ['has a hot bed', { bed_temp: 60 }],
    ['has a hot chamber', { chamber_temp: 55 }],
    ['is to heat its nozzle', { target_nozzle_temp: 200 }],
    ['is to heat its bed', { target_bed_temp: 60 }],
    ['does not say how hot its nozzle is', { nozzle_temp: null }],
    ['does not say how hot its bed is', { bed_temp: null }],
  ])('stays on while a printer %s', (_, seen) => {
    expect(keepsPower({ ...coldAndIdle, ...seen })).toBeTypeOf('string')
  })

  test('stays on while nothing is seen of a printer', () => {
    expect(keepsPower(undefined)).toBeTypeOf('string')
  })
})

describe('switching off by itself', () => {
  const plug = { off_after_minutes: 30, state: 'on' as const }
  const minute = 60_000

  test('waits until the printer was idle for long enough', () => {
    expect(isDueOff(plug, 0, 30 * minute - 1)).toBe(false)
    expect(isDueOff(plug, 0, 30 * minute)).toBe(true)
  })

  test('never happens where it is not set, the plug is not known to be on, or the printer is not idle', () => {
    expect(isDueOff({ ...plug, off_after_minutes: null }, 0, 99 * minute)).toBe(false)
    expect(isDueOff({ ...plug, state: null }, 0, 99 * minute)).toBe(false)
    expect(isDueOff({ ...plug, state: 'off' }, 0, 99 * minute)).toBe(false)
    expect(isDueOff(plug, undefined, 99 * minute)).toBe(false)
  })
})

test.each([
  ['ON', 'on'],
  ['off', 'off'],
  ['{"POWER":"ON"}', 'on'],
  ['{"state":"OFF","power":0}', 'off'],
  ['{"output":true}', 'on'],
  ['1', 'on'],
  ['{"linkquality":80}', undefined],
  ['', undefined],
  ['{"state":{"on":true}}', undefined],
] as const)('a plug that says %s is %s', (text, state) => {
  expect(readPlugState(Buffer.from(text), { payload_on: 'ON', payload_off: 'OFF' })).toBe(state)
})

test('a plug with words of its own is understood', () => {
  const words = { payload_on: 'close', payload_off: 'open' }
  expect(readPlugState(Buffer.from('close'), words)).toBe('on')
  expect(readPlugState(Buffer.from('open'), words)).toBe('off')
})

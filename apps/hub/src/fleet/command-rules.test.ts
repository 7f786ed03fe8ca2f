import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import type { DeviceCommand } from '../drivers/driver.ts'
import { assertFits, showsEffect, withinLimits } from './command-rules.ts'

const run = { file_name: 'cube.gcode', job_id: 'run-1', attempt_id: 'att_1' }
const idle: PrinterState = { ...unknownPrinterState(''), status: 'idle', status_reason: null }
const printing: PrinterState = { ...idle, status: 'printing', run }
const paused: PrinterState = { ...idle, status: 'paused', run }
const offline: PrinterState = { ...printing, status: 'offline' }
const of = (kind: 'pause' | 'resume' | 'stop', attempt_id: string | null = 'att_1'): DeviceCommand => ({
  kind,
  args: { attempt_id },
})

describe('whether a command fits', () => {
  test.each([
    ['a pause of a print', of('pause'), printing, undefined],
    ['a pause of whatever runs', of('pause', null), printing, undefined],
    ['a pause of a paused print', of('pause'), paused, 'WRONG_STATE'],
    ['a pause of nothing', of('pause'), idle, 'WRONG_STATE'],
    ['a pause of another job', of('pause', 'att_2'), printing, 'WRONG_RUN'],
    ['a resume of a print', of('resume'), printing, 'WRONG_STATE'],
    ['a resume of a pause', of('resume'), paused, undefined],
    ['a stop of another job', of('stop', 'att_2'), paused, 'WRONG_RUN'],
    ['a stop of nothing', of('stop', null), idle, 'WRONG_STATE'],
    ['a stop of a fault', of('stop', null), { ...idle, status: 'error' }, undefined],
    [
      'a stop of the error that the last print left',
      of('stop', null),
      { ...idle, problems: [{ reason: 'print_error', message: 'Move out of range' }] },
      undefined,
    ],
    ['anything while offline', of('stop'), offline, 'PRINTER_UNREACHABLE'],
    [
      'a load during a print',
      { kind: 'load_filament', args: { slot: null, temperature: null } },
      printing,
      'WRONG_STATE',
    ],
    ['a light during a print', { kind: 'light', args: { on: true } }, printing, undefined],
  ] as [string, DeviceCommand, PrinterState, string | undefined][])('%s', (_, command, state, code) => {
    if (code) expect(() => assertFits(command, state)).toThrow(expect.objectContaining({ code }))
    else expect(() => assertFits(command, state)).not.toThrow()
  })
})

describe('the effect', () => {
  test('a pause counts only for the run that was meant', () => {
    expect(showsEffect(of('pause'), printing, paused)).toBe(true)
    expect(showsEffect(of('pause'), printing, printing)).toBe(false)
    expect(showsEffect(of('pause'), printing, { ...paused, run: { ...run, job_id: 'run-2' } })).toBe(false)
  })

  test('a stop is seen when its run is gone, whatever runs now', () => {
    expect(showsEffect(of('stop'), printing, idle)).toBe(true)
    expect(showsEffect(of('stop'), printing, { ...printing, run: { ...run, job_id: 'run-2' } })).toBe(true)
    expect(showsEffect(of('stop'), printing, paused)).toBe(false)
  })

  test('silence shows nothing', () => {
    expect(showsEffect(of('stop'), printing, { ...idle, status: 'offline' })).toBe(false)
  })

  test('heaters are compared where the printer tells its targets', () => {
    const command: DeviceCommand = { kind: 'heaters', args: { nozzle: 210, chamber: 40 } }
    expect(showsEffect(command, idle, { ...idle, target_nozzle_temp: 210 })).toBe(true)
    expect(showsEffect(command, idle, { ...idle, target_nozzle_temp: 0 })).toBe(false)
  })
})

test('targets above the limits of the printer are lowered to them, others are left alone', () => {
  const limits = { nozzle: 260, bed: 100, chamber: 0 }
  expect(withinLimits({ kind: 'heaters', args: { nozzle: 300, bed: 60, chamber: 40 } }, limits)).toEqual({
    command: { kind: 'heaters', args: { nozzle: 260, bed: 60, chamber: 0 } },
    note: 'nozzle limited to 260 °C, chamber limited to 0 °C',
  })
  expect(withinLimits({ kind: 'heaters', args: { nozzle: 0 } }, limits).note).toBeNull()
  expect(withinLimits({ kind: 'load_filament', args: { slot: null, temperature: 300 } }, limits).command.args).toEqual({
    slot: null,
    temperature: 260,
  })
})

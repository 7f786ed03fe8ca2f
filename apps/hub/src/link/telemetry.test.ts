import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { changeBetween, createTelemetry } from './telemetry.ts'

const state = (overrides: Partial<PrinterState> = {}) => ({ ...unknownPrinterState('x'), ...overrides })

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function setUp() {
  const states = new Map<string, PrinterState>([['a', state()]])
  const frames: { printer_id: string; full: boolean; state: Partial<PrinterState> }[][] = []
  const line = { takes: true }
  const telemetry = createTelemetry({
    states,
    intervalMs: 1_000,
    send: (reports) => {
      if (line.takes) frames.push(reports)
      return line.takes
    },
  })
  const change = (id: string, overrides: Partial<PrinterState>) => {
    states.set(id, { ...(states.get(id) ?? state()), ...overrides })
    telemetry.markChanged(id)
  }
  return { states, frames, line, telemetry, change }
}

describe('telemetry', () => {
  test('a printer that rests is told of a few times a minute as long as it speaks, and not while it is out of reach', () => {
    const { frames, telemetry, change } = setUp()
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    frames.length = 0
    const speak = (seconds: number) => {
      for (let n = 0; n < seconds; n += 1) {
        change('a', {})
        vi.advanceTimersByTime(1_000)
      }
    }
    change('a', { status: 'idle' })
    speak(61)
    expect(frames.slice(1)).toEqual(Array(4).fill([{ printer_id: 'a', full: false, state: {} }]))
    frames.length = 0
    vi.advanceTimersByTime(60_000)
    expect(frames).toEqual([])
    change('a', { status: 'offline' })
    speak(60)
    expect(frames).toHaveLength(1)
    telemetry.stop()
  })

  test('equal pictures differ in nothing, nested ones by value', () => {
    const run = { file_name: 'a', job_id: '1', attempt_id: null }
    expect(changeBetween(state({ run }), state({ run: { ...run } }))).toBeUndefined()
    expect(changeBetween(state({ run }), state({ run: null, nozzle_temp: 20 }))).toEqual({ run: null, nozzle_temp: 20 })
  })

  test('ten thousand changes in a second make one report with the last value', () => {
    const { frames, telemetry, change } = setUp()
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    for (let n = 1; n <= 10_000; n += 1) change('a', { nozzle_temp: n })
    vi.advanceTimersByTime(999)
    expect(frames).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(frames[1]).toEqual([{ printer_id: 'a', full: false, state: { nozzle_temp: 10_000 } }])
  })

  test('all printers share one frame', () => {
    const { frames, telemetry, change } = setUp()
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    change('a', { nozzle_temp: 1 })
    change('b', { nozzle_temp: 2 })
    vi.advanceTimersByTime(1_000)
    expect(frames[1]?.map(({ printer_id, full }) => [printer_id, full])).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  test('what a congested line did not take is contained in the next report', () => {
    const { frames, line, telemetry, change } = setUp()
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    line.takes = false
    change('a', { nozzle_temp: 1 })
    vi.advanceTimersByTime(5_000)
    change('a', { bed_temp: 2 })
    line.takes = true
    vi.advanceTimersByTime(1_000)
    expect(frames).toHaveLength(2)
    expect(frames[1]?.[0]?.state).toEqual({ nozzle_temp: 1, bed_temp: 2 })
  })

  test('a printer that prints is reported when it spoke and nothing moved, and one that rests is not each time', () => {
    const { frames, telemetry, change } = setUp()
    change('a', { status: 'printing' })
    change('b', { status: 'idle' })
    vi.advanceTimersByTime(1_000)
    change('a', {})
    change('b', {})
    vi.advanceTimersByTime(10_000)
    expect(frames.slice(1)).toEqual([[{ printer_id: 'a', full: false, state: {} }]])
    telemetry.stop()
  })

  test('a change that was taken back before its report is not reported', () => {
    const { frames, telemetry, change } = setUp()
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    change('a', { light_on: true })
    change('a', { light_on: null })
    vi.advanceTimersByTime(2_000)
    expect(frames).toHaveLength(1)
  })

  test('five hundred full pictures are split over frames', () => {
    const { states, frames, telemetry } = setUp()
    for (let n = 0; n < 500; n += 1) states.set(`p${n}`, state())
    telemetry.startAfresh()
    vi.advanceTimersByTime(0)
    expect(frames.map(({ length }) => length)).toEqual([100, 100, 100, 100, 100, 1])
  })

  test('nothing is left behind after the end', () => {
    const { telemetry, change } = setUp()
    change('a', { nozzle_temp: 1 })
    telemetry.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a message that follows from a picture can have it sent before itself, once', () => {
  const { frames, telemetry, change } = setUp()
  telemetry.startAfresh()
  vi.advanceTimersByTime(0)
  change('a', { status: 'printing' })
  telemetry.flush()
  telemetry.flush()
  vi.advanceTimersByTime(5_000)
  expect(frames.slice(1)).toEqual([[{ printer_id: 'a', full: false, state: { status: 'printing' } }]])
  telemetry.stop()
})

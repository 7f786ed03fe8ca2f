import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { emptyPicture, isStarting, mergeMessage, octoPrintState } from './octoprint-state.ts'

const flags = { operational: true, printing: false, paused: false, error: false, closedOrError: false }

const printing = {
  current: {
    state: { text: 'Printing', flags: { ...flags, printing: true } },
    job: { file: { name: 'clip.gcode', path: 'clip.gcode', date: 1760000000 } },
    progress: { completion: 41.8, printTimeLeft: 1571 },
    temps: [{ time: 1, tool0: { actual: 214.87, target: 215 }, bed: { actual: 59.9, target: 60 } }],
  },
}
const operational = (completion: number | null) => ({
  current: {
    ...printing.current,
    state: { text: 'Operational', flags },
    progress: { completion, printTimeLeft: null },
  },
})

const stateAfter = (...messages: unknown[]) => octoPrintState(messages.reduce(mergeMessage, emptyPicture()))

test('a running job is shown with its identity, progress and temperatures', () => {
  expect(stateAfter(printing)).toMatchObject({
    status: 'printing',
    run: { file_name: 'clip.gcode', job_id: '1760000000', attempt_id: null },
    last_result: null,
    progress: 41.8,
    nozzle_temp: 214.9,
    target_bed_temp: 60,
    remaining_time_minutes: 27,
  })
})

test.each([
  ['Operational', {}, []],
  ['Offline', { closedOrError: true }, ['printer_not_connected']],
  ['Offline after error', { closedOrError: true, error: true }, ['printer_not_connected']],
  ['Opening serial connection', { closedOrError: true }, []],
  ['Error', { closedOrError: true, error: true }, []],
])('%s with %j has the problems %j', (text, changed, reasons) => {
  const state = stateAfter({ current: { state: { text, flags: { ...flags, ...changed } } } })
  expect(state.problems?.map(({ reason }) => reason)).toEqual(reasons)
})

describe('the end of a run', () => {
  test('is told by its event, whatever the printer says of itself', () => {
    const cancelled = { event: { type: 'PrintCancelled', payload: { path: 'clip.gcode' } } }
    expect(stateAfter(printing, cancelled, operational(null))).toMatchObject({
      status: 'idle',
      run: null,
      last_result: { result: 'cancelled', run: { file_name: 'clip.gcode' } },
    })
  })

  test('that was cancelled stays so when OctoPrint calls it failed as well', () => {
    const payload = { path: 'clip.gcode' }
    const cancelled = { event: { type: 'PrintCancelled', payload } }
    const failed = { event: { type: 'PrintFailed', payload: { ...payload, reason: 'cancelled' } } }
    expect(stateAfter(printing, cancelled, operational(null), failed).last_result).toMatchObject({
      result: 'cancelled',
      reason: null,
    })
  })

  test('that was not watched is known only when it was reached', () => {
    expect(stateAfter(operational(100)).last_result).toMatchObject({ result: 'completed' })
    expect(stateAfter(operational(null)).last_result).toBeNull()
  })

  test('of another file is not the end of this one', () => {
    const other = { event: { type: 'PrintDone', payload: { path: 'vase.gcode' } } }
    expect(stateAfter(printing, other, operational(null)).last_result).toBeNull()
  })

  test('is forgotten when the same file runs again', () => {
    const failed = { event: { type: 'PrintFailed', payload: { path: 'clip.gcode', reason: 'error' } } }
    expect(stateAfter(printing, failed, operational(null)).last_result).toMatchObject({ result: 'failed' })
    expect(stateAfter(printing, failed, operational(null), printing, operational(null)).last_result).toBeNull()
  })
})

test.each([
  ['Operational', {}, 'idle'],
  ['Pausing', { pausing: true, printing: true }, 'printing'],
  ['Paused', { paused: true }, 'paused'],
  ['Resuming', { resuming: true }, 'printing'],
  ['Cancelling', { cancelling: true, printing: true }, 'printing'],
  ['Starting', {}, 'printing'],
  ['Error: MINTEMP', { error: true, closedOrError: true }, 'error'],
  ['Offline after error', { closedOrError: true }, 'error'],
  ['Offline', { operational: false, closedOrError: true }, 'offline'],
  ['Opening serial connection', { operational: false, closedOrError: true }, 'maintenance'],
  ['Transferring file to SD', { printing: true }, 'maintenance'],
])('the state %s is %o for us: %s', (text, more, status) => {
  const state = { text, flags: { ...flags, ...more } }
  expect(stateAfter({ current: { ...printing.current, state } }).status).toBe(status)
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const part = fc.oneof(fc.jsonValue(), fc.constant(printing.current), fc.constant(operational(100).current))
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record({ current: part }),
    fc.record({
      current: fc.record({
        state: fc.jsonValue(),
        job: fc.jsonValue(),
        progress: fc.jsonValue(),
        temps: fc.array(fc.jsonValue()),
      }),
    }),
    fc.record({
      event: fc.record({ type: fc.constantFrom('PrintDone', 'PrintFailed', 'toString'), payload: fc.jsonValue() }),
    }),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      expect(isPrinterState.Check(stateAfter(...messages))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['Starting', true],
  [undefined, true],
  ['Printing', false],
  ['Paused', false],
])('a state that says %s is one in which a pause would be forgotten: %s', (text, isForgotten) => {
  expect(isStarting({ ...emptyPicture(), state: { text } })).toBe(isForgotten)
})

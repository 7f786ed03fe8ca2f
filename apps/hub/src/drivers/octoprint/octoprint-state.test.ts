import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import {
  emptyPicture,
  isStarting,
  mergeMessage,
  type OctoPrintPicture,
  pictureOfNewConnection,
} from './octoprint-picture.ts'
import { octoPrintState } from './octoprint-state.ts'

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

const pictureAfter = (...messages: unknown[]) =>
  messages.reduce<OctoPrintPicture>((picture, message) => mergeMessage(picture, message), emptyPicture())
const stateAfter = (...messages: unknown[]) => octoPrintState(pictureAfter(...messages))

const event = (type: string, payload: object = {}) => ({
  event: { type, payload: { path: 'clip.gcode', origin: 'local', ...payload } },
})
/** What OctoPrint pushes once the line to its printer is closed: the file is let go of. */
const closed = (text: string, error = '') => ({
  current: {
    state: { text, error, flags: { ...flags, operational: false, closedOrError: true } },
    job: { file: { name: null, path: null, date: null } },
    progress: { completion: null, printTimeLeft: null },
  },
})
const runaway = 'Thermal Runaway, system stopped! Heater_ID: bed - Printer halted. kill() called!'

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

  test('is not concluded from a file that is merely selected at 100 %', () => {
    expect(stateAfter(operational(100)).last_result).toBeNull()
    // As a start pushes it: the new file with the progress of the one before.
    const vase = { ...operational(100).current, job: { file: { path: 'vase.gcode', date: 1750000000 } } }
    expect(stateAfter({ current: vase }, event('PrintStarted'), operational(100)).last_result).toBeNull()
  })

  test.each([
    ['the words of the firmware', { reason: 'error', error: runaway }, 'Offline after error', runaway],
    [
      'an emergency stop',
      { reason: 'error', error: 'Closing serial port due to emergency stop M112.' },
      'Error',
      /M112/,
    ],
    ['a line that was closed', { reason: 'error', error: '' }, 'Offline', /was closed during the print/],
  ])('that failed is told with %s, although the file is let go of first', (_, payload, text, reason) => {
    const letGo = { current: { ...printing.current, job: { file: { path: null, name: null } } } }
    const states = [stateAfter(printing, event('PrintFailed', payload), letGo, closed(text))]
    states.push(stateAfter(printing, closed(text), event('PrintFailed', payload), closed(text)))
    states.push(
      stateAfter(printing, event('PrintFailed', payload), closed(text), { current: operational(null).current }),
    )
    for (const { run, last_result } of states) {
      expect(run).toBeNull()
      expect(last_result).toMatchObject({ result: 'failed', run: { file_name: 'clip.gcode', job_id: '1760000000' } })
      expect(last_result?.reason).toMatch(reason)
    }
  })

  test('of a run that was paused or starting is the fault itself, of which no event tells', () => {
    const paused = { current: { ...printing.current, state: { text: 'Paused', flags: { ...flags, paused: true } } } }
    const failed = { result: 'failed', reason: runaway, run: { job_id: '1760000000' } }
    expect(stateAfter(printing, paused, closed('Offline after error', runaway)).last_result).toMatchObject(failed)
    const early = stateAfter(event('PrintStarted'), closed('Offline after error', runaway))
    expect(early.last_result).toMatchObject({ result: 'failed', reason: runaway })
  })

  test('of a print from the own card of the printer is not concluded from a closed line', () => {
    const job = { file: { path: 'card.gco', origin: 'sdcard', date: null } }
    const fromCard = { current: { ...printing.current, job } }
    expect(stateAfter(fromCard).run).toMatchObject({ file_name: 'card.gco' })
    expect(stateAfter(fromCard, closed('Offline')).last_result).toBeNull()
  })

  test('out of sight is not concluded from an idle printer, nor from a closed line', () => {
    const again = pictureOfNewConnection(pictureAfter(printing))
    for (const report of [operational(100), operational(null), closed('Offline after error', runaway)]) {
      expect(octoPrintState(mergeMessage(again, report)).last_result).toBeNull()
    }
  })

  test('is still known over a broken connection, until the next run begins', () => {
    const again = pictureOfNewConnection(pictureAfter(printing, event('PrintDone')))
    const idle = mergeMessage(again, operational(100))
    expect(octoPrintState(idle).last_result).toMatchObject({ result: 'completed', run: { job_id: '1760000000' } })
    expect(octoPrintState(mergeMessage(idle, event('PrintStarted', { path: 'vase.gcode' }))).last_result).toBeNull()
  })

  test('told late does not end the run that began meanwhile', () => {
    const vase = { current: { ...printing.current, job: { file: { path: 'vase.gcode', date: 1750000000 } } } }
    const late = event('PrintFailed', { reason: 'cancelled' })
    const state = stateAfter(printing, event('PrintStarted', { path: 'vase.gcode' }), late, vase)
    expect(state).toMatchObject({ run: { file_name: 'vase.gcode' }, last_result: null })
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
  ['Finishing', { finishing: true, printing: true }, 'printing'],
  ['Printing from SD', { printing: true }, 'printing'],
  ['Starting print from SD', { printing: true }, 'printing'],
  ['Cancelling', { cancelling: true, printing: true }, 'printing'],
  ['Starting', {}, 'printing'],
  ['Error: MINTEMP', { error: true, closedOrError: true }, 'error'],
  ['Offline after error', { closedOrError: true }, 'error'],
  ['Offline', { operational: false, closedOrError: true }, 'offline'],
  ['Opening serial connection', { operational: false, closedOrError: true }, 'maintenance'],
  ['Transferring file to SD', { printing: true }, 'maintenance'],
  ['Sending file to SD', { printing: true }, 'maintenance'],
])('the state %s is %o for us: %s', (text, more, status) => {
  const state = { text, flags: { ...flags, ...more } }
  expect(stateAfter({ current: { ...printing.current, state } }).status).toBe(status)
})

test.each([
  ['Operational', {}, false],
  ['Printing', { printing: true }, false],
  ['Offline', { operational: false, closedOrError: true }, true],
  ['Offline after error', { operational: false, closedOrError: true }, true],
  ['Connecting', { operational: false }, true],
])('without sight of the printer there is no mark of what it printed: %s', (text, more, isUnknown) => {
  const { run_mark } = stateAfter({ current: { ...printing.current, state: { text, flags: { ...flags, ...more } } } })
  expect(run_mark).toBe(isUnknown ? null : undefined)
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
      event: fc.record({
        type: fc.constantFrom('PrintStarted', 'PrintDone', 'PrintFailed', 'toString'),
        payload: fc.jsonValue(),
      }),
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

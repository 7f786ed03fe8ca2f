import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgePlate, type KnownPlate, reportedMark } from './plate-judgement.ts'

const attemptId = 'att_01kaxq3v7m2e8h5t9w4c6y0b1d'
const run = (fields: Partial<RunIdentity> = {}): RunIdentity => ({
  file_name: 'vase.gcode',
  job_id: '7',
  attempt_id: null,
  ...fields,
})
const buildState = (fields: Partial<PrinterState> = {}): PrinterState => ({
  ...unknownPrinterState(''),
  status: 'idle',
  run_mark: 'a',
  ...fields,
})
const buildPlate = (fields: Partial<KnownPlate> = {}): KnownPlate => ({
  plate_state: 'clear',
  plate_run_mark: 'a',
  run_mark: 'a',
  live_attempt_id: null,
  ...fields,
})
const last = (of: RunIdentity): Partial<PrinterState> => ({
  last_result: { run: of, result: 'completed', reason: null },
})

describe('a clear plate', () => {
  test.each([
    ['a foreign run', { status: 'printing', run: run() }, 'vase.gcode was started at the printer'],
    [
      'a foreign run in error',
      { status: 'error', run: run(), run_mark: null },
      'vase.gcode was started at the printer',
    ],
    [
      'a run whose attempt is over',
      { run: run({ attempt_id: 'att_0' }) },
      'vase.gcode runs although its attempt is over',
    ],
    [
      'a foreign end',
      { run_mark: 'b', ...last(run()) },
      'vase.gcode was printed at the printer while it was out of sight',
    ],
    [
      'an unseen time',
      { run_mark: 'b', run_mark_reason: 'out of sight for 1 minute' },
      'The printer was out of sight for 1 minute',
    ],
    ['a mark without a run', { run_mark: 'b' }, expect.stringContaining('does not show the run any more')],
  ] as const)('is in doubt by %s', (_, state, sentence) => {
    expect(judgePlate(buildPlate(), buildState(state as Partial<PrinterState>))).toMatchObject({ sentence })
  })

  test.each([
    ['the same mark', { ...last(run()) }, {}],
    ['a printer out of reach', { status: 'offline', run_mark: null, run: run() }, {}],
    ['a printer that is starting up', { status: 'maintenance', run_mark: null }, {}],
    ['any mark, when none is on record', { run_mark: 'b' }, { plate_run_mark: null }],
    ['the run of its live attempt', { run: run({ attempt_id: attemptId }) }, { live_attempt_id: attemptId }],
    ['its run by name', { run: run({ file_name: 'CLIP-5T9W4C6Y0B1D.GCO' }) }, { live_attempt_id: attemptId }],
    [
      'its end by name',
      { run_mark: 'b', ...last(run({ file_name: 'clip-5t9w4c6y0b1d.gcode' })) },
      { live_attempt_id: attemptId },
    ],
  ] as const)('is as it was by %s', (_, state, plate) => {
    const seen = buildState(state as Partial<PrinterState>)
    expect(judgePlate(buildPlate(plate as Partial<KnownPlate>), seen)).toBeUndefined()
  })
})

test('something known to lie on a plate yields only to a foreign print that is seen to run', () => {
  const plate = buildPlate({ plate_state: 'occupied' })
  expect(judgePlate(plate, buildState({ run_mark: 'b', ...last(run()) }))).toBeUndefined()
  expect(judgePlate(plate, buildState({ run: run({ attempt_id: 'att_0' }) }))).toBeUndefined()
  expect(judgePlate(plate, buildState({ run: run() }))).toMatchObject({ isOnAnything: true })
})

describe('the mark of a printer', () => {
  test('is what its hub says, also when it says that it does not know', () => {
    expect(reportedMark(buildState({ run_mark: 'x' }), 'a')).toBe('x')
    expect(reportedMark(buildState({ run_mark: null, ...last(run()) }), 'a')).toBeNull()
  })

  test('of a hub of an older version is the run that is shown, and the one before while none is', () => {
    const { run_mark: _, ...old } = buildState()
    expect(reportedMark({ ...old, ...last(run()) }, 'a')).toBe('7 vase.gcode')
    expect(reportedMark(old, 'a')).toBe('a')
    expect(reportedMark(old, null)).toBe('none')
    expect(reportedMark({ ...old, status: 'error', ...last(run()) }, 'a')).toBeNull()
  })
})

test('a clear plate is never left clear by a mark or a run that is not its own', () => {
  const anyRun = fc.record({
    file_name: fc.constantFrom('vase.gcode', 'clip-5t9w4c6y0b1d.gcode'),
    job_id: fc.constantFrom(null, '1', '2'),
    attempt_id: fc.constantFrom(null, attemptId, 'att_0'),
  })
  fc.assert(
    fc.property(
      fc.constantFrom('idle' as const, 'printing' as const, 'paused' as const, 'error' as const),
      fc.option(anyRun),
      fc.option(anyRun),
      fc.constantFrom('a', 'b'),
      (status, running, ended, run_mark) => {
        const state = buildState({ status, run: running, run_mark, ...(ended ? last(ended) : {}) })
        const isDoubted = judgePlate(buildPlate(), state) !== undefined
        expect(isDoubted).toBe(running !== null || run_mark !== 'a')
      },
    ),
  )
})

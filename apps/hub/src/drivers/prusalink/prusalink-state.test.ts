import { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { emptyPicture, mergePoll, type PrusaLinkPoll, prusaLinkState } from './prusalink-state.ts'

const job = { id: 118, file: { name: 'CLIP~1.GCO', display_name: 'clip.gcode' } }
const status = (state: string, withJob = true) => ({
  ...(withJob && { job: { id: 118, progress: 42, time_remaining: 3120 } }),
  printer: { state, temp_nozzle: 214.9, target_nozzle: 215, temp_bed: 59.8, target_bed: 60 },
})
type Poll = [status: unknown, job: unknown, more?: Partial<Omit<PrusaLinkPoll, 'status' | 'job'>>]
const after = (...polls: Poll[]) =>
  prusaLinkState(
    polls.reduce((picture, [told, of, more]) => {
      const poll: PrusaLinkPoll = { status: told, job: of, printer: undefined, newest: 'unsaid', isUnbroken: true }
      return mergePoll(picture, { ...poll, ...more })
    }, emptyPicture()),
  )

test('a running job is shown by its number and its long name', () => {
  expect(after([status('PRINTING'), job])).toMatchObject({
    status: 'printing',
    run: { file_name: 'clip.gcode', job_id: '118' },
    progress: 42,
    remaining_time_minutes: 52,
    nozzle_temp: 214.9,
    layer_num: null,
  })
})

test('the file of another job is not taken for this one', () => {
  expect(after([status('PRINTING'), { ...job, id: 117 }])).toMatchObject({ status: 'maintenance', run: null })
})

test.each([
  ['IDLE', false, 'idle'],
  ['READY', false, 'idle'],
  ['BUSY', false, 'maintenance'],
  ['BUSY', true, 'printing'],
  ['PAUSED', true, 'paused'],
  ['ATTENTION', true, 'printing'],
  ['ATTENTION', false, 'error'],
  ['ERROR', false, 'error'],
  ['NEW_STATE', false, 'offline'],
])('%s with a job: %s is %s for us', (state, withJob, expected) => {
  expect(after([status(state, withJob), withJob ? job : undefined]).status).toBe(expected)
})

const another = { another: { jobId: '119' } }
const flags = (told: object) => ({ state: { flags: told } })

test.each([
  ['ATTENTION', { paused: true, pausing: false }, 'paused', /needs a person/],
  ['ATTENTION', { paused: false, printing: true }, 'printing', /needs a person/],
  ['ATTENTION', { paused: true, pausing: true }, 'printing', /needs a person/],
  ['PAUSED', { paused: true, pausing: false }, 'paused', undefined],
  ['PAUSED', { paused: true, pausing: true }, 'printing', /pausing/],
  ['PAUSED', { paused: false, printing: true, busy: true }, 'printing', /resuming/],
  ['PAUSED', undefined, 'paused', undefined],
])('%s with the flags %j is %s for us', (state, told, expected, reason) => {
  const shown = after([status(state), job, { printer: told && flags(told) }])
  expect(shown).toMatchObject({ status: expected, run: { job_id: '118' } })
  if (reason) expect(shown.status_reason).toMatch(reason)
  else expect(shown.status_reason).toBeNull()
})

test.each([
  [{ path: '/usb/', read_only: false }, []],
  [{ path: '/usb/', read_only: true }, ['storage_missing']],
  [[], ['storage_missing']],
  [
    [
      { path: '/sdcard', read_only: true },
      { path: '/local', read_only: false },
    ],
    [],
  ],
  [undefined, []],
])('a printer whose storage is %j has the problems %j', (storage, reasons) => {
  const told = { ...status('IDLE', false), ...(storage && { storage }) }
  expect(after([told, undefined]).problems?.map(({ reason }) => reason)).toEqual(reasons)
})

describe('the end of a run', () => {
  test.each([
    ['FINISHED', 'completed'],
    ['STOPPED', 'cancelled'],
    ['ERROR', 'failed'],
  ])('%s is %s, and stays so when the screen is closed', (state, result) => {
    const ended: Poll[] = [
      [status('PRINTING'), job],
      [status(state, false), undefined],
      [status('IDLE', false), undefined],
    ]
    expect(after(...ended).last_result).toMatchObject({ result, run: { file_name: 'clip.gcode', job_id: '118' } })
  })

  test('that no one saw is not invented', () => {
    expect(after([status('PRINTING'), job], [status('IDLE', false), undefined]).last_result).toBeNull()
    expect(after([status('FINISHED', false), undefined]).last_result).toBeNull()
  })

  test('of a job that no one watched is not taken for the end of ours', () => {
    const elsewhere = { ...status('FINISHED', false) }
    expect(after([status('PRINTING'), job], [elsewhere, undefined, { isUnbroken: false }]).last_result).toBeNull()
    expect(
      after([status('PRINTING'), job], [elsewhere, undefined, { newest: another }], [elsewhere, undefined]).last_result,
    ).toBeNull()
  })

  test('is that of our job after a gap when the board says that no other began since', () => {
    expect(
      after(
        [status('PRINTING'), job],
        [status('FINISHED', false), undefined, { isUnbroken: false, newest: 'the_known' }],
      ).last_result,
    ).toMatchObject({ result: 'completed', run: { job_id: '118' } })
  })

  test('that is known is not shown any longer once another job began unseen', () => {
    expect(
      after(
        [status('PRINTING'), job],
        [status('FINISHED', false), undefined],
        [status('FINISHED', false), undefined, { isUnbroken: false, newest: another }],
      ).last_result,
    ).toBeNull()
  })

  test('is not that of a job which began while the question for it was on its way', () => {
    const began = { ...job, id: 120, state: 'PRINTING' }
    expect(after([status('FINISHED', false), began]).last_result).toBeNull()
    expect(after([status('FINISHED', false), { ...began, state: 'FINISHED' }]).last_result).toMatchObject({
      result: 'completed',
      run: { job_id: '120' },
    })
  })

  test('of a job is told by its number where the printer still shows it', () => {
    const ended = { ...status('FINISHED', false), job: { id: 119 } }
    const vase = { id: 119, state: 'FINISHED', file: { display_name: 'vase.gcode' } }
    expect(after([status('PRINTING'), job], [ended, vase]).last_result).toMatchObject({
      run: { file_name: 'vase.gcode', job_id: '119' },
    })
    expect(after([status('PRINTING'), job], [ended, undefined]).last_result).toBeNull()
  })

  test('is over with the next run', () => {
    const next = { job: { id: 119 }, printer: { state: 'PRINTING' } }
    const polls: Poll[] = [
      [status('PRINTING'), job],
      [status('FINISHED', false), undefined],
      [next, { id: 119, file: { name: 'VASE.GCO' } }],
    ]
    expect(after(...polls)).toMatchObject({ last_result: null, run: { file_name: 'VASE.GCO', job_id: '119' } })
  })
})

test('whatever is sent, the picture is a possible one', { timeout: 60_000 }, () => {
  const isPrinterState = Compile(PrinterState)
  const told = fc.oneof(
    fc.jsonValue(),
    fc.record({ job: fc.jsonValue(), printer: fc.jsonValue() }),
    fc.record({
      job: fc.record({ id: fc.integer(), progress: fc.jsonValue(), time_remaining: fc.jsonValue() }),
      printer: fc.record({
        state: fc.constantFrom('PRINTING', 'FINISHED', 'ATTENTION', 'ERROR'),
        temp_nozzle: fc.jsonValue(),
      }),
    }),
  )
  const poll = fc.tuple(told, fc.oneof(fc.jsonValue(), fc.constant(job)))
  fc.assert(
    fc.property(fc.array(poll, { maxLength: 6 }), (polls) => {
      expect(isPrinterState.Check(after(...polls))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

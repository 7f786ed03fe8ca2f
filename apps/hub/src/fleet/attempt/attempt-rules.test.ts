import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { describe, expect, test } from 'vitest'
import { isOurRun, type JudgeInput, judge, lastRunOf, sightOf } from './attempt-rules.ts'

const identity = { file_name: 'cube-1.gcode', run_id: 'run-2', run_before: 'run-1 old.gcode' }
const ours: RunIdentity = { file_name: 'cube-1.gcode', job_id: 'run-2', attempt_id: null }
const old: RunIdentity = { file_name: 'old.gcode', job_id: 'run-1', attempt_id: null }

function buildState(overrides: Partial<PrinterState> = {}): PrinterState {
  return { ...unknownPrinterState(''), status: 'idle', ...overrides }
}
const ended = (run: RunIdentity, result: 'completed' | 'failed' | 'cancelled') =>
  buildState({ last_result: { run, result, reason: null } })
const judgeOf = (input: Partial<JudgeInput>) =>
  judge({
    phase: 'starting',
    isUnknown: false,
    sight: { kind: 'unclear' },
    lastedMs: 0,
    confirmTimeoutMs: 90_000,
    proofOfIdlenessMs: 180_000,
    ...input,
  })

describe('identity', () => {
  test('the same file with another run id is another run', () => {
    expect(isOurRun(ours, identity)).toBe(true)
    expect(isOurRun({ ...ours, job_id: 'run-3' }, identity)).toBe(false)
    expect(isOurRun({ ...ours, file_name: 'other.gcode' }, identity)).toBe(false)
  })

  test('the unique file name is enough where a run id is not known on either side', () => {
    expect(isOurRun({ ...ours, job_id: null }, identity)).toBe(true)
    expect(isOurRun(ours, { ...identity, run_id: null })).toBe(true)
  })
})

describe('what a picture says', () => {
  test.each([
    ['running', buildState({ status: 'printing', run: ours })],
    ['running', buildState({ status: 'paused', run: ours })],
    ['ended', ended(ours, 'completed')],
    ['ended', { ...ended(ours, 'failed'), status: 'error' as const }],
    ['ended', { ...ended(ours, 'failed'), status: 'offline' as const }],
    ['other_run', buildState({ status: 'printing', run: old })],
    ['never_ran', ended(old, 'completed')],
    ['gone', buildState()],
    ['gone', ended({ ...old, job_id: 'run-9' }, 'completed')],
    ['unclear', buildState({ status: 'offline', run: ours })],
    ['unclear', buildState({ status: 'maintenance' })],
    ['unclear', buildState({ status: 'error' })],
  ])('%s', (kind, state) => {
    expect(sightOf(state, identity).kind).toBe(kind)
  })

  test('a printer without any run is the same as before when it had none before', () => {
    expect(lastRunOf(buildState())).toBeNull()
    expect(sightOf(buildState(), { ...identity, run_before: null }).kind).toBe('never_ran')
  })
})

describe('the verdict', () => {
  test('only our running run confirms a start', () => {
    expect(judgeOf({ sight: { kind: 'running', run_id: 'run-2' } })).toMatchObject({
      phase: 'confirmed',
      outcome: null,
    })
    expect(judgeOf({ sight: { kind: 'other_run' }, lastedMs: 1e9 })).toBeUndefined()
    expect(judgeOf({ phase: 'confirmed', sight: { kind: 'running', run_id: 'run-2' } })).toBeUndefined()
  })

  test.each([
    ['completed', 'done'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
  ] as const)('our run that ended as %s is %s', (result, outcome) => {
    const sight = { kind: 'ended', run_id: 'run-2', result, reason: null } as const
    expect(judgeOf({ sight })).toMatchObject({ phase: 'finished', outcome })
    expect(judgeOf({ phase: 'confirmed', sight })).toMatchObject({ phase: 'finished', outcome })
  })

  test('idleness proves that nothing started only when it lasted and the printer keeps its runs', () => {
    const sight = { kind: 'never_ran' } as const
    expect(judgeOf({ sight, lastedMs: 179_999 })).toBeUndefined()
    expect(judgeOf({ sight, lastedMs: 180_000 })).toMatchObject({ phase: 'finished', outcome: 'not_started' })
    expect(judgeOf({ sight, lastedMs: 1e9, proofOfIdlenessMs: undefined })).toBeUndefined()
    expect(judgeOf({ sight: { kind: 'gone' }, lastedMs: 1e9 })).toBeUndefined()
  })

  test('a confirmed run whose traces are gone is unknown, never failed, done or not started', () => {
    const lost = { phase: 'confirmed', outcome: 'unknown', reason_code: 'RESULT_LOST' }
    expect(judgeOf({ phase: 'confirmed', sight: { kind: 'other_run' } })).toMatchObject(lost)
    expect(judgeOf({ phase: 'confirmed', sight: { kind: 'gone' }, lastedMs: 89_999 })).toBeUndefined()
    expect(judgeOf({ phase: 'confirmed', sight: { kind: 'gone' }, lastedMs: 90_000 })).toMatchObject(lost)
    expect(judgeOf({ phase: 'confirmed', sight: { kind: 'unclear' }, lastedMs: 1e9 })).toBeUndefined()
  })

  test('a lost result says how far the print was seen, is told once, and yields to what is seen later', () => {
    const gone = { phase: 'confirmed', sight: { kind: 'gone' }, lastedMs: 90_000 } as const
    const lastSeen = { progress: 63.7, at: Date.UTC(2026, 10, 22, 8, 30) }
    expect(judgeOf({ ...gone, lastSeen })?.detail).toContain('last seen at 63 % at 2026-11-22T08:30:00.000Z')
    expect(judgeOf({ ...gone, isUnknown: true })).toBeUndefined()
    const again = { phase: 'confirmed', isUnknown: true } as const
    expect(judgeOf({ ...again, sight: { kind: 'running', run_id: null } })).toMatchObject({ outcome: null })
    const sight = { kind: 'ended', run_id: null, result: 'completed', reason: null } as const
    expect(judgeOf({ ...again, sight })).toMatchObject({ phase: 'finished', outcome: 'done' })
  })

  test('a refused start is not started only after its watch, and runs when its run is seen', () => {
    const refusal = { reason_code: 'PRINTER_REFUSED', detail: 'door open', isOver: false, hasGap: false }
    const sight = { kind: 'never_ran' } as const
    expect(judgeOf({ refusal, sight, lastedMs: 1e9 })).toBeUndefined()
    expect(judgeOf({ refusal: { ...refusal, isOver: true }, sight })).toMatchObject({
      phase: 'finished',
      outcome: 'not_started',
      evidence: 'refusal',
      detail: 'door open',
    })
    expect(judgeOf({ refusal, sight: { kind: 'running', run_id: null } })).toMatchObject({ phase: 'confirmed' })
  })

  test('a refused start at a printer that was out of sight since is unknown, unless its last run proves that nothing ran', () => {
    const refusal = { reason_code: 'PRINTER_REFUSED', detail: 'no', isOver: true, hasGap: true }
    const doubt = { phase: 'starting', outcome: 'unknown', reason_code: 'REFUSED_OUT_OF_SIGHT' }
    expect(judgeOf({ refusal, sight: { kind: 'gone' } })).toMatchObject(doubt)
    expect(judgeOf({ refusal, sight: { kind: 'other_run' } })).toMatchObject(doubt)
    expect(judgeOf({ refusal, sight: { kind: 'other_run' }, isUnknown: true })).toBeUndefined()
    expect(judgeOf({ refusal, sight: { kind: 'unclear' } })).toBeUndefined()
    const neverRan = { refusal, sight: { kind: 'never_ran' } } as const
    expect(judgeOf(neverRan)).toMatchObject({ phase: 'finished', outcome: 'not_started' })
    expect(judgeOf({ ...neverRan, isUnknown: true })).toMatchObject({ phase: 'finished', outcome: 'not_started' })
    expect(judgeOf({ ...neverRan, proofOfIdlenessMs: undefined })).toMatchObject(doubt)
  })

  test('a refused start that the printer lists as failed may have printed something: a person is asked, once', () => {
    const refusal = { reason_code: 'PRINTER_REFUSED', detail: 'no', isOver: false, hasGap: false }
    const sight = { kind: 'ended', run_id: null, result: 'failed', reason: null } as const
    expect(judgeOf({ refusal, sight })).toBeUndefined()
    const watched = { refusal: { ...refusal, isOver: true }, sight }
    expect(judgeOf(watched)).toMatchObject({
      phase: 'starting',
      outcome: 'unknown',
      reason_code: 'REFUSED_BUT_LISTED',
      detail: expect.stringContaining('lists the print as failed'),
    })
    expect(judgeOf({ ...watched, isUnknown: true })).toBeUndefined()
    expect(judgeOf({ ...watched, isUnknown: true, sight: { kind: 'running', run_id: null } })).toMatchObject({
      phase: 'confirmed',
      outcome: null,
    })
    expect(judgeOf({ refusal, sight: { ...sight, result: 'completed' } })).toMatchObject({ outcome: 'done' })
  })
})

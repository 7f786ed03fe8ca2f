import type { AttemptOutcome, AttemptPhase } from '@printyard/protocol/attempt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AttemptStanding, applyReport, leavesPlateOccupied } from './attempt-state.ts'

const phases: AttemptPhase[] = ['reserved', 'transferring', 'starting', 'confirmed', 'finished']
const outcomes: (AttemptOutcome | null)[] = [null, 'done', 'failed', 'cancelled', 'not_started', 'unknown']
const anyReport = fc.record({ phase: fc.constantFrom(...phases), outcome: fc.constantFrom(...outcomes) })

function run(reports: AttemptStanding[]): { standing: AttemptStanding; effects: string[] } {
  let standing: AttemptStanding = { phase: 'reserved', outcome: null }
  const effects: string[] = []
  for (const report of reports) {
    const change = applyReport(standing, report)
    if (change.kind !== 'changed') continue
    standing = change.to
    effects.push(change.effect)
  }
  return { standing, effects }
}

test('an ordinary print goes through its phases', () => {
  const { standing, effects } = run([
    { phase: 'transferring', outcome: null },
    { phase: 'starting', outcome: null },
    { phase: 'confirmed', outcome: null },
    { phase: 'finished', outcome: 'done' },
  ])
  expect(standing).toEqual({ phase: 'finished', outcome: 'done' })
  expect(effects).toEqual(['none', 'none', 'print_confirmed', 'plate_done'])
})

test('an unknown outcome is settled by later evidence, never by an older report', () => {
  const unknown: AttemptStanding = { phase: 'starting', outcome: 'unknown' }
  expect(applyReport(unknown, { phase: 'starting', outcome: null }).kind).toBe('ignored')
  expect(applyReport(unknown, { phase: 'transferring', outcome: null }).kind).toBe('ignored')
  expect(applyReport(unknown, { phase: 'confirmed', outcome: null })).toMatchObject({ effect: 'print_confirmed' })
  expect(applyReport(unknown, { phase: 'finished', outcome: 'not_started' })).toMatchObject({ effect: 'back_to_queue' })
})

test('a running print that was lost and is seen again is confirmed again', () => {
  const lost: AttemptStanding = { phase: 'confirmed', outcome: 'unknown' }
  expect(applyReport(lost, { phase: 'confirmed', outcome: null })).toMatchObject({
    to: { phase: 'confirmed', outcome: null },
  })
})

test('a print that was seen running is never queued again as not started', () => {
  for (const outcome of [null, 'unknown'] as const) {
    const change = applyReport({ phase: 'confirmed', outcome }, { phase: 'finished', outcome: 'not_started' })
    expect(change).toEqual({ kind: 'ignored', why: 'contradictory' })
  }
})

test.each([
  ['reserved', 'starting'],
  ['transferring', 'starting'],
  ['starting', 'starting'],
  ['confirmed', 'confirmed'],
] as const)('an attempt that was %s when its hub let go of it is unknown: it has not failed', (before, after) => {
  const letGo = { phase: 'finished', outcome: 'unknown' } as const
  const to = { phase: after, outcome: 'unknown' }
  expect(applyReport({ phase: before, outcome: null }, letGo)).toEqual({ kind: 'changed', to, effect: 'fate_unknown' })
  expect(applyReport({ phase: after, outcome: 'unknown' }, letGo).kind).toBe('ignored')
})

test('only the sight of its run takes back that an attempt never began', () => {
  const over: AttemptStanding = { phase: 'finished', outcome: 'not_started' }
  expect(applyReport(over, { phase: 'confirmed', outcome: null })).toEqual({
    kind: 'changed',
    to: { phase: 'confirmed', outcome: null },
    effect: 'taken_back',
  })
  fc.assert(
    fc.property(anyReport, (report) => {
      fc.pre(report.phase !== 'confirmed' || report.outcome !== null)
      expect(applyReport(over, report).kind).toBe('ignored')
    }),
  )
})

test('a finished attempt never changes, whatever is reported', () => {
  fc.assert(
    fc.property(anyReport, (report) => {
      expect(applyReport({ phase: 'finished', outcome: 'failed' }, report).kind).toBe('ignored')
    }),
  )
})

test('each end counts once, and no attempt ends in two ways, in whatever order and number reports arrive', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 30 }), (reports) => {
      const { standing, effects } = run(reports)
      const ends = effects
        .slice(effects.lastIndexOf('taken_back') + 1)
        .filter((effect) => ['plate_done', 'print_failed', 'print_cancelled', 'back_to_queue'].includes(effect))
      expect(ends.length).toBe(standing.phase === 'finished' ? 1 : 0)
      if (standing.phase === 'finished')
        expect(['done', 'failed', 'cancelled', 'not_started']).toContain(standing.outcome)
    }),
  )
})

test('repeating every report changes nothing', () => {
  fc.assert(
    fc.property(fc.array(anyReport, { maxLength: 15 }), (reports) => {
      expect(run(reports.flatMap((report) => [report, report]))).toEqual(run(reports))
    }),
  )
})

test('only an attempt that certainly never moved the printer leaves the plate clear', () => {
  expect(leavesPlateOccupied('transferring', 'cancelled')).toBe(false)
  expect(leavesPlateOccupied('starting', 'not_started')).toBe(false)
  expect(leavesPlateOccupied('starting', 'cancelled')).toBe(true)
  expect(leavesPlateOccupied('confirmed', 'failed')).toBe(true)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isActionPossible, jobActions, jobProgress, jobStatuses, platesNeeded } from './job-state.ts'

test('nothing can be asked of a job that has ended', () => {
  for (const action of Object.keys(jobActions) as (keyof typeof jobActions)[]) {
    for (const status of ['completed', 'failed', 'cancelled'] as const) {
      expect(isActionPossible(action, status), `${action} of a ${status} job`).toBe(false)
    }
  }
})

test('only a paused job resumes, only a queued one starts', () => {
  expect(jobStatuses.filter((status) => isActionPossible('resume', status))).toEqual(['paused'])
  expect(jobStatuses.filter((status) => isActionPossible('start', status))).toEqual(['queued'])
})

test('the plates yield at least the units asked for, and one plate fewer would not', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e4 }), (units, perPlate) => {
      const plates = platesNeeded(units, perPlate)
      expect(plates * perPlate).toBeGreaterThanOrEqual(units)
      expect((plates - 1) * perPlate).toBeLessThan(units)
    }),
  )
})

test('progress counts all plates and stays within 0 to 100', () => {
  expect(jobProgress(1, 4, 50)).toBe(37.5)
  expect(jobProgress(4, 4, 0)).toBe(100)
  expect(jobProgress(0, 1, -3)).toBe(0)
  expect(jobProgress(1, 1, 70)).toBe(100)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isActionPossible,
  type JobAction,
  jobActions,
  jobProgress,
  jobStatuses,
  platesNeeded,
  unitsOnPlate,
} from './job-state.ts'

/** One row per action, one column per status in the order of `jobStatuses`. */
const table: Record<JobAction, string> = {
  //        queued processing printing paused completed failed cancelled
  start: 'yes    no         no       no     no        no     no',
  assign: 'yes    no         no       no     no        no     no',
  pause: 'no     no         yes      no     no        no     no',
  resume: 'no     no         no       yes    no        no     no',
  stop: 'no     yes        yes      yes    no        no     no',
  cancel: 'yes    yes        yes      yes    no        no     no',
  resolve: 'no     yes        yes      yes    no        no     no',
  complete: 'yes    yes        yes      yes    no        yes    no',
  retry: 'no     no         no       no     no        yes    no',
  restore: 'no     no         no       no     no        no     yes',
  delete: 'yes    no         no       no     yes       yes    yes',
}

test.each(Object.keys(jobActions) as JobAction[])('%s is possible in exactly the states of the table', (action) => {
  const asked = jobStatuses.map((status) => (isActionPossible(action, status) ? 'yes' : 'no'))
  expect(asked).toEqual(table[action].split(/ +/))
})

test('the units on the plates of a job are the units of the job', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e4 }), fc.integer({ min: 1, max: 1e3 }), (units, perPlate) => {
      const output = { units, units_per_plate: perPlate }
      const plates = platesNeeded(units, perPlate)
      const onPlates = Array.from({ length: plates }, (_, index) => unitsOnPlate(output, index + 1))
      expect(onPlates.reduce((sum, each) => sum + each, 0)).toBe(units)
      expect(onPlates.every((each) => each > 0)).toBe(true)
      expect(unitsOnPlate(output, plates + 1)).toBe(0)
    }),
  )
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

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foreseeFinish, learnTime } from './learnt-time.ts'

test.each([
  ['the file on the model, by its median', [1.2, 1, 1.1], [2, 2, 2], { factor: 1.1, learnt_from: 'file', samples: 3 }],
  [
    'the model, while the file was printed less than three times',
    [9, 9],
    [1, 1.3, 1.1, 1.2],
    { factor: 1.15, learnt_from: 'model' },
  ],
  [
    'nothing, while the model has printed less than three times',
    [9],
    [9, 9],
    { factor: 1, learnt_from: 'none', samples: 0 },
  ],
])('a factor is learnt from %s', (_from, of_file, of_model, learnt) => {
  expect(learnTime(1_000, { of_file, of_model })).toMatchObject(learnt)
})

test('a print that a person forgot while it was paused moves the slow end, not the middle', () => {
  const of_file = [1, 1, 1, 1, 1, 1, 1, 1, 1.1, 14]
  expect(learnTime(1_000, { of_file, of_model: [] })).toMatchObject({ p50_seconds: 1_000, p90_seconds: 1_100 })
})

test('what was never printed takes what its slicer says, and its slow end is not known', () => {
  expect(learnTime(601, { of_file: [], of_model: [] })).toEqual({
    factor: 1,
    learnt_from: 'none',
    samples: 0,
    p50_seconds: 601,
    p90_seconds: null,
  })
})

const ratios = fc.array(fc.double({ min: 0.1, max: 20, noNaN: true }), { minLength: 3, maxLength: 20 })

test('the slow end is never before the middle, and both lie among the prints', () => {
  fc.assert(
    fc.property(ratios, fc.integer({ min: 1, max: 500_000 }), (of_file, seconds) => {
      const { p50_seconds, p90_seconds } = learnTime(seconds, { of_file, of_model: [] })
      expect(p90_seconds).toBeGreaterThanOrEqual(p50_seconds)
      expect(p50_seconds).toBeGreaterThanOrEqual(Math.floor(Math.min(...of_file) * seconds))
      expect(p90_seconds).toBeLessThanOrEqual(Math.ceil(Math.max(...of_file) * seconds))
    }),
  )
})

const at = (time: string) => new Date(`2026-11-16T${time}Z`)
const learnt = { p50_seconds: 3_600, p90_seconds: 5_400 }

test.each([
  ['one plate', { startedAt: at('10:00:00'), platesLeft: 1, now: at('10:30:00') }, at('11:00:00'), at('11:30:00')],
  ['three plates', { startedAt: at('10:00:00'), platesLeft: 3, now: at('10:30:00') }, at('13:00:00'), at('14:30:00')],
  [
    'one that is late',
    { startedAt: at('10:00:00'), platesLeft: 1, now: at('11:10:00') },
    at('11:10:00'),
    at('11:30:00'),
  ],
])('the end of a job with %s', (_what, job, p50_at, p90_at) => {
  expect(foreseeFinish(learnt, job)).toEqual({ p50_at, p90_at })
})

test('the end of a job that does not print is not foreseen', () => {
  expect(foreseeFinish(learnt, { startedAt: null, platesLeft: 2, now: at('10:00:00') })).toBeNull()
})

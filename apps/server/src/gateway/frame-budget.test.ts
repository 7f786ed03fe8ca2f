import { expect, test } from 'vitest'
import { createFrameBudget } from './frame-budget.ts'

const limits = {
  framesPerSecond: 10,
  frameBurst: 20,
  bytesPerSecond: 1_000,
  byteBurst: 5_000,
  logLinesPerSecond: 1,
  logLineBurst: 2,
}

test('a burst passes, and what follows waits as long as it takes to be paid for', () => {
  const budget = createFrameBudget(limits)
  for (let frame = 0; frame < 20; frame += 1) expect(budget.take(1, 0)).toBe(0)
  expect(budget.take(1, 0)).toBe(100)
  expect(budget.take(1, 100)).toBe(100)
  expect(budget.take(1, 10_000)).toBe(0)
})

test('one large frame is paid for by its bytes', () => {
  const budget = createFrameBudget(limits)
  expect(budget.take(7_000, 0)).toBe(2_000)
  expect(budget.take(10, 2_020)).toBe(0)
})

test('a clock that stands still or goes back gives nothing away', () => {
  const budget = createFrameBudget(limits)
  for (let frame = 0; frame < 20; frame += 1) budget.take(1, 1_000)
  expect(budget.take(1, 500)).toBeGreaterThan(0)
})

test('lines beyond the limit are counted, and the next one that is written says how many', () => {
  const budget = createFrameBudget(limits)
  expect([0, 1, 2, 3].map((at) => budget.takeLogLine(at).isWritten)).toEqual([true, true, false, false])
  expect(budget.takeLogLine(2_000)).toEqual({ isWritten: true, leftOut: 2 })
})

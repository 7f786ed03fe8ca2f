import { expect, test } from 'vitest'
import { FixedWindow } from './fixed-window.ts'

test('a window begins with the first call of a caller and is not made longer by others', () => {
  const windows = new FixedWindow(60_000)
  const calls = [1_000, 30_000, 60_999, 61_000, 61_001].map((now) => ({ ...windows.count('one', now) }))
  expect(calls).toEqual([
    { calls: 1, endsAt: 61_000 },
    { calls: 2, endsAt: 61_000 },
    { calls: 3, endsAt: 61_000 },
    { calls: 1, endsAt: 121_000 },
    { calls: 2, endsAt: 121_000 },
  ])
})

test('callers are counted apart, and a clock that was set back begins a new window', () => {
  const windows = new FixedWindow(60_000)
  windows.count('one', 1_000_000)
  expect(windows.count('two', 1_000_000).calls).toBe(1)
  expect(windows.count('one', 900_000)).toEqual({ calls: 1, endsAt: 960_000 })
})

test('callers whose windows are over are forgotten, others are not', () => {
  const windows = new FixedWindow(60_000)
  for (let caller = 0; caller < 999; caller += 1) windows.count(`old ${caller}`, 0)
  windows.count('young', 59_999)
  for (let caller = 0; caller < 5_000; caller += 1) windows.count(`new ${caller}`, 60_000)
  expect(windows.count('young', 60_001).calls).toBe(2)
  expect(windows.size).toBeLessThan(6_000)
})

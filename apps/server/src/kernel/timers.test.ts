import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from './timers.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a task that fails runs again, one at a time, until it is stopped', async () => {
  let turns = 0
  const stop = every(1_000, 'test', pino({ level: 'silent' }), async () => {
    turns += 1
    throw new Error('bad turn')
  })
  await vi.advanceTimersByTimeAsync(3_500)
  expect(turns).toBe(3)
  stop()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(turns).toBe(3)
})

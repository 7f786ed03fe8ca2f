import { expect, test } from 'vitest'
import { secondsAt, wallMsAt, withSpeed } from './sim-clock.ts'

const clock = { wallMs: 1_000_000, seconds: 0, speed: 1_000 }

test('simulated time is the same however often it is asked for', () => {
  expect(secondsAt(clock, 1_000_000 + 86_400_000)).toBe(86_400_000)
  expect(wallMsAt(clock, 86_400_000)).toBe(1_000_000 + 86_400_000)
})

test('a change of speed goes on where the clock stands', () => {
  const faster = withSpeed(clock, 1_002_000, 100_000)
  expect(secondsAt(faster, 1_002_000)).toBe(2_000)
  expect(secondsAt(faster, 1_003_000)).toBe(102_000)
})

test('a real clock that is set back never turns simulated time back', () => {
  expect(secondsAt(clock, 0)).toBe(0)
  expect(secondsAt(withSpeed(clock, 0, 5), 1_000_000)).toBe(0)
})

test.each([0, -1, Number.NaN, 100_001, Number.POSITIVE_INFINITY])('a speed of %s is refused', (speed) => {
  expect(() => withSpeed(clock, 0, speed)).toThrow(RangeError)
})

import { expect, test } from 'vitest'
import { ServiceClock } from './service-clock.ts'

test('the time that the service told goes on, whatever the own clock says', () => {
  const clock = new ServiceClock(() => 0)
  expect(clock.now()).toBe(0)
  clock.set('2026-01-01T00:00:00.000Z')
  const told = Date.UTC(2026, 0, 1)
  expect(clock.now()).toBeGreaterThanOrEqual(told)
  expect(clock.now()).toBeLessThan(told + 60_000)
  clock.set('not a time')
  expect(clock.now()).toBeGreaterThanOrEqual(told)
})

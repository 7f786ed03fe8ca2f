import { expect, test } from 'vitest'
import { nextDay, startOfDay } from './zone-day.ts'

test.each([
  ['2026-05-04', 'UTC', '2026-05-04T00:00:00.000Z'],
  ['2026-05-04', 'Europe/Berlin', '2026-05-03T22:00:00.000Z'],
  ['2026-01-04', 'America/New_York', '2026-01-04T05:00:00.000Z'],
  // The day of the change itself begins by the clock of before.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-05-04', 'Asia/Kathmandu', '2026-05-03T18:15:00.000Z'],
])('the day %s begins in %s at %s', (day, zone, at) => {
  expect(startOfDay(day, zone)).toBe(at)
})

test('what is no day has no beginning', () => {
  expect(startOfDay('soon', 'UTC')).toBeUndefined()
  expect(nextDay('soon')).toBeUndefined()
})

test('days follow each other over months', () => {
  expect(nextDay('2026-02-28')).toBe('2026-03-01')
})

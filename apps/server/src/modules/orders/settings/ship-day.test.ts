import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shipDay } from './ship-day.ts'

const weekdays = [1, 2, 3, 4, 5]

// 2026-11-20 is a Friday.
test.each([
  ['2026-11-20', 0, weekdays, '2026-11-20'],
  ['2026-11-21', 0, weekdays, '2026-11-23'],
  ['2026-11-20', 1, weekdays, '2026-11-23'],
  ['2026-11-21', 1, weekdays, '2026-11-23'],
  ['2026-11-20', 3, weekdays, '2026-11-25'],
  ['2026-11-20', 3, [1, 2, 3, 4, 5, 6, 7], '2026-11-23'],
  ['2026-11-20', 2, [7], '2026-11-29'],
  ['2026-12-31', 1, weekdays, '2027-01-01'],
])('an order of %s with %i handling days and working days %j ships on %s', (day, handling, working, ships) => {
  expect(shipDay(day, handling, working)).toBe(ships)
})

test('it is a working day, never before the order, and later with one more handling day, but for the first of an order on a free day', () => {
  const day = fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
  const working = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  fc.assert(
    fc.property(day, fc.nat({ max: 30 }), working, (ordered, handling, days) => {
      const ships = shipDay(ordered, handling, days)
      expect(ships >= ordered).toBe(true)
      expect(days).toContain(new Date(ships).getUTCDay() || 7)
      const next = shipDay(ordered, handling + 1, days)
      const isOnFreeDay = !days.includes(new Date(ordered).getUTCDay() || 7)
      if (handling === 0 && isOnFreeDay) expect(next).toBe(ships)
      else expect(next > ships).toBe(true)
    }),
  )
})

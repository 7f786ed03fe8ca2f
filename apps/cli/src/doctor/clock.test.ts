import { expect, test } from 'vitest'
import { checkClock } from './clock.ts'

const now = new Date('2026-08-01T12:00:00Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000)

test('a clock that agrees with the database and its records is fine', () => {
  expect(checkClock({ now, databaseNow: later(-2), latestRecord: later(2) }).status).toBe('ok')
  expect(checkClock({ now }).status).toBe('ok')
})

test('a clock that was never set is a problem', () => {
  expect(checkClock({ now: new Date(0) })).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('1970'),
  })
})

test('a clock behind the records of the database is a problem', () => {
  expect(checkClock({ now, latestRecord: later(60) })).toMatchObject({
    status: 'problem',
    message: expect.stringContaining('2026-08-01T12:01:00'),
  })
})

test.each([-90, 90])('a database clock %d s away is a warning that says how far', (seconds) => {
  expect(checkClock({ now, databaseNow: later(seconds) })).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('90 s apart'),
  })
})

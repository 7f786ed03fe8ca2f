import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeOfReport } from './report-time.ts'

const at = (clock: string) => new Date(`2026-05-04T${clock}:00.000Z`)
const started = at('10:00')
const now = at('12:00')
const bounds = { now, hubAheadMs: 0, notBefore: started }
const hourMs = 3_600_000

describe('when something happened', () => {
  test('is what the hub tells, between what was known before and now', () => {
    expect(timeOfReport('2026-05-04T10:40:00.000Z', bounds)).toEqual({ at: at('10:40'), note: null })
  })

  test('is corrected by how far the clock of the hub is off', () => {
    const told = '2026-05-04T13:40:00.000Z'
    expect(timeOfReport(told, { ...bounds, hubAheadMs: 3 * hourMs })).toEqual({ at: at('10:40'), note: null })
  })

  test.each([
    ['2026-05-04T13:00:00.000Z', 'yet to come'],
    ['2026-05-04T09:00:00.000Z', 'before what was seen of the print'],
    ['1970-01-01T00:05:00.000Z', 'before what was seen of the print'],
    ['soon', 'did not tell when'],
  ])('is when the service learned of it where the hub tells %s', (told, why) => {
    expect(timeOfReport(told, bounds)).toEqual({ at: now, note: expect.stringContaining(why) })
  })

  test('is never later than now nor earlier than what was known, by some seconds of two clocks that agree', () => {
    expect(timeOfReport('2026-05-04T12:00:04.000Z', bounds)).toEqual({ at: now, note: null })
    expect(timeOfReport('2026-05-04T09:59:57.000Z', bounds)).toEqual({ at: started, note: null })
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), fc.integer({ min: -1e12, max: 1e12 }), (told, hubAheadMs) => {
        const found = timeOfReport(told.toISOString(), { ...bounds, hubAheadMs })
        expect(found.at.getTime()).toBeGreaterThanOrEqual(started.getTime())
        expect(found.at.getTime()).toBeLessThanOrEqual(now.getTime())
      }),
    )
  })
})

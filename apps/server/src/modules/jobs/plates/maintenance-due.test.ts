import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isMaintenanceDue } from './maintenance-due.ts'

test('a printer without an interval is never due, whatever it printed', () => {
  fc.assert(
    fc.property(fc.nat(), (seconds) => {
      const wear = { total_print_seconds: seconds, maintained_at_seconds: 0, maintenance_interval_hours: null }
      expect(isMaintenanceDue(wear)).toBe(false)
    }),
  )
})

test('a printer is due from the second on at which its hours are up, and not before', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e5 }), (maintainedAt, hours) => {
      const after = (seconds: number) =>
        isMaintenanceDue({
          total_print_seconds: maintainedAt + seconds,
          maintained_at_seconds: maintainedAt,
          maintenance_interval_hours: hours,
        })
      expect(after(hours * 3600 - 1)).toBe(false)
      expect(after(hours * 3600)).toBe(true)
    }),
  )
})

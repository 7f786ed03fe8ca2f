import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseKept } from './kept-backups.ts'

const at = (text: string) => ({ takenAt: new Date(`${text}Z`) })
const days = (kept: { takenAt: Date }[]) => kept.map(({ takenAt }) => takenAt.toISOString().slice(0, 10))

test('the newest of each of the last days, weeks and months that have one stay', () => {
  // 2026-11-23 is a Monday.
  const daily = Array.from({ length: 90 }, (_, ago) => ({
    takenAt: new Date(Date.UTC(2026, 10, 23, 2) - ago * 86_400_000),
  }))
  expect(days(chooseKept(daily, { daily: 3, weekly: 3, monthly: 3 }))).toEqual([
    '2026-11-23',
    '2026-11-22',
    '2026-11-21',
    '2026-11-15',
    '2026-10-31',
    '2026-09-30',
  ])
})

test('of several of one day the last stays; days without a backup are not counted', () => {
  const backups = [at('2026-11-20T02:00:00'), at('2026-11-20T14:00:00'), at('2026-11-02T02:00:00')]
  expect(chooseKept(backups, { daily: 2, weekly: 0, monthly: 0 })).toEqual([backups[1], backups[2]])
})

test('the newest always stays, and no rule that keeps more keeps less', () => {
  const counts = fc.nat({ max: 8 })
  const rules = fc.record({ daily: counts, weekly: counts, monthly: counts })
  const backups = fc.array(fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }), {
    minLength: 1,
  })
  fc.assert(
    fc.property(backups, rules, (times, rule) => {
      const all = times.map((takenAt) => ({ takenAt }))
      const kept = chooseKept(all, rule)
      const newest = Math.max(...times.map((time) => time.getTime()))
      expect(kept[0]?.takenAt.getTime()).toBe(newest)
      expect(kept.length).toBeLessThanOrEqual(Math.max(1, rule.daily + rule.weekly + rule.monthly))
      const more = chooseKept(all, { ...rule, weekly: rule.weekly + 1 })
      for (const backup of kept) expect(more).toContain(backup)
    }),
  )
})

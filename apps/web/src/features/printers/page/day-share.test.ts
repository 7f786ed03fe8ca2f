import { expect, test } from 'vitest'
import { causeWord, layOutDay, nextDate, rankTotals, startOfDay } from './day-share.ts'

const at = (hour: number) => `2026-03-01T${String(hour).padStart(2, '0')}:00:00.000Z`
const segment = (cause: 'printing' | 'offline', from: number, to: number) => ({
  cause,
  started_at: at(from),
  ended_at: at(to),
  is_open: false,
  job_id: null,
  attempt_id: null,
})

test('segments lie where their time is', () => {
  const laid = layOutDay([segment('printing', 0, 5), segment('offline', 5, 10)], Date.parse(at(0)), Date.parse(at(20)))
  expect(laid.map(({ offsetPercent, widthPercent }) => [offsetPercent, widthPercent])).toEqual([
    [0, 25],
    [25, 25],
  ])
})

test('what reaches out of the bar is cut at its ends', () => {
  const [laid] = layOutDay([segment('printing', 0, 20)], Date.parse(at(5)), Date.parse(at(15)))
  expect(laid).toMatchObject({ offsetPercent: 0, widthPercent: 100 })
})

test('causes without time are left out, and the longest comes first', () => {
  const total = (cause: 'printing' | 'offline' | 'error', seconds: number) => ({
    cause,
    seconds,
    minutes: 0,
    description: '',
  })
  const ranked = rankTotals([total('printing', 5), total('error', 0), total('offline', 9)])
  expect(ranked.map(({ cause }) => causeWord(cause))).toEqual(['Out of reach', 'Printing'])
})

test.each([
  ['2026-01-15', 'Europe/Berlin', '2026-01-14T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-06-01', 'Pacific/Auckland', '2026-05-31T12:00:00.000Z'],
  ['2026-06-01', 'UTC', '2026-06-01T00:00:00.000Z'],
])('%s begins in %s at %s', (date, zone, moment) => {
  expect(new Date(startOfDay(date, zone)).toISOString()).toBe(moment)
})

test('a day is followed by the next one, over the end of a month', () => {
  expect(nextDate('2026-11-30')).toBe('2026-12-01')
})

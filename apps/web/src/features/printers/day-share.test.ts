import { expect, test } from 'vitest'
import { causeWord, layOutDay, rankTotals } from './day-share.ts'

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

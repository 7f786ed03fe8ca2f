import { describe, expect, it } from 'vitest'
import { createRequestBudget } from '../../lib/request-budget.ts'
import { pickNextReading } from './reading-order.ts'

describe('whose status is read next', () => {
  it('printers not read yet come first, in the order shown', () => {
    expect(pickNextReading(['a', 'b', 'c'], new Map([['a', 0]]), 60_000, 5000)).toBe('b')
  })

  it('then the one read longest ago', () => {
    const readAtMs = new Map([
      ['a', 3000],
      ['b', 1000],
      ['c', 2000],
    ])
    expect(pickNextReading(['a', 'b', 'c'], readAtMs, 60_000, 5000)).toBe('b')
  })

  it('a small farm is not asked again before it has rested', () => {
    const readAtMs = new Map([['a', 1000]])
    expect(pickNextReading(['a'], readAtMs, 5999, 5000)).toBeUndefined()
    expect(pickNextReading(['a'], readAtMs, 6000, 5000)).toBe('a')
  })

  it('without printers nobody is asked', () => {
    expect(pickNextReading([], new Map(), 0, 5000)).toBeUndefined()
  })

  it('with 24 printers shown each is read at least every 31 seconds, within the allowance', () => {
    const ids = Array.from({ length: 24 }, (_, index) => `prn_${index}`)
    const readAtMs = new Map<string, number>()
    let nowMs = 0
    let longestGapMs = 0
    const budget = createRequestBudget({ perMinute: 60, burst: 12, now: () => nowMs })
    for (; nowMs < 300_000; nowMs += 250) {
      const id = pickNextReading(ids, readAtMs, nowMs, 5000)
      if (id === undefined || !budget.tryTake()) continue
      longestGapMs = Math.max(longestGapMs, nowMs - (readAtMs.get(id) ?? 0))
      readAtMs.set(id, nowMs)
    }
    expect(readAtMs.size).toBe(24)
    expect(longestGapMs).toBeLessThanOrEqual(31_000)
  })
})

import { describe, expect, it } from 'vitest'
import { createRequestBudget } from './request-budget.ts'

describe('request budget', () => {
  it('lets a first round through at once and then paces', () => {
    let nowMs = 0
    const budget = createRequestBudget({ perMinute: 60, burst: 12, now: () => nowMs })
    const firstRound = Array.from({ length: 13 }, () => budget.tryTake())
    expect(firstRound).toEqual([...Array.from({ length: 12 }, () => true), false])
    nowMs = 1249
    expect(budget.tryTake()).toBe(false)
    nowMs = 1250
    expect(budget.tryTake()).toBe(true)
  })

  it('no 60 seconds hold more than the allowance, however greedy or idle the caller was', () => {
    let nowMs = 0
    const budget = createRequestBudget({ perMinute: 60, burst: 12, now: () => nowMs })
    const sentAtMs: number[] = []
    for (; nowMs < 300_000; nowMs += 50) {
      const isIdle = nowMs > 90_000 && nowMs < 130_000
      if (!isIdle && budget.tryTake()) sentAtMs.push(nowMs)
    }
    const fullest = Math.max(
      ...sentAtMs.map((from) => sentAtMs.filter((at) => at >= from && at < from + 60_000).length),
    )
    expect(fullest).toBeLessThanOrEqual(60)
    expect(fullest).toBeGreaterThan(55)
  })

  it('a clock set back grants nothing', () => {
    let nowMs = 100_000
    const budget = createRequestBudget({ perMinute: 60, burst: 1, now: () => nowMs })
    budget.tryTake()
    nowMs = 0
    expect(budget.tryTake()).toBe(false)
  })
})

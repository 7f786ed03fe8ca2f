import { describe, expect, test } from 'vitest'
import { restMs } from './forecaster.ts'

describe('a forecast', () => {
  test('takes at most a twentieth of the time, until it takes so long that it would be more than five minutes out of date', () => {
    for (const lastedMs of [1, 99, 100, 1_000, 15_000]) {
      expect(lastedMs / (lastedMs + restMs(lastedMs)), `${lastedMs} ms`).toBeLessThan(1 / 20)
    }
    expect([15_000, 15_001, 600_000].map(restMs)).toEqual([300_000, 300_000, 300_000])
  })

  test('is made again two seconds after one that took next to nothing, and twenty times as long after one that took longer', () => {
    expect([0, 100, 101, 2_000].map(restMs)).toEqual([2_000, 2_000, 2_020, 40_000])
  })
})

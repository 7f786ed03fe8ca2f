import { describe, expect, test } from 'vitest'
import { defaultTimings } from '../timings.ts'
import { createBackoff } from './backoff.ts'

describe('back-off', () => {
  test('the ceiling doubles with each try and stops at the maximum', () => {
    const backoff = createBackoff({ firstMs: 500, maxMs: 30_000, random: () => 0.999999 })
    const waits = Array.from({ length: 9 }, () => backoff.next())
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
  })

  test('a hub that fails twice after many tries is away for less than half a minute', () => {
    const { firstRetryMs, maxRetryMs } = defaultTimings
    const backoff = createBackoff({ firstMs: firstRetryMs, maxMs: maxRetryMs, random: () => 0.999999 })
    const waits = Array.from({ length: 12 }, () => backoff.next())
    expect(waits.slice(-2).reduce((sum, ms) => sum + ms, 0)).toBeLessThan(30_000)
  })

  test('the jitter covers the whole range down to nothing', () => {
    const backoff = createBackoff({ firstMs: 500, maxMs: 30_000, random: () => 0 })
    expect([backoff.next(), backoff.next()]).toEqual([0, 0])
  })

  test('after a reset it starts over', () => {
    const backoff = createBackoff({ firstMs: 500, maxMs: 30_000, random: () => 0.5 })
    backoff.next()
    backoff.next()
    backoff.reset()
    expect(backoff.next()).toBe(250)
  })

  test('a thousand tries do not overflow the wait', () => {
    const backoff = createBackoff({ firstMs: 500, maxMs: 30_000, random: () => 0.999999 })
    for (let tries = 0; tries < 1000; tries += 1) backoff.next()
    expect(backoff.next()).toBe(30_000)
  })
})

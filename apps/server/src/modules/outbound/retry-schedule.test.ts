import { describe, expect, test } from 'vitest'
import { afterFailure, healthy, isDead, isFailing, mostAttempts, retryWaitMs } from './retry-schedule.ts'

const hourMs = 3_600_000

describe('the waits of an event', () => {
  const waits = (random: number) =>
    Array.from({ length: mostAttempts - 1 }, (_, index) => retryWaitMs(index + 1, 0, random) as number)

  test('grow from seconds to a day, and take three days together', () => {
    const middle = waits(0.5)
    expect(middle[0]).toBe(5_000)
    expect(middle).toEqual(middle.toSorted((one, other) => one - other))
    const hours = middle.reduce((sum, wait) => sum + wait, 0) / hourMs
    expect(hours).toBeGreaterThanOrEqual(72)
    expect(hours).toBeLessThan(80)
  })

  test('differ by a tenth each way', () => {
    expect(waits(0)[2]).toBe(waits(0.5)[2]! * 0.9)
    expect(waits(1)[2]).toBeCloseTo(waits(0.5)[2]! * 1.1)
  })

  test('end after the last attempt', () => {
    expect(retryWaitMs(mostAttempts, 0, 0.5)).toBeUndefined()
    expect(retryWaitMs(mostAttempts, hourMs, 0.5)).toBeUndefined()
  })

  test('are as long as the receiver asks for, up to a day', () => {
    expect(retryWaitMs(1, 60_000, 0.5)).toBe(60_000)
    expect(retryWaitMs(1, 1_000 * hourMs, 0.5)).toBe(24 * hourMs)
    expect(retryWaitMs(3, 1, 0.5)).toBe(1_800_000)
  })
})

describe('the health of an endpoint', () => {
  const start = new Date('2026-11-20T00:00:00Z')
  const at = (ms: number) => new Date(start.getTime() + ms)
  const failed = (times: number) => {
    let health = healthy
    for (let n = 0; n < times; n += 1) health = afterFailure(health, start, 0, 0.5)
    return health
  }

  test('five failures in a row make it failing', () => {
    expect(isFailing(failed(4))).toBe(false)
    expect(failed(4)).toEqual({ failures: 4, failing_since: start, retry_at: null })
    expect(isFailing(failed(5))).toBe(true)
    expect(failed(5).retry_at).toEqual(at(5_000))
  })

  test('the longer it fails the rarer it is tried, up to four times an hour', () => {
    expect(afterFailure(failed(5), at(60_000), 0, 0.5).retry_at).toEqual(at(75_000))
    const dayLater = at(24 * hourMs)
    expect(afterFailure(failed(5), dayLater, 0, 0.5).retry_at).toEqual(new Date(dayLater.getTime() + 900_000))
  })

  test('a receiver that asks for time is left alone at once', () => {
    expect(afterFailure(healthy, start, 30_000, 0.5).retry_at).toEqual(at(30_000))
  })

  test('after three days it is dead, whatever was sent meanwhile', () => {
    const health = afterFailure(failed(5), at(71 * hourMs), 0, 0.5)
    expect(isDead(health, at(71 * hourMs))).toBe(false)
    expect(isDead(health, at(72 * hourMs))).toBe(true)
    expect(isDead(healthy, at(1_000 * hourMs))).toBe(false)
    expect(isDead(failed(4), at(1_000 * hourMs))).toBe(false)
  })
})

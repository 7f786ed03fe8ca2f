import { describe, expect, test } from 'vitest'
import { failureOf, isToldOf, waitAfter } from './shop-health.ts'
import { decideStock, sellable } from './stock-rule.ts'

describe('stock', () => {
  test('is set over what we told, and over what rested while orders were read; a level that moves waits', () => {
    expect(decideStock({ wanted: 5, level: 5, told: null, seen: null })).toBe('same')
    expect(decideStock({ wanted: 5, level: 8, told: 8, seen: null })).toBe('set')
    expect(decideStock({ wanted: 5, level: 7, told: 8, seen: null })).toBe('wait')
    expect(decideStock({ wanted: 5, level: 6, told: 8, seen: 7 })).toBe('wait')
    expect(decideStock({ wanted: 5, level: 6, told: 8, seen: 6 })).toBe('set')
    expect(decideStock({ wanted: 5, level: 0, told: null, seen: null })).toBe('wait')
  })

  test('is what is left for others, in whole packs', () => {
    expect(sellable({ available: 11, buffer: 2, packSize: 4 })).toBe(2)
    expect(sellable({ available: 1, buffer: 2, packSize: 1 })).toBe(0)
  })
})

describe('failures', () => {
  test('asking for time is none; refused keys are told of at once, and others after three', () => {
    expect(failureOf({ failures: 0 }, 'busy')).toEqual({ failures: 0 })
    expect(isToldOf(failureOf({ failures: 0 }, 'credentials').failures)).toBe(true)
    expect(isToldOf(failureOf({ failures: 1 }, 'away').failures)).toBe(false)
    expect(isToldOf(failureOf({ failures: 2 }, 'away').failures)).toBe(true)
  })

  test('the wait is what was asked for, and grows to a quarter of an hour', () => {
    expect(waitAfter({ kind: 'busy', retryAfterMs: 7_000 }, 0, 0.5)).toBe(7_000)
    expect(waitAfter({ kind: 'busy', retryAfterMs: 0 }, 0, 0.5)).toBe(30_000)
    expect(waitAfter({ kind: 'away', retryAfterMs: 0 }, 1, 0.5)).toBe(10_000)
    expect(waitAfter({ kind: 'away', retryAfterMs: 0 }, 30, 0.5)).toBe(900_000)
    expect(waitAfter({ kind: 'away', retryAfterMs: 3_600_000 }, 1, 0.5)).toBe(3_600_000)
    expect(waitAfter({ kind: 'busy', retryAfterMs: 1e12 }, 1, 0.5)).toBe(86_400_000)
  })
})

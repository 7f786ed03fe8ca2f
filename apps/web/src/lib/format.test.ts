import { describe, expect, it } from 'vitest'
import {
  formatAge,
  formatCountdown,
  formatMinutes,
  formatMoment,
  formatPercent,
  formatTemperature,
  parseTimestamp,
  zoneOf,
} from './format.ts'

const berlin = { locale: 'en-GB', timeZone: 'Europe/Berlin' }

describe('durations', () => {
  it.each([
    [0, 'less than 1 min'],
    [0.6, 'less than 1 min'],
    [1, '1 min'],
    [59.4, '59 min'],
    [59.6, '1h'],
    [95, '1h 35 min'],
    [1500, '25h'],
  ])('%d minutes read %s', (value, text) => {
    expect(formatMinutes(value)).toBe(text)
  })
})

describe('percentages', () => {
  it('an unfinished print never reads 100%', () => {
    expect(formatPercent(99.9)).toBe('99%')
    expect(formatPercent(100)).toBe('100%')
  })
})

describe('temperatures', () => {
  it('the target is shown only while one is set', () => {
    expect(formatTemperature(213.6, 220)).toBe('214 / 220 °C')
    expect(formatTemperature(24.2, 0)).toBe('24 °C')
    expect(formatTemperature(24.2, null)).toBe('24 °C')
  })
})

describe('ages', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')
  it.each([
    [0, '0 sec. ago'],
    [12_000, '12 sec. ago'],
    [600_000, '10 min. ago'],
    [3 * 3_600_000, '3 hr. ago'],
    [72 * 3_600_000, '3 days ago'],
  ])('%d ms read %s', (ageMs, text) => {
    expect(formatAge(now - ageMs, now)).toBe(text)
  })

  it('a time ahead of our clock reads as now', () => {
    expect(formatAge(now + 5000, now)).toBe('0 sec. ago')
  })
})

describe('moments', () => {
  const now = Date.parse('2026-11-20T12:00:00.000Z')

  it('today needs no date', () => {
    expect(formatMoment(Date.parse('2026-11-20T09:30:00.000Z'), now, berlin)).toBe('10:30')
  })

  it('the day is the one of the reader, not of UTC', () => {
    expect(formatMoment(Date.parse('2026-11-19T23:30:00.000Z'), now, berlin)).toBe('00:30')
    expect(formatMoment(Date.parse('2026-11-19T22:30:00.000Z'), now, berlin)).toBe('19 Nov, 23:30')
  })

  it('a missing or broken timestamp is no time', () => {
    expect(parseTimestamp(null)).toBeUndefined()
    expect(parseTimestamp('soon')).toBeUndefined()
    expect(parseTimestamp('2026-11-20T12:00:00.000Z')).toBe(now)
  })
})

describe('countdowns', () => {
  it.each([
    [0, '0:00'],
    [-3, '0:00'],
    [59.2, '1:00'],
    [605, '10:05'],
    [3729, '1:02:09'],
  ])('%d seconds read %s', (value, text) => {
    expect(formatCountdown(value)).toBe(text)
  })
})

it('the zone of a clock is named where it shows another time than the reader’s own', () => {
  const at = Date.parse('2026-07-01T12:00:00Z')
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect([zoneOf(at, {}), zoneOf(at, { timeZone: own })]).toEqual(['', ''])
  const named = ['Asia/Tokyo', 'Pacific/Honolulu'].map((timeZone) => zoneOf(at, { timeZone, locale: 'en-US' }))
  // No one reads in both.
  const expected = ['GMT+9', 'HST'].map((name, index) => (named[index] === '' ? '' : name))
  expect(named).toEqual(expected)
  expect(named.join('')).not.toBe('')
})

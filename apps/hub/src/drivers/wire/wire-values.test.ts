import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyText } from '../../test/any-text.ts'
import { countIn, memberOf, minutesLeft, numberIn, percentIn, temperatureIn, textIn } from './wire-values.ts'

const anything = fc.oneof(fc.anything(), fc.double(), fc.double().map(String), anyText())

test('whatever a printer sends, a value is within what it can be, or unknown', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 40 }), (value, maxLength) => {
      const within = (number: number | null, least: number, most: number) =>
        number === null || (number >= least && number <= most)
      expect(within(numberIn(value), -Number.MAX_VALUE, Number.MAX_VALUE)).toBe(true)
      expect(within(countIn(value), 0, Number.MAX_SAFE_INTEGER)).toBe(true)
      expect(within(temperatureIn(value), -50, 1_000)).toBe(true)
      expect(within(percentIn(value), 0, 100)).toBe(true)
      expect(within(minutesLeft(value), 1, 1e9)).toBe(true)
      const text = textIn(value, maxLength)
      if (text === null) return
      expect(text.length).toBeLessThanOrEqual(maxLength)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toMatch(/\0|^$/)
    }),
    { numRuns: 500 },
  )
})

test('only what was sent has members, not what every object has', () => {
  expect(memberOf({ a: { b: [7] } }, 'a', 'b', 0)).toBe(7)
  expect(memberOf({ a: null }, 'a', 'b')).toBeUndefined()
  expect(memberOf(JSON.parse('{"x":1}'), 'constructor')).toBeUndefined()
  expect(memberOf('text', 'length')).toBeUndefined()
})

test('however little time is left, it is a minute: none would say that the print is over', () => {
  expect([5e-324, 0.1, 60, 61].map(minutesLeft)).toEqual([1, 1, 1, 2])
})

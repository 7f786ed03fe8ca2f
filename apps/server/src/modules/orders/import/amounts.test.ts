import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmount, readCount, readTime } from './amounts.ts'

test.each([
  ['12.50', 2, 1250],
  ['12,5', 2, 1250],
  ['1,234.56', 2, 123_456],
  ['1,234', 2, 123_400],
  ['$12', 2, 1200],
  ['€ 0.99', 2, 99],
  ['12.50 EUR', 2, 1250],
  ['US$12.50', 2, 1250],
  ['12,50 Kč', 2, 1250],
  ['1250', 0, 1250],
  ['1.250', 3, 1250],
  ['12.500', 2, 1250],
  ['-0.00', 2, 0],
  ['0', 2, 0],
])('%s with %i digits is %i', (text, digits, value) => {
  expect(readAmount(text, digits)).toEqual({ value })
})

test.each([
  ['', 'must be an amount such as 12.50'],
  ['free', 'must be an amount such as 12.50'],
  ['Street 5', 'must be an amount such as 12.50'],
  ['1.2.3', 'must be an amount such as 12.50'],
  ['12,34,56', 'must be an amount such as 12.50'],
  ['12.505', 'has more than 2 digits after the decimal sign'],
  ['-5', 'must not be negative'],
  ['99999999999999999', 'is too large'],
])('"%s" is no amount', (text, problem) => {
  expect(readAmount(text, 2)).toEqual({ problem })
})

test('an amount that was written in any digits of a currency is read without loss', () => {
  fc.assert(
    fc.property(fc.nat({ max: 1_000_000_000 }), fc.constantFrom(0, 2, 3), (amount, digits) => {
      const text = (BigInt(amount) / 10n ** BigInt(digits)).toString()
      const fraction = digits === 0 ? '' : `.${String(amount % 10 ** digits).padStart(digits, '0')}`
      expect(readAmount(text + fraction, digits)).toEqual({ value: amount })
    }),
  )
})

test.each([
  ['2', { value: 2 }],
  [' 10 ', { value: 10 }],
  ['1.5', { problem: 'must be a whole number' }],
  ['-1', { problem: 'must be at least 1' }],
  ['two', { problem: 'must be a whole number' }],
])('"%s" as a count', (text, read) => {
  expect(readCount(text)).toEqual(read)
})

test.each([
  ['2025-10-02 17:09:34 -0300', '2025-10-02T20:09:34.000Z'],
  ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00.123+01:00', '2026-11-20T08:30:00.000Z'],
  ['2026-11-20 09:30', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20', '2026-11-20T12:00:00.000Z'],
  ['11/20/26', '2026-11-20T12:00:00.000Z'],
  ['1/2/2026', '2026-01-02T12:00:00.000Z'],
])('%s is %s', (text, value) => {
  expect(readTime(text)).toEqual({ value })
})

test.each([
  '',
  'yesterday',
  '20.11.2026',
  '13/20/26',
  '2026-02-30',
  '2026-11-20 25:00',
  '2026-11-20 10:00 +99:00',
  '1732096200',
])('"%s" is no time', (text) => {
  expect(readTime(text)).toHaveProperty('problem')
})

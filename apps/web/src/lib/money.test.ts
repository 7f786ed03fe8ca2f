import { expect, test } from 'vitest'
import { formatAmountText, formatMoney, minorDigits, toMinorUnits } from './money.ts'

test.each([
  [1250, 'EUR', '€12.50'],
  [1250, 'JPY', '¥1,250'],
  [1250, 'KWD', 'KWD 1.250'],
  [5, 'USD', '$0.05'],
  [123_456_789, 'CHF', 'CHF 1,234,567.89'],
])('%i of the minor unit of %s is written as %s', (amount, currency, written) => {
  expect(formatMoney(amount, currency).replaceAll('\u00a0', ' ')).toBe(written)
})

test('an amount is typed in the major unit and sent in the minor one, without a remainder of floats', () => {
  expect(toMinorUnits(19.99, 'EUR')).toBe(1999)
  expect(toMinorUnits('0.07', 'EUR')).toBe(7)
  expect(toMinorUnits(1250, 'JPY')).toBe(1250)
  expect(toMinorUnits('1.005', 'KWD')).toBe(1005)
  expect(toMinorUnits('', 'EUR')).toBe(0)
})

test('the digits are those of ISO 4217', () => {
  expect(['EUR', 'ISK', 'IQD', 'CLF'].map(minorDigits)).toEqual([2, 0, 3, 4])
})

test('amounts in text keep what is behind the point where it matters', () => {
  expect(formatAmountText('12.5', 'EUR')).toBe('€12.50')
  expect(formatAmountText('0.034612', 'EUR')).toBe('€0.0346')
  expect(formatAmountText('-0.5', 'EUR')).toBe('-€0.50')
  expect(formatAmountText('1250', 'JPY')).toBe('¥1,250')
})

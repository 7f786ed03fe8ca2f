import { expect, test } from 'vitest'
import { formatAmount, isCurrency } from './currencies.ts'

test.each([
  [1250, 'EUR', '12.50 EUR'],
  [5, 'USD', '0.05 USD'],
  [1250, 'JPY', '1250 JPY'],
  [1250, 'KWD', '1.250 KWD'],
  [-90, 'EUR', '-0.90 EUR'],
])('%i minor units of %s are %s', (amount, currency, text) => {
  expect(formatAmount(amount, currency)).toBe(text)
})

test('a currency is one of ISO 4217, in capitals', () => {
  expect(['USD', 'EUR', 'BHD', 'JPY'].every(isCurrency)).toBe(true)
  expect(['usd', 'DEM', 'XXX', 'EURO', '', 'AAA'].some(isCurrency)).toBe(false)
})

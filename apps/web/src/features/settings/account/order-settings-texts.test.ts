import { expect, test } from 'vitest'
import type { OrderSettings } from '../../../lib/api/api-schema.generated.ts'
import { describeHandling, readOrderSettings, writeOrderSettings } from './order-settings-texts.ts'

const settings: OrderSettings = {
  ...{ currency: 'EUR', handling_days: 2, working_days: [1, 2, 6], ship_lines_alone: false },
  auto_produce: 'paid',
  time_zone: 'Europe/Prague',
}

test('what is read from the settings is written as it was', () => {
  const { time_zone: _, ...sent } = settings
  expect(writeOrderSettings(readOrderSettings(settings))).toEqual(sent)
  expect(writeOrderSettings(readOrderSettings({ ...settings, handling_days: null }))).toEqual({
    ...sent,
    handling_days: null,
  })
})

test('a currency is written in capitals and days in their order, however they were entered', () => {
  const texts = {
    currency: ' eur ',
    handling_days: 0,
    working_days: ['6', '1'],
    auto_produce: 'off' as const,
    ship_lines_alone: true,
  }
  expect(writeOrderSettings(texts)).toEqual({
    currency: 'EUR',
    handling_days: 0,
    working_days: [1, 6],
    auto_produce: 'off',
    ship_lines_alone: true,
  })
})

test.each([
  [2, '2 working days (Mon, Tue, Sat)'],
  [1, '1 working day (Mon, Tue, Sat)'],
  [null, 'as the shop says'],
])('handling days %s are told as %s', (handling_days, told) => {
  expect(describeHandling({ ...settings, handling_days })).toBe(told)
})

import { expect, test } from 'vitest'
import type { CostSettings } from '../../../lib/api/api-schema.generated.ts'
import {
  costChanges,
  minutesProblem,
  neededPriceProblem,
  priceProblem,
  readCosts,
  toMinutes,
  toPrice,
  toSeconds,
  wattsProblem,
} from './cost-texts.ts'

const settings: CostSettings = {
  currency: 'EUR',
  machine_hour_price: '0.6',
  watts: 120,
  energy_price: null,
  labour_hour_price: '24',
  plate_labour_seconds: 90,
  assembly_labour_seconds: null,
  order_labour_seconds: 300,
  models: [{ model: 'P1S', machine_hour_price: null, watts: 105 }],
  printers: [],
  filaments: [{ filament_type: 'PLA', price: '22' }],
  platform_fees: [{ platform: 'etsy', percent: '6.5', fixed: '0.3' }],
}

test('what is not touched is not sent', () => {
  const before = readCosts(settings)
  expect(costChanges(before, readCosts(settings))).toEqual({})
  expect(costChanges(before, { ...before, energy_price: '0,32', watts: '' })).toEqual({
    energy_price: '0.32',
    watts: null,
  })
  const longer = [...before.filaments, { filament_type: ' PETG', price: '19' }]
  expect(costChanges(before, { ...before, filaments: longer })).toEqual({
    filaments: [
      { filament_type: 'PLA', price: '22' },
      { filament_type: 'PETG', price: '19' },
    ],
  })
})

test('times are minutes for people, and seconds for the service', () => {
  expect([90, null, 100].map(toMinutes)).toEqual(['1.5', '', '1.67'])
  expect(['1.5', '', '0,5'].map(toSeconds)).toEqual([90, null, 30])
  expect([toPrice(' 1,5 '), toPrice('')]).toEqual(['1.5', null])
})

test('what is no amount, no power and no time is told where it was typed', () => {
  expect(['', '0,32', '12', '0.000001'].map(priceProblem)).toEqual([null, null, null, null])
  expect(['-1', '1e3', 'much', '0.0000001'].filter((typed) => priceProblem(typed) === null)).toEqual([])
  expect([neededPriceProblem('') === null, neededPriceProblem('1') === null]).toEqual([false, true])
  expect(['', '120'].map(wattsProblem)).toEqual([null, null])
  expect(['1.5', '-1', 'x', '10001'].filter((typed) => wattsProblem(typed) === null)).toEqual([])
  expect(['', '0.5', '1440'].map(minutesProblem)).toEqual([null, null, null])
  expect(['-1', 'x', '1441'].filter((typed) => minutesProblem(typed) === null)).toEqual([])
})

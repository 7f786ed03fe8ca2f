import { expect, test } from 'vitest'
import { purchasesOf } from './forecast-rows.ts'

test('only what is missing is to be bought, in the unit that it is bought in', () => {
  const row = {
    ...{ type: 'PETG', color: 'Black', any_color: false, plates: 2, plates_without_weight: 0, needed_grams: 1500 },
    ...{ on_hand_grams: 400, available_grams: 300, to_buy_grams: 1200, daily_use_grams: 0, days_left: null },
  }
  const item = {
    ...{ material_id: 'mat_1', kind: 'components' as const, type: 'screw', name: 'Screw', color: '' },
    ...{ needed_units: 12, on_hand_units: 4, to_buy_units: 8 },
  }
  const forecast = { filament: [row, { ...row, color: 'Red', to_buy_grams: 0 }], items: [item], printers: [] }
  expect(purchasesOf(forecast).map(({ name, needed, missing }) => [name, needed, missing])).toEqual([
    ['PETG Black', '1.5 kg', '1.2 kg'],
    ['Screw', '12', '8'],
  ])
})

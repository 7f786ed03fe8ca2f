import { expect, test } from 'vitest'
import { codeOf, planPartSkus, sumLines, takeCode } from './kit-plan.ts'

const variant = (color: string, filament_type?: string) => ({
  color,
  ...(filament_type !== undefined && { filament_type }),
})
const part = (name: string, fixed_color?: string) => ({
  name,
  quantity_per_kit: 1,
  ...(fixed_color !== undefined && { fixed_color }),
})

test('a part has a SKU for each colour of the variants, and one where its colour is fixed', () => {
  const variants = [variant('Red', 'PLA'), variant('Blue', 'PLA'), variant('Red', 'PETG')]
  const planned = planPartSkus({ variants, parts: [part('Base'), part('Holder', 'White')] })
  expect(
    planned.map(({ part: index, color, filament_type, variants: into }) => [index, color, filament_type, into]),
  ).toEqual([
    [0, 'Red', 'PLA', [0]],
    [0, 'Blue', 'PLA', [1]],
    [0, 'Red', 'PETG', [2]],
    [1, 'White', 'PLA', [0, 1]],
    [1, 'White', 'PETG', [2]],
  ])
})

test('codes are made of names, are short enough, and each is taken once', () => {
  expect(codeOf('Désk lamp', 'Dark / red')).toBe('DESK-LAMP-DARK-RED')
  expect(codeOf('灯', 'Red')).toBe('灯-RED')
  expect(codeOf('!!!')).toBe('KIT')
  expect(Array.from(codeOf('x'.repeat(300)))).toHaveLength(90)
  const taken = new Set(['A', 'A-2'])
  expect([takeCode('A', taken), takeCode('A', taken), takeCode('B', taken)]).toEqual(['A-3', 'A-4', 'B'])
})

test('lines of one material are summed in the order in which it first comes', () => {
  expect(
    sumLines([
      { material_id: 'a', quantity_required: 1 },
      { material_id: 'b', quantity_required: 2 },
      { material_id: 'a', quantity_required: 3 },
    ]),
  ).toEqual([
    { material_id: 'a', quantity_required: 4 },
    { material_id: 'b', quantity_required: 2 },
  ])
})

import { expect, test } from 'vitest'
import { materialBodyOf, materialValuesOf } from './material-values.ts'

test('a spool that is saved as it was loaded says the same again, and nothing of what is left on it', () => {
  const spool = {
    ...{ id: 'mat_1', type: 'PETG', color: 'Black', hex_code: '#000000', brand: 'Plain', diameter: 1.75 },
    ...{ remaining_grams: 612.4, spool_weight_grams: null, low_threshold: 80, status: 'in_stock' as const },
    ...{ printer_id: null, slot: null, location: 'Shelf 3', created_at: '', updated_at: '' },
  }
  expect(materialBodyOf('filament', materialValuesOf('filament', spool), false)).toEqual({
    ...{ type: 'PETG', color: 'Black', hex_code: '#000000', brand: 'Plain', diameter: 1.75 },
    ...{ spool_weight_grams: null, low_threshold: 80, location: 'Shelf 3' },
  })
})

test('of a new material what is there is said, in the unit of its kind', () => {
  const spool = materialBodyOf('filament', materialValuesOf('filament', undefined), true)
  expect(spool).toMatchObject({ type: 'PLA', remaining_grams: 1000 })
  const values = { ...materialValuesOf('components', undefined), name: ' Screw ', remaining: 40 }
  const screw = materialBodyOf('components', values, true)
  expect(screw).toMatchObject({ name: 'Screw', remaining_units: 40 })
  expect(screw).not.toHaveProperty('hex_code')
  expect(screw).not.toHaveProperty('type')
})

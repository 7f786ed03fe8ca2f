import { expect, test } from 'vitest'
import type { FilamentOfFile, PlateForRules } from './matching.queries.ts'
import { plateNeedOf } from './plate-need.ts'

const white: FilamentOfFile = { index: 0, type: 'PLA', color: '#FFFFFF', preset_id: 'GFA00', tool: null, grams: 10.001 }
const row: PlateForRules = {
  plates_total: 2,
  filament_type: ' PETG ',
  color: ' Red',
  any_color: false,
  filament_needed_grams: 24.69,
  assigned_printer_id: null,
  printer_model: null,
  nozzle_diameter: null,
  bed_type: null,
  width_mm: 30,
  depth_mm: 20,
  max_z_mm: 10,
  filaments: [],
}
const filamentsOf = (filaments: FilamentOfFile[], change: Partial<PlateForRules> = {}) =>
  plateNeedOf({ ...row, ...change, filaments }).filaments

test('of a file that says nothing of its filaments, the job says what it needs', () => {
  expect(filamentsOf([])).toEqual([
    { indexes: [0], type: 'PETG', color: 'Red', preset_id: '', tool: null, grams: 12.35 },
  ])
  expect(filamentsOf([], { filament_needed_grams: null })).toMatchObject([{ grams: null }])
})

test('of a file with one filament too, at the position that the file gives it', () => {
  expect(filamentsOf([{ ...white, index: 3 }])).toMatchObject([
    { indexes: [3], type: 'PETG', color: 'Red', preset_id: '' },
  ])
  expect(filamentsOf([white], { filament_type: 'pla' })).toMatchObject([{ type: 'pla', preset_id: 'GFA00' }])
})

test('of a file with several, the file says what each is', () => {
  const black = { ...white, index: 2, color: '#000000', grams: 2 }
  expect(filamentsOf([white, black])).toEqual([
    { indexes: [0], type: 'PLA', color: '#FFFFFF', preset_id: 'GFA00', tool: null, grams: 10 },
    { indexes: [2], type: 'PLA', color: '#000000', preset_id: 'GFA00', tool: null, grams: 2 },
  ])
})

test('a filament that the file names twice is one, with the amounts of both', () => {
  const again = { ...white, index: 1, color: '#ffffff', grams: 2 }
  const black = { ...white, index: 2, color: '#000000', grams: null }
  expect(filamentsOf([white, again, black])).toMatchObject([
    { indexes: [0, 1], grams: 12 },
    { indexes: [2], grams: null },
  ])
  expect(filamentsOf([white, again])).toMatchObject([{ indexes: [0, 1], type: 'PETG', grams: 12.35 }])
})

test('size and height are those of the plate', () => {
  expect(plateNeedOf(row)).toMatchObject({ width_mm: 30, depth_mm: 20, height_mm: 10 })
})

import { expect, test } from 'vitest'
import type { PrintFile } from '../../lib/api/api-schema.generated.ts'
import { shortFacts, slicerFacts } from './slicer-facts.ts'

const file: PrintFile = {
  id: 'fil_1',
  name: 'clip.gcode',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  curr_bed_type: null,
  default_print_profile: null,
  filament_length_meters: 4.256,
  filament_type: 'PETG',
  filament_weight_grams: 12.6,
  file_size_bytes: 1_240_000,
  has_thumbnail: false,
  is_sliced: true,
  warnings: [],
  layer_count: 1204,
  nozzle_diameter: 0.4,
  number_of_units: 4,
  object_count: null,
  print_time_seconds: 8040,
  printer_model_id: null,
  product_id: null,
  tags: [],
  folder: '',
}

test('what the slicer said is told with units, and what it did not say is left out', () => {
  expect(shortFacts(file)).toBe('2h 14 min · 13 g · PETG · 0.4 mm · 4 units')
  expect(Object.fromEntries(slicerFacts(file))).toMatchObject({
    'Filament length': '4.3 m',
    Layers: '1,204',
    'Printer model': null,
    Size: '1.2 MB',
  })
})

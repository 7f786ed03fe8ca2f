import { expect, test } from 'vitest'
import type { PrinterModel } from '../../../lib/api/api-schema.generated.ts'
import { limitsOf } from './heater-limits.ts'

const model: PrinterModel = {
  name: 'Prusa MK4S',
  manufacturer: 'Prusa Research',
  other_names: ['MK4SIS'],
  build_volume: null,
  can_eject: true,
  connection_types: ['prusalink'],
  default_nozzle_size: 0.4,
  filament_changer: null,
  is_enclosed: false,
  max_bed_temp: 120,
  max_chamber_temp: null,
  max_nozzle_temp: 290,
  tool_count: 1,
}

test.each(['Prusa MK4S', 'MK4S', 'mk4s', 'MK4SIS'])('%s is found in the catalogue', (text) => {
  expect(limitsOf([model], text)).toEqual({ nozzle: 290, bed: 120, chamber: null })
})

test.each(['Bambu Lab P1S', 'P1S', 'bambulab p1s', 'C12'])('%s is found, though its maker has two words', (text) => {
  const bambu = {
    ...model,
    name: 'Bambu Lab P1S',
    manufacturer: 'Bambu Lab',
    other_names: ['C12'],
    max_nozzle_temp: 301,
  }
  expect(limitsOf([model, bambu], text).nozzle).toBe(301)
})

test('a model of its own gets the limits of unknown ones', () => {
  expect(limitsOf([model], 'Shed-built')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
})

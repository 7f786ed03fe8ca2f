import { expect, test } from 'vitest'
import { asksOf } from './job-asks.tsx'

const job = {
  status: 'queued' as const,
  number_of_units: 4,
  plates_total: 2,
  plates_done: 0,
  filament_type: 'PETG',
  color: 'Red',
  any_color: true,
  printer_name: null,
  is_assigned: false,
  estimated_print_time_minutes: 95,
  product_name: null,
  file_name: 'clip.gcode',
}

test('a job tells units, plates, material, printer and time', () => {
  expect(asksOf(job)).toEqual(['4 units', '2 plates', 'PETG Red or any colour', 'any printer', '1h 35 min'])
})

test('a colour that was given as a value is told by its name', () => {
  expect(asksOf({ ...job, color: '#1F6FEB' })).toContain('PETG Blue or any colour')
})

test('who is to print it is told apart from who prints it, and what was done counts', () => {
  const assigned = { ...job, printer_name: 'Bench 1', is_assigned: true, color: '', filament_type: '' }
  expect(asksOf(assigned)).toEqual(['4 units', '2 plates', 'for Bench 1', '1h 35 min'])
  const printing = { ...assigned, status: 'printing' as const, plates_done: 1, product_name: 'Clip' }
  expect(asksOf(printing)).toEqual(['4 units', '1 of 2 plates', 'on Bench 1', '1h 35 min', 'clip.gcode'])
})

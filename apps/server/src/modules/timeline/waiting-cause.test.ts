import { expect, test } from 'vitest'
import { makeWaitingCause, type QueueDemand, type WaitingPrinter } from './waiting-cause.ts'

const printer: WaitingPrinter = {
  id: 'prn_1',
  model: 'MK4S',
  nozzle_size: 0.4,
  current_filament_type: 'PETG',
  current_color: 'Black',
  current_color_hex: '#000000',
}
const fits: QueueDemand = {
  printer_id: null,
  printer_model: 'Prusa MK4S',
  nozzle_diameter: 0.4,
  filament_type: 'petg',
  color: 'black',
}
const cause = (demand: Partial<QueueDemand>[], other: Partial<WaitingPrinter> = {}) =>
  makeWaitingCause(demand.map((wanted) => ({ ...fits, ...wanted })))({ ...printer, ...other })

test('an empty queue has no matching job', () => {
  expect(cause([])).toBe('no_matching_job')
})

test('a job that fits and was not started is said so', () => {
  expect(cause([{}])).toBe('not_started')
})

test('jobs for another model, nozzle or printer do not match', () => {
  expect(cause([{ printer_model: 'P1S' }, { nozzle_diameter: 0.6 }, { printer_id: 'prn_2' }])).toBe('no_matching_job')
})

test('a job that fits but for its filament type or colour waits for filament', () => {
  expect(cause([{ filament_type: 'PLA' }])).toBe('filament')
  expect(cause([{ color: 'Red' }])).toBe('filament')
  expect(cause([{ filament_type: 'PLA' }, { color: 'Red' }])).toBe('filament')
})

test('one job that fits altogether outweighs those that lack filament', () => {
  expect(cause([{ filament_type: 'PLA' }, {}])).toBe('not_started')
})

test('a colour is known by its name or by its hex code', () => {
  expect(cause([{ color: '#000000' }])).toBe('not_started')
})

test('what a job leaves open, any printer has; what a printer does not say is loaded, it has not', () => {
  const open = { printer_model: null, nozzle_diameter: null, filament_type: '', color: '' }
  const empty = { nozzle_size: null, current_filament_type: '', current_color: '', current_color_hex: '' }
  expect(cause([open], empty)).toBe('not_started')
  expect(cause([{}], empty)).toBe('filament')
})

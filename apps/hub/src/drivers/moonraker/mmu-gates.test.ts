import { expect, test } from 'vitest'
import { gatesOf } from './mmu-gates.ts'

test('the gates of a changer are slots, and the chosen one is active', () => {
  const mmu = {
    gate: 1,
    gate_status: [2, 1, 0, -1],
    gate_material: ['PLA', 'PETG', 'ABS', ''],
    gate_color: ['ff0000', '#1a2b3cff', 'blue', 'red'],
  }
  expect(gatesOf(mmu)).toEqual([
    {
      slot: 0,
      name: 'gate 0',
      filament_type: 'PLA',
      filament_color_hex: '#FF0000',
      remaining_percent: null,
      is_empty: false,
      is_active: false,
    },
    expect.objectContaining({ slot: 1, filament_type: 'PETG', filament_color_hex: '#1A2B3C', is_active: true }),
    expect.objectContaining({ slot: 2, filament_type: null, filament_color_hex: null, is_empty: true }),
    expect.objectContaining({ slot: 3, filament_type: null, filament_color_hex: null, is_empty: false }),
  ])
})

test.each([undefined, null, 5, {}, { gate_status: 'x' }, { gate_status: [] }])('%o is no changer', (mmu) => {
  expect(gatesOf(mmu)).toBeNull()
})

test('a changer that says nonsense has gates of which nothing is known', () => {
  const [gate] = gatesOf({ gate: 'x', gate_status: ['full'], gate_material: 5, gate_color: [[1, 2]] }) ?? []
  expect(gate).toMatchObject({ filament_type: null, filament_color_hex: null, is_empty: false, is_active: false })
})

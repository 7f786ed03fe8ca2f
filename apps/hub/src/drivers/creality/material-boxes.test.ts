import { expect, test } from 'vitest'
import { filamentSlots } from './material-boxes.ts'

const boxes = {
  materialBoxs: [
    { id: 0, type: 1, materials: [{ id: 0, type: 'ABS', color: '#0000000', selected: 0 }] },
    {
      id: 2,
      type: 0,
      materials: [
        { id: 0, type: 'PLA', color: '#0ba552a', selected: 1, percent: '60' },
        { id: 3, type: '', color: '', selected: 0, percent: 0 },
      ],
    },
  ],
}

test('the places of all boxes are slots, numbered on from box to box, and the holder is the last', () => {
  expect(filamentSlots(boxes)).toEqual([
    expect.objectContaining({ slot: 254, name: 'external', filament_type: 'ABS', remaining_percent: null }),
    {
      slot: 4,
      name: '2A',
      is_external: false,
      filament_type: 'PLA',
      filament_color_hex: '#BA552A',
      remaining_percent: 60,
      is_empty: false,
      is_active: true,
    },
    expect.objectContaining({ slot: 7, name: '2D', filament_type: null, is_empty: true, remaining_percent: null }),
  ])
})

test('a printer without boxes tells of no slots', () => {
  expect(filamentSlots(undefined)).toBeNull()
})

import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { expect, test } from 'vitest'
import { drawnSlots, otherSlot } from './drawn-slots.ts'

const slot = (number: number, is_active = false): FilamentSlot => ({
  slot: number,
  name: `slot ${number}`,
  filament_type: 'PLA',
  filament_color_hex: null,
  remaining_percent: null,
  is_empty: false,
  is_active,
})
const printing = { status: 'printing' as const, layer_num: 3, slots: [slot(0), slot(1, true), slot(254)] }
const map = [{ filament: 0, slot: 254 }]

test('a slot that the printer was not told is seen from the first layer on', () => {
  expect(otherSlot(printing, map)).toBe(1)
  expect(otherSlot({ ...printing, layer_num: 0 }, map)).toBeUndefined()
  expect(otherSlot({ ...printing, layer_num: null }, map)).toBeUndefined()
  expect(otherSlot({ ...printing, status: 'paused' }, map)).toBeUndefined()
})

test('one that it was told, or no word of slots, is as it should be', () => {
  expect(otherSlot(printing, [...map, { filament: 2, slot: 1 }])).toBeUndefined()
  expect(otherSlot({ ...printing, slots: null }, map)).toBeUndefined()
  expect(otherSlot({ ...printing, slots: [slot(0)] }, map)).toBeUndefined()
  expect(drawnSlots(printing)).toEqual([1])
})

test('a printer that was told nothing may draw from where it will', () => {
  expect(otherSlot(printing, null)).toBeUndefined()
})

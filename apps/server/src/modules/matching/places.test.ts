import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { expect, test } from 'vitest'
import { type EnteredFilament, readPlaces } from './places.ts'

const entered: EnteredFilament = {
  current_filament_type: 'PLA',
  current_color: 'Orange',
  current_color_hex: '#F26B21',
  loaded_filament_grams: 900,
  spools: [],
}
const spool = { slot: 0, type: 'PETG', color: 'Blue', hex_code: '#0000FF', remaining: 2_800, reserved: 0 }
const slot = (number: number, change: Partial<FilamentSlot> = {}): FilamentSlot => ({
  slot: number,
  name: `AMS 1 slot ${number + 1}`,
  filament_type: 'PLA',
  filament_color_hex: '#FFFFFF',
  remaining_percent: null,
  is_empty: false,
  is_active: false,
  ...change,
})
const reports = (slots: FilamentSlot[] | null, filament_type: string | null = null, hex: string | null = null) => ({
  slots,
  filament_type,
  filament_color_hex: hex,
})

test('a printer that reports nothing has what was entered, and one place', () => {
  for (const state of [undefined, reports(null), reports([])]) {
    expect(readPlaces(entered, state, true)).toMatchObject({
      feeding: 'single',
      places: [{ slot: null, type: 'PLA', color: 'Orange', color_hex: '#F26B21', grams: 900 }],
    })
  }
})

test('the ledger of the loaded spool says what is left, not what was typed in', () => {
  const { places } = readPlaces({ ...entered, spools: [spool] }, undefined, true)
  expect(places).toMatchObject([{ grams: 2.8 }])
})

test('what a printer reports goes before what was entered, and the name of a colour does not stand for another', () => {
  expect(readPlaces(entered, reports(null, 'PETG', '#f26b21'), true).places).toMatchObject([
    { type: 'PETG', color: 'Orange', color_hex: '#F26B21' },
  ])
  expect(readPlaces(entered, reports(null, null, '#00FF00'), true).places).toMatchObject([
    { type: 'PLA', color: '', color_hex: '#00FF00' },
  ])
})

test('each slot is a place, with the spool that was loaded there', () => {
  const slots = [slot(0, { filament_type: null, filament_color_hex: null }), slot(1, { preset_id: 'GFA00' })]
  expect(readPlaces({ ...entered, spools: [spool] }, reports(slots), true)).toMatchObject({
    feeding: 'told',
    places: [
      { slot: 0, name: 'AMS 1 slot 1', type: 'PETG', color: 'Blue', color_hex: '#0000FF', grams: 2.8 },
      { slot: 1, type: 'PLA', color: '', color_hex: '#FFFFFF', preset_id: 'GFA00', grams: null },
    ],
  })
})

test('an only slot has what was entered for the printer, whatever its number', () => {
  const slots = [slot(254, { name: 'external', filament_type: null, filament_color_hex: null })]
  expect(readPlaces({ ...entered, spools: [spool] }, reports(slots), true)).toMatchObject({
    feeding: 'told',
    places: [{ slot: 254, name: 'external', type: 'PLA', color: 'Orange', grams: 2.8 }],
  })
})

test('behind a hub that cannot pass a slot on, a printer is one place: what it draws from now', () => {
  expect(readPlaces(entered, reports([slot(0), slot(1)], 'PETG', '#0000FF'), false)).toMatchObject({
    feeding: 'single',
    places: [{ slot: null, type: 'PETG', color: '', color_hex: '#0000FF' }],
  })
})

test('a printer that tells of no slots, with several spools, feeds each tool from its own', () => {
  const spools = [{ ...spool, slot: 1 }, spool]
  expect(readPlaces({ ...entered, spools }, reports(null), true)).toMatchObject({
    feeding: 'fixed',
    places: [
      { slot: 1, is_active: true },
      { slot: 0, is_active: false },
    ],
  })
})

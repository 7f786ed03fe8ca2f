import { describe, expect, test } from 'vitest'
import { sampleFile } from '../../test/conformance/driver-rig.ts'
import { gateMapScript, gatesOf, requireGateMap } from './mmu-gates.ts'

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
      is_external: false,
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

describe('the map of tools to gates', () => {
  const mmu = { gate_status: [1, 1, 0, 1], gate_material: [], gate_color: [], ttg_map: [3, 3, 3, 3] }
  const command = (...slots: (number | null)[]) => ({
    ...sampleFile,
    filament_map: slots.map((slot, filament) => ({ filament, slot })),
  })

  test('is that of the command, and stays as it is for tools that the print does not use', () => {
    expect(gateMapScript(command(1, 0), mmu)).toBe('MMU_TTG_MAP MAP="1,0,3,3" QUIET=1')
    expect(gateMapScript(command(1), { ...mmu, ttg_map: undefined })).toBe('MMU_TTG_MAP MAP="1,1,2,3" QUIET=1')
  })

  test.each([
    ['an empty gate', command(2), mmu],
    ['a gate that is not there', command(9), mmu],
    ['a filament without a gate', command(null), mmu],
    ['a tool that the changer does not have', command(0, 0, 0, 0, 0), mmu],
    ['a printer without a changer', command(0), undefined],
  ])('is refused with %s', (_, print, changer) => {
    expect(() => gateMapScript(print, changer)).toThrow(expect.objectContaining({ code: 'NOT_MAPPED' }))
  })

  test('counts once the changer shows it', () => {
    expect(() => requireGateMap(command(1, 0), [1, 0, 3, 3])).not.toThrow()
    for (const shown of [[1, 3, 3, 3], [1], undefined, 'x', [null, 0]]) {
      expect(() => requireGateMap(command(1, 0), shown)).toThrow(expect.objectContaining({ code: 'NOT_MAPPED' }))
    }
  })
})

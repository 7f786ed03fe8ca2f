import { expect, test } from 'vitest'
import { readSpool } from './read-spool.ts'

const filament = {
  id: 4,
  name: 'Galaxy Black',
  vendor: { id: 2, name: 'Prusament' },
  material: 'PLA',
  diameter: 1.75,
  density: 1.24,
  weight: 1000,
  color_hex: '3D3E3Dff',
}

test('a spool is read with its filament and its vendor', () => {
  const spool = { id: 7, filament, used_weight: 120.25, remaining_weight: 879.75, location: 'Shelf A', archived: false }
  expect(readSpool(spool)).toEqual({
    id: 7,
    isArchived: false,
    remaining: 879_750,
    used: 120_250,
    full: 1_000_000,
    filament: {
      ...{ type: 'PLA', color: 'Galaxy Black', hex_code: '#3D3E3D', brand: 'Prusament', diameter: 1.75 },
      ...{ location: 'Shelf A', spool_weight_grams: 1000 },
    },
  })
})

test('what Spoolman leaves out is not made up, and texts are cut to what fits', () => {
  const bare = { id: 1, filament: { id: 1, density: 1.2, diameter: 1.75, multi_color_hexes: 'ff0000,00ff00' } }
  expect(readSpool(bare)).toMatchObject({
    ...{ remaining: null, used: 0, full: null },
    filament: { hex_code: '#FF0000' },
  })
  const long = { id: 1, filament: { ...filament, name: '🧵'.repeat(60), color_hex: 'red', diameter: 900 } }
  const read = readSpool(long)
  expect(read?.filament.color).toBe('🧵'.repeat(50))
  expect(read?.filament).not.toHaveProperty('hex_code')
  expect(read?.filament).not.toHaveProperty('diameter')
})

test.each([null, [], 'spool', { id: '1', filament }, { id: 1 }, { id: 0, filament }, { id: 2 ** 31, filament }])(
  '%j is no spool',
  (value) => {
    expect(readSpool(value)).toBeUndefined()
  },
)

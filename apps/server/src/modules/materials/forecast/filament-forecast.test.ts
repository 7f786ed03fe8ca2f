import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { farmFacts } from '../../../test/farm/printer-facts.ts'
import { type FilamentWanted, forecastFilament, type SpoolOnHand } from './filament-forecast.ts'

const wish = (change: Partial<FilamentWanted> = {}): FilamentWanted => ({
  type: 'PLA',
  color: 'Black',
  any_color: false,
  plates: 1,
  plate_milligrams: 100_000,
  ...change,
})
const spool = (change: Partial<SpoolOnHand> = {}): SpoolOnHand => ({
  type: 'PLA',
  color: 'Black',
  color_hex: '#000000',
  remaining: 1_000_000,
  usable: 1_000_000,
  daily_use: 0,
  ...change,
})
const white = { color: 'White', color_hex: '#FFFFFF' }
const figures = (wanted: FilamentWanted[], spools: SpoolOnHand[]) =>
  forecastFilament(wanted, spools, farmFacts()).map(({ type, color, needed, on_hand, to_buy }) => [
    type,
    color,
    needed / 1_000,
    on_hand / 1_000,
    to_buy / 1_000,
  ])

describe('what is needed of filament', () => {
  test('is summed over plates of one material and colour, in whatever case or by its value', () => {
    const wanted = [
      wish({ plates: 3 }),
      wish({ type: 'pla', color: 'black ' }),
      wish({ color: 'White', plates: 2, plate_milligrams: 600_000 }),
    ]
    expect(figures(wanted, [spool(), spool(white)])).toEqual([
      ['PLA', 'White', 1_200, 1_000, 200],
      ['PLA', 'Black', 400, 1_000, 0],
    ])
    expect(figures([wish({ color: '#000000' }), wish({ color: '#101010' })], [spool()])).toEqual([
      ['PLA', '#000000', 200, 1_000, 0],
    ])
  })

  test('in any colour takes what the plates that insist on one leave, a material before what takes any', () => {
    const wanted = [
      wish({ any_color: true, color: 'Red', plates: 12 }),
      wish({ plates: 9 }),
      wish({ type: '', color: '', plates: 11 }),
    ]
    expect(figures(wanted, [spool(), spool(white), spool({ type: 'PETG' })])).toEqual([
      ['PLA', '', 1_200, 1_100, 100],
      ['', '', 1_100, 1_000, 100],
      ['PLA', 'Black', 900, 1_000, 0],
      ['PETG', 'Black', 0, 1_000, 0],
      ['PLA', 'White', 0, 1_000, 0],
    ])
  })

  test('is not guessed of plates without a weight: they are counted', () => {
    const [row] = forecastFilament([wish({ plates: 4, plate_milligrams: null }), wish()], [], farmFacts())
    expect(row).toMatchObject({ plates: 5, plates_without_weight: 4, needed: 100_000, to_buy: 100_000 })
  })

  test('is met only by what is not kept back', () => {
    const [row] = forecastFilament([wish()], [spool({ remaining: 104_000, usable: 99_000 })], farmFacts())
    expect(row).toMatchObject({ on_hand: 104_000, usable: 99_000, to_buy: 1_000 })
  })
})

describe('for any plates and spools', () => {
  const types = fc.constantFrom('PLA', 'PETG', '')
  const colors = fc.constantFrom('Black', 'White', '')
  const wishes = fc.array(
    fc.record({
      type: types,
      color: colors,
      any_color: fc.boolean(),
      plates: fc.integer({ min: 1, max: 50 }),
      plate_milligrams: fc.option(fc.integer({ min: 1, max: 500_000 })),
    }),
    { maxLength: 20 },
  )
  const spools = fc.array(
    fc
      .record({ type: fc.constantFrom('PLA', 'PETG'), color: colors, usable: fc.nat({ max: 1_000_000 }) })
      .map((each) => spool({ ...each, color_hex: '', remaining: each.usable })),
    { maxLength: 20 },
  )
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

  test('every plate is counted once, every spool once, and nothing is bought that is there', () => {
    fc.assert(
      fc.property(wishes, spools, (wanted, there) => {
        const rows = forecastFilament(wanted, there, farmFacts())
        const ofColors = rows.filter(({ any_color }) => !any_color)
        expect(sum(rows.map(({ plates }) => plates))).toBe(sum(wanted.map(({ plates }) => plates)))
        expect(sum(rows.map(({ needed }) => needed))).toBe(
          sum(wanted.map(({ plates, plate_milligrams }) => plates * (plate_milligrams ?? 0))),
        )
        expect(sum(ofColors.map(({ on_hand }) => on_hand))).toBe(sum(there.map(({ remaining }) => remaining)))
        const [needed, usable] = [sum(rows.map((row) => row.needed)), sum(there.map((each) => each.usable))]
        const bought = sum(rows.map(({ to_buy }) => to_buy))
        expect(bought).toBeGreaterThanOrEqual(Math.max(0, needed - usable))
        expect(bought).toBeLessThanOrEqual(needed)
      }),
    )
  })

  test('another spool never makes more to buy', () => {
    fc.assert(
      fc.property(wishes, spools, spools, (wanted, there, more) => {
        const toBuy = (all: SpoolOnHand[]) => sum(forecastFilament(wanted, all, farmFacts()).map((row) => row.to_buy))
        expect(toBuy([...there, ...more])).toBeLessThanOrEqual(toBuy(there))
      }),
    )
  })
})

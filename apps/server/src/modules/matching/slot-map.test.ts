import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { farmFacts, filamentNeed, filamentPlace, jobFacts, printerFacts } from '../../test/farm/printer-facts.ts'
import type { Equipment, FilamentNeed, FilamentPlace, PlateNeed } from './farm-facts.ts'
import { fitsKind } from './judge.ts'
import { filamentMapFor, takesMap } from './slot-map.ts'

const farm = farmFacts()
const printerWith = (places: Partial<FilamentPlace>[], feeding: Equipment['feeding'] = 'told') =>
  printerFacts({ feeding, places: places.map((place, slot) => filamentPlace({ slot, is_active: false, ...place })) })
const plateOf = (needs: Partial<FilamentNeed>[], any_color = false): PlateNeed =>
  jobFacts({
    any_color,
    filaments: needs.map((need, index) => filamentNeed({ indexes: [index], type: 'PLA', ...need })),
  })
const slotsFor = (places: Partial<FilamentPlace>[], needs: Partial<FilamentNeed>[], any_color = false) =>
  filamentMapFor(printerWith(places), plateOf(needs, any_color), farm)?.map(({ slot }) => slot)

const hex = (color_hex: string) => ({ color: '', color_hex })

describe('the slots of a plate', () => {
  test('are those of the nearest colours, all together', () => {
    // One by one the first filament would take slot 0, and leave the second without.
    const places = [hex('#101010'), hex('#000000')]
    expect(slotsFor(places, [{ color: '#080808' }, { color: '#101010' }])).toEqual([1, 0])
  })

  test('are looked for among colours that are the same to the eye, unless any will do', () => {
    const places = [hex('#FF0000'), hex('#00FF00')]
    expect(slotsFor(places, [{ color: '#00A000' }])).toBeUndefined()
    expect(slotsFor(places, [{ color: '#00A000' }], true)).toEqual([1])
  })

  test('are of the same preset before the same colour, where both are known', () => {
    const places = [
      { ...hex('#FFFFFF'), preset_id: 'GFA01' },
      { ...hex('#FAFAFA'), preset_id: 'GFA00' },
    ]
    expect(slotsFor(places, [{ color: '#FFFFFF', preset_id: 'GFA00' }])).toEqual([1])
  })

  test('feed the tool that the G-code is written for, also when a person says to print', () => {
    const places = [{ tool: 0 }, { tool: 1 }]
    expect(slotsFor(places, [{ tool: 1 }, { tool: 0 }])).toEqual([1, 0])
    expect(slotsFor([{ tool: 0 }], [{ tool: 1 }])).toBeUndefined()
    const atOtherTool = printerWith([{ tool: 0 }])
    expect(filamentMapFor(atOtherTool, plateOf([{ tool: 1 }]), farm, { takesNearest: true })).toBeUndefined()
    // Neither a place nor a file that says nothing of tools is held to one.
    expect(slotsFor([{}], [{ tool: 1 }])).toEqual([0])
    expect(slotsFor([{ tool: 1 }], [{}])).toEqual([0])
  })

  test('have enough left of the filament, and are not empty', () => {
    expect(slotsFor([{ grams: 2 }, { grams: 200 }], [{ grams: 7.2 }])).toEqual([1])
    expect(slotsFor([{ is_empty: true }, {}], [{}])).toEqual([1])
    expect(slotsFor([{ grams: 2 }], [{ grams: 7.2 }])).toBeUndefined()
  })

  test('of equals are the one in use', () => {
    expect(slotsFor([{}, { is_active: true }], [{}])).toEqual([1])
  })

  test('an external spool is a slot like any other; what is not found is no map at all', () => {
    const places = [
      { slot: 0, type: 'PETG' },
      { slot: 254, name: 'external' },
    ]
    expect(slotsFor(places, [{}])).toEqual([254])
    expect(slotsFor(places, [{ type: 'ABS' }])).toBeUndefined()
  })

  test('a filament that the file names twice comes from one slot', () => {
    const map = filamentMapFor(printerWith([{}, {}]), plateOf([{ indexes: [3, 1] }]), farm)
    expect(map).toEqual([
      { filament: 1, slot: 0 },
      { filament: 3, slot: 0 },
    ])
  })

  test('printers that choose nothing are told nothing', () => {
    expect(filamentMapFor(printerWith([{}], 'single'), plateOf([{}]), farm)).toBeUndefined()
    expect(filamentMapFor(printerWith([{}, {}], 'fixed'), plateOf([{}, {}]), farm)).toBeUndefined()
  })

  test('a person who says so gets the nearest, and never an empty slot', () => {
    const plate = plateOf([{ color: '#000000' }, { type: 'ABS' }])
    const take = (places: Partial<FilamentPlace>[]) =>
      filamentMapFor(printerWith(places), plate, farm, { takesNearest: true })?.map(({ slot }) => slot)
    expect(take([{ type: 'PETG' }, hex('#0000FF')])).toEqual([1, 0])
    expect(take([{ type: 'PETG' }, { is_empty: true }])).toBeUndefined()
  })
})

const oneOf = fc.constantFrom
const places = fc.array(
  fc.record({
    type: oneOf('PLA', 'PETG', ''),
    color: oneOf('Black', ''),
    color_hex: oneOf('', '#000000', '#FFFFFF', '#FF0000'),
    grams: oneOf(null, 5, 50),
    is_empty: oneOf(false, false, true),
  }),
  { minLength: 1, maxLength: 6 },
)
const needs = fc.array(
  fc.record({
    type: oneOf('PLA', 'PETG', ''),
    color: oneOf('Black', '#FFFFFF', '#FF0000', ''),
    grams: oneOf(null, 10),
  }),
  { minLength: 1, maxLength: 5 },
)

test('whatever is loaded: a plate that fits has a map of all its filaments, to slots that hold them, each used once', () => {
  fc.assert(
    fc.property(places, needs, fc.boolean(), (places, needs, any_color) => {
      const [printer, plate] = [printerWith(places), plateOf(needs, any_color)]
      const map = filamentMapFor(printer, plate, farm)
      if (!fitsKind(printer, plate, farm)) return
      expect(map?.map(({ filament }) => filament)).toEqual(needs.map((_, index) => index))
      expect(new Set(map?.map(({ slot }) => slot)).size).toBe(needs.length)
      for (const { filament, slot } of map ?? []) {
        const [need, place] = [plate.filaments[filament], printer.places.find((each) => each.slot === slot)]
        expect(place?.is_empty).toBe(false)
        if (need?.type) expect(place?.type).toBe(need.type)
        if (need?.grams && place?.grams != null) expect(place.grams).toBeGreaterThanOrEqual(need.grams)
      }
    }),
  )
})

test.each([
  ['bambu', 'gcode-3mf', true],
  ['bambu', 'gcode', false],
  ['elegoo', 'gcode', true],
] as const)('a %s printer that is sent a %s is told its slots: %s', (connectionType, format, isTold) => {
  expect(takesMap(connectionType, format)).toBe(isTold)
})

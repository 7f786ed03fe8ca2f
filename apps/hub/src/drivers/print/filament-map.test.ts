import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chosenPlaces, onlyPlace, refuseFilamentMap, type SpoolPlace, type UsedFilament } from './filament-map.ts'

const first: SpoolPlace = { number: 0, name: '1A', isEmpty: false }
const second: SpoolPlace = { number: 1, name: '1B', isEmpty: false }
const empty: SpoolPlace = { number: 2, name: '1C', isEmpty: true }
const external: SpoolPlace = { number: 254, name: 'external', isEmpty: false }
const places = [first, second, empty, external]
const used = (...indexes: number[]): UsedFilament[] => indexes.map((index) => ({ index, type: 'PLA', colorHex: null }))

describe('a map in the command', () => {
  test('gives each filament exactly its place, the external spool among them', () => {
    const filament_map = [
      { filament: 0, slot: 254 },
      { filament: 3, slot: 1 },
    ]
    expect(chosenPlaces({ filament_map, filaments: used(0, 3) }, places)).toEqual([
      { filament: 0, place: external },
      { filament: 3, place: second },
    ])
    expect(chosenPlaces({ filament_map }, places)).toHaveLength(2)
  })

  test.each([
    ['no slot is chosen for filament 1', [{ filament: 0, slot: null }], used(0)],
    ['no slot is chosen for filament 2 of the file', [{ filament: 0, slot: 0 }], used(0, 1)],
    ['the printer has no slot 9, which filament 1 needs', [{ filament: 0, slot: 9 }], null],
    ['slot 1C, which filament 1 needs, is empty', [{ filament: 0, slot: 2 }], null],
    [
      'the command names two slots for one filament',
      [
        { filament: 0, slot: 0 },
        { filament: 0, slot: 1 },
      ],
      null,
    ],
  ])('is refused: %s', (message, filament_map, filaments) => {
    const place = () => chosenPlaces({ filament_map, filaments }, places)
    expect(place).toThrow(expect.objectContaining({ code: 'NOT_MAPPED', message }))
  })

  test('never leaves a filament of the file without a place that is there and full', () => {
    const slot = fc.option(fc.constantFrom(0, 1, 2, 3, 254, 255))
    const anyMap = fc.array(fc.record({ filament: fc.nat(3), slot }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(anyMap, fc.subarray([0, 1, 2, 3]), (filament_map, indexes) => {
        let placed: ReturnType<typeof chosenPlaces>
        try {
          placed = chosenPlaces({ filament_map, filaments: used(...indexes) }, places)
        } catch {
          return
        }
        expect(placed?.map(({ filament }) => filament)).toEqual(expect.arrayContaining(indexes))
        expect(placed?.every(({ place }) => !place.isEmpty && places.includes(place))).toBe(true)
        expect(placed?.map(({ filament, place }) => ({ filament, slot: place.number }))).toEqual(filament_map)
      }),
    )
  })
})

describe('without a map', () => {
  test('one filament and one spool leave nothing to choose', () => {
    expect(chosenPlaces({ filament_map: null }, places)).toBeUndefined()
    expect(onlyPlace({ filaments: used(2) }, [empty, second])).toEqual([{ filament: 2, place: second }])
  })

  test.each([
    ['the command does not say from which slot to print: 1A, 1B', used(0), [first, second]],
    ['the file uses 2 filaments, and no slots are chosen for them', used(0, 1), [first]],
    ['it is not known which filaments the file uses', null, [first]],
    ['the printer has no spool in any of its slots', used(0), [empty]],
  ])('is refused: %s', (message, filaments, there) => {
    expect(() => onlyPlace({ filaments }, there)).toThrow(expect.objectContaining({ code: 'NOT_MAPPED', message }))
  })

  test('a printer that cannot be told any takes a command without a map', () => {
    expect(() => refuseFilamentMap({})).not.toThrow()
    expect(() => refuseFilamentMap({ filament_map: [{ filament: 0, slot: 0 }] })).toThrow('cannot be told')
  })
})

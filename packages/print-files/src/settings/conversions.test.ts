import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unknownFacts, unknownFilament } from '../print-file.ts'
import { normalizeColor } from './colors.ts'
import { parseDuration } from './durations.ts'
import { completeAmounts, usualDensity } from './filament-weight.ts'
import { itemAt, splitNumbers, splitTexts } from './lists.ts'

describe('durations', () => {
  test.each([
    ['1d 2h 3m 4s', 93_784],
    ['2h3m', 7_380],
    ['48m 30s', 2_910],
    ['1 hour 25 minutes', 5_100],
    ['931', 931],
    ['0.4', 1],
  ])('%s is %d seconds', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  test.each(['', '0', '0s', 'soon', '5 parrots', '-3m', '12:30', '9'.repeat(5_000)])('%s is not known', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  test('what is written out is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 * 86_400 }), (seconds) => {
        const parts = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60]
        expect(parseDuration(`${parts[0]}d ${parts[1]}h ${parts[2]}m ${seconds % 60}s`)).toBe(seconds)
      }),
    )
  })
})

describe('colours', () => {
  test.each([
    ['#abc', '#AABBCC'],
    ['#ff8000', '#FF8000'],
    ['FF8000FF', '#FF8000'],
    ['"#1a1A1a"', '#1A1A1A'],
  ])('%s is %s', (text, color) => {
    expect(normalizeColor(text)).toBe(color)
  })

  test.each(['', '""', 'red', '#12345', '#GGGGGG', null, undefined])('%s is not known', (text) => {
    expect(normalizeColor(text)).toBeNull()
  })
})

describe('lists', () => {
  test('quoted texts may hold the separator and escapes', () => {
    expect(splitTexts('"Generic; PLA";PETG;"a \\"b\\" \\\\ c\\nd"')).toEqual(['Generic; PLA', 'PETG', 'a "b" \\ c\nd'])
  })

  test('empty texts keep the place of their extruder', () => {
    expect(splitTexts('"";PLA;')).toEqual(['', 'PLA', ''])
  })

  test('what is no number keeps its place', () => {
    expect(splitNumbers('0.4, nil,0x10, 1e2')).toEqual([0.4, Number.NaN, Number.NaN, 100])
  })

  test('a single item speaks for all places', () => {
    expect(itemAt(['PLA'], 3)).toBe('PLA')
    expect(itemAt(['PLA', 'PETG'], 3)).toBeUndefined()
  })
})

describe('weights', () => {
  test('a weight from a usual density is marked as estimated', () => {
    const facts = { ...unknownFacts(), filaments: [{ ...unknownFilament(0), type: 'PETG', lengthMm: 1000 }] }
    completeAmounts(facts, () => ({ diameterMm: 1.75 }))
    expect(facts.filaments[0]!.weightG).toBeCloseTo(3.05, 2)
    expect(facts.estimated).toEqual(['weightG', 'totalWeightG'])
  })

  test("a weight from the file's own density and diameter is not an estimate", () => {
    const facts = { ...unknownFacts(), filaments: [{ ...unknownFilament(0), lengthMm: 1000 }] }
    completeAmounts(facts, () => ({ diameterMm: 2.85, densityGPerCm3: 1.24 }))
    expect(facts.totalWeightG).toBeCloseTo(7.91, 2)
    expect(facts.estimated).toEqual([])
  })

  test('a filament of unknown material has no weight, and then the total has none either', () => {
    const known = { ...unknownFilament(0), type: 'PLA', lengthMm: 1000 }
    const facts = {
      ...unknownFacts(),
      filaments: [known, { ...unknownFilament(1), type: 'Unobtainium', lengthMm: 1000 }],
    }
    completeAmounts(facts, () => ({}))
    expect(facts.filaments[1]!.weightG).toBeNull()
    expect(facts.totalWeightG).toBeNull()
    expect(facts.totalLengthMm).toBe(2000)
  })

  test('a variety counts as its base material, and a name of the language is none', () => {
    expect(usualDensity('PLA-CF')).toBe(1.24)
    expect(usualDensity('pa12')).toBe(1.12)
    expect(usualDensity('constructor')).toBeUndefined()
  })
})

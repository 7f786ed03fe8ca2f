import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownModels, makers, sources } from './known-models.ts'
import { buildVolumeOf, catalogue, isSameModel, limitsOf } from './printer-models.ts'

describe('one model is recognised in its spellings', () => {
  test.each([
    ['Prusa MK4S', 'MK4S'],
    ['Original Prusa MK4S', 'mk4s'],
    ['Original Prusa i3 MK3S+', 'MK3S'],
    ['Prusa CORE One', 'COREONE'],
    ['Original Prusa MINI+', 'MINI'],
    ['MK4IS', 'Prusa MK4'],
    ['Bambu Lab P1S', 'P1S'],
    ['BambuLab P1S Combo', 'C12'],
    ['Bambu Lab X1 Carbon', 'X1C'],
    ['BL-P001', 'Bambu Lab X1C'],
    ['Bambu Lab A1 mini', 'N1'],
    ['Bambu Lab P1S 0.4 nozzle', 'P1S'],
    ['Creality Ender-3 V3', 'ender 3 v3'],
    ['Creality K2 Plus', 'F008'],
    ['Voron 2.4', 'V2.4'],
    ['Ratrig V-Core 4', 'ratrig v core 4'],
    ['Prusa', 'prusa'],
    ['Original Prusa i3 MK3S & MK3S+', 'MK3S'],
    ['Original Prusa MINI & MINI+', 'MINIIS'],
    ['Prusa CORE One & CORE One+', 'COREONE'],
    ['Original Prusa MK4S HF0.4 nozzle', 'MK4S'],
    ['Original Prusa XL - 5T', 'XL5IS'],
    ['Original Prusa MK4S MMU3', 'MK4SMMU3'],
    ['Creality Ender-3 V3 KE', 'Ender 3 V3 KE'],
    ['Creality K1 Max (0.4 nozzle)', 'k1max'],
    ['Elegoo Centauri Carbon 0.4 nozzle', 'CC1'],
    ['Bambu Lab H2D Pro 0.4 nozzle', 'O2D'],
    ['Voron 2.4 350', 'V2.4 350'],
    ['Qidi X-Plus 4 0.4 nozzle', 'Plus 4'],
    ['Sovol SV08', 'sv-08'],
  ])('%s is %s', (a, b) => {
    expect(isSameModel(a, b)).toBe(true)
    expect(isSameModel(b, a)).toBe(true)
  })
})

describe('different models stay different', () => {
  test.each([
    ['MK4S', 'MK4'],
    ['P1S', 'P1P'],
    ['X1', 'X1C'],
    ['A1', 'A1 mini'],
    ['Ender-3 V3', 'Ender-3 V3 Plus'],
    ['Ender-3 V3', 'Ender-3 V3 SE'],
    ['H2D', 'H2D Pro'],
    ['Voron 2.4', 'Voron 0.2'],
    ['QIDI K1', 'K1'],
    ['Anycubic X', 'Sovol X'],
    ['MK4S', 'MK4S MMU3'],
    ['XL', 'XL 5T'],
    ['CORE One', 'CORE One L'],
    ['Centauri Carbon', 'Centauri Carbon 2'],
    ['Voron 2.4 300', 'Voron 2.4 350'],
    ['Creality K2', 'K2 Plus'],
    ['', ''],
    ['---', ''],
  ])('%s is not %s', (a, b) => {
    expect(isSameModel(a, b)).toBe(false)
    expect(isSameModel(b, a)).toBe(false)
  })
})

test('a name that is a member of every object is a model like another', () => {
  expect(isSameModel('constructor x', 'constructor x')).toBe(true)
  expect(limitsOf('constructor')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
})

describe('heater limits', () => {
  test('are those of the model, however it is spelled', () => {
    expect(limitsOf('Bambu Lab A1 mini')).toEqual({ nozzle: 300, bed: 80, chamber: 65 })
    expect(limitsOf('ORIGINAL PRUSA MINI+')).toEqual({ nozzle: 290, bed: 100, chamber: 65 })
    expect(limitsOf('x1e')).toEqual({ nozzle: 320, bed: 110, chamber: 60 })
    expect(limitsOf('Prusa XL')).toEqual({ nozzle: 290, bed: 115, chamber: 65 })
  })
  test('of a known model without a figure are the cautious ones', () => {
    expect(limitsOf('Creality K1')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
    expect(limitsOf('Voron 2.4 350')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
  })
  test('of an unknown model are the cautious ones', () => {
    expect(limitsOf('Ratrig V-Core 4')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
    expect(limitsOf('Anycubic K2 Plus')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
  })
})

describe('the catalogue', () => {
  const spellings = knownModels.flatMap(({ maker, name, also = [] }) => [
    name,
    `${makers[maker]} ${name}`,
    ...also,
    ...also.map((other) => `${makers[maker]} ${other}`),
  ])
  const spelling = fc.constantFrom(...spellings)
  const written = fc
    .tuple(spelling, fc.constantFrom('lower', 'upper', 'same'), fc.constantFrom(' ', '-', '  ', '_'))
    .map(([name, letterCase, gap]) => {
      const spaced = name.replaceAll(/[\s-]+/g, gap)
      return letterCase === 'lower' ? spaced.toLowerCase() : letterCase === 'upper' ? spaced.toUpperCase() : spaced
    })

  test('names no two models alike', () => {
    for (const [index, { fullName }] of catalogue.entries()) {
      for (const other of catalogue.slice(index + 1)) {
        expect(isSameModel(fullName, other.fullName), `${fullName} and ${other.fullName}`).toBe(false)
      }
    }
    // By name alone too: no one writes the maker beside a name that only one maker has.
    const names = knownModels.flatMap(({ maker, name, also = [] }) => [name, ...also].map((text) => ({ maker, text })))
    for (const { maker, text } of names) {
      const mine = names.filter((other) => isSameModel(other.text, text))
      expect(new Set(mine.map((other) => other.maker)), text).toEqual(new Set([maker]))
    }
  })

  test('knows a model in every letter case and with every gap between words', () => {
    fc.assert(
      fc.property(spelling, written, (name, other) => {
        expect(isSameModel(name, other)).toBe(isSameModel(other, name))
        expect(isSameModel(other, other)).toBe(true)
        expect(limitsOf(other)).toEqual(limitsOf(other.toUpperCase()))
        expect(buildVolumeOf(other)).toEqual(buildVolumeOf(other.toLowerCase()))
      }),
    )
    for (const { maker, name, also = [] } of knownModels) {
      for (const text of [name, ...also]) {
        expect(isSameModel(`${makers[maker]} ${name}`, text.toLowerCase().replaceAll(' ', '-')), text).toBe(true)
      }
    }
  })

  test('leaves a name that no one knows to itself', () => {
    const unknown = fc.stringMatching(/^zz[a-z0-9]{3,12}$/)
    fc.assert(
      fc.property(unknown, unknown, spelling, (one, other, known) => {
        expect(isSameModel(one, known)).toBe(false)
        expect(isSameModel(one, other)).toBe(one === other)
        expect(isSameModel(`${one} 2`, `${one.toUpperCase()}-2`)).toBe(true)
      }),
    )
  })

  test('says of every figure where it was read', () => {
    for (const { name, volume, nozzle, bed, chamber, sizeFrom, heatersFrom } of knownModels) {
      if (volume) expect(sources, name).toHaveProperty(sizeFrom ?? 'nowhere')
      if (nozzle ?? bed ?? chamber) expect(sources, name).toHaveProperty(heatersFrom ?? 'nowhere')
    }
  })

  test('gives every size and limit within what such machines can be', () => {
    for (const { name, volume = [100, 100, 100], nozzle = 300, bed = 100, chamber = 50, tools = 1 } of knownModels) {
      for (const side of volume) expect(side, name).toBeGreaterThanOrEqual(100)
      for (const side of volume) expect(side, name).toBeLessThanOrEqual(500)
      expect(nozzle, name).toBeGreaterThanOrEqual(250)
      expect(nozzle, name).toBeLessThanOrEqual(370)
      expect(bed, name).toBeLessThanOrEqual(120)
      expect(chamber, name).toBeLessThanOrEqual(65)
      expect(tools, name).toBeLessThanOrEqual(5)
    }
  })
})

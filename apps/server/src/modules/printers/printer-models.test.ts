import { describe, expect, test } from 'vitest'
import { isSameModel, limitsOf } from './printer-models.ts'

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
    expect(limitsOf('ORIGINAL PRUSA MINI+')).toEqual({ nozzle: 280, bed: 100, chamber: 65 })
    expect(limitsOf('x1e')).toEqual({ nozzle: 320, bed: 120, chamber: 60 })
  })
  test('of an unknown model are the cautious ones', () => {
    expect(limitsOf('Ratrig V-Core 4')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
    expect(limitsOf('QIDI K2 Plus')).toEqual({ nozzle: 300, bed: 120, chamber: 65 })
  })
})

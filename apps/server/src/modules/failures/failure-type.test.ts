import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failureTypeOf, failureTypes } from './failure-type.ts'

test.each([
  ['RUNOUT', 'filament_runout'],
  ['THERMAL_FAULT', 'thermal'],
  ['LAYER_SHIFT', 'layer_shift'],
  ['NOZZLE_CLOGGED', 'clog'],
  ['POWER_LOSS', 'power_loss'],
  ['FILE_CORRUPT', 'file'],
  ['RESULT_LOST', 'connection'],
  ['SPAGHETTI_DETECTED', 'spaghetti'],
  ['PRINT_FAILED', 'unknown'],
  [null, 'unknown'],
] as const)('the reason code %s is of the type %s', (code, type) => {
  expect(failureTypeOf('failed', code)).toBe(type)
})

test('a stopped print was stopped by a person, whatever its code', () => {
  expect(failureTypeOf('cancelled', 'STOPPED')).toBe('cancelled_by_person')
  expect(failureTypeOf('cancelled', null)).toBe('cancelled_by_person')
})

test('any text as a code gives a known type', () => {
  fc.assert(
    fc.property(fc.string(), (code) => {
      expect(failureTypes).toContain(failureTypeOf('failed', code))
    }),
  )
})

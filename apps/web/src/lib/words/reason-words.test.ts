import { expect, test } from 'vitest'
import { reasonWords } from './reason-words.ts'

test('codes are told in words, also those that no one has written down; sentences stay', () => {
  expect(reasonWords('PRINT_FAILED')).toBe('The printer reported that the print failed')
  expect(reasonWords('NOZZLE_BLOCKED')).toBe('Nozzle blocked')
  expect(reasonWords('Thermal runaway on E0')).toBe('Thermal runaway on E0')
  expect(reasonWords('E0')).toBe('E0')
})

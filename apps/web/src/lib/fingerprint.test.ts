import { expect, test } from 'vitest'
import { findFingerprint, groupFingerprint } from './fingerprint.ts'

test('a fingerprint is read in groups of four, however it was written', () => {
  expect(groupFingerprint('a3:b4:c5:d6:e7')).toBe('A3B4 C5D6 E7')
  expect(groupFingerprint('')).toBe('')
})

test('the fingerprint that a hub names is found in its sentence', () => {
  const shown = 'A3'.repeat(32)
  expect(findFingerprint(`The printer shows another certificate than before: ${shown}.`)).toBe(shown)
  expect(findFingerprint('The printer shows another certificate than the one that was pinned.')).toBeUndefined()
})

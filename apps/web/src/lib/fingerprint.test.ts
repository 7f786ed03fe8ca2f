import { expect, test } from 'vitest'
import { groupFingerprint } from './fingerprint.ts'

test('a fingerprint is read in groups of four, however it was written', () => {
  expect(groupFingerprint('a3:b4:c5:d6:e7')).toBe('A3B4 C5D6 E7')
  expect(groupFingerprint('')).toBe('')
})

import { expect, test } from 'vitest'
import { keyState } from './key-state.ts'

test('a key works until it ends or is revoked', () => {
  const at = '2026-05-04T10:00:00.000Z'
  const ms = Date.parse(at)
  expect(keyState({ revoked_at: null, expires_at: null }, ms)).toBe('works')
  expect(keyState({ revoked_at: null, expires_at: at }, ms - 1)).toBe('works')
  expect(keyState({ revoked_at: null, expires_at: at }, ms)).toBe('ended')
  expect(keyState({ revoked_at: at, expires_at: at }, ms)).toBe('revoked')
})

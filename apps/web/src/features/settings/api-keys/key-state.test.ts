import { expect, test } from 'vitest'
import { keyMaker, keyState, keysThatStay } from './key-state.ts'

test('a key works until it ends or is revoked', () => {
  const at = '2026-05-04T10:00:00.000Z'
  const ms = Date.parse(at)
  expect(keyState({ revoked_at: null, expires_at: null }, ms)).toBe('works')
  expect(keyState({ revoked_at: null, expires_at: at }, ms - 1)).toBe('works')
  expect(keyState({ revoked_at: null, expires_at: at }, ms)).toBe('ended')
  expect(keyState({ revoked_at: at, expires_at: at }, ms)).toBe('revoked')
})

test('who made a key is told by name, or by what made it', () => {
  expect(keyMaker({ created_by: 'user:usr_1', created_by_name: 'Ada' })).toBe('Ada')
  expect(keyMaker({ created_by: 'cli', created_by_name: null })).toBe('the command line')
  expect(keyMaker({ created_by: null, created_by_name: null })).toBe('Not known')
})

test('anyone who removes a member is told how many of their keys stay, and which', () => {
  expect(keysThatStay([])).toBe('No API key that they made is still in use.')
  expect(keysThatStay(['Shop'])).toMatch(/^The API key Shop, which they made, belongs to the account and stays/)
  expect(keysThatStay(['a', 'b', 'c', 'd', 'e'])).toMatch(/^5 API keys that they made \(a, b, c and 2 more\) belong/)
})

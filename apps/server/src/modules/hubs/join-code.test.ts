import { expect, test } from 'vitest'
import { makeJoinCode, normalizeJoinCode } from './join-code.ts'

test('a join code has eight characters that cannot be confused, and no two are alike', () => {
  const codes = Array.from({ length: 500 }, makeJoinCode)
  for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{8}$/)
  expect(new Set(codes).size).toBe(codes.length)
})

test('a code is understood however it was typed', () => {
  expect(normalizeJoinCode(' abcd-efg2\n')).toBe('ABCDEFG2')
  expect(normalizeJoinCode('ABCD EFG2')).toBe('ABCDEFG2')
})

import { expect, test } from 'vitest'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { hashBackupCode, makeBackupCodes } from './backup-codes.ts'

const userId = 'usr_a' as UserId

const secrets = createSecretBox('00'.repeat(32))

test('ten different codes are made, easy to read', () => {
  const codes = makeBackupCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{6}(-[a-hjkmnp-z2-9]{6}){3}$/)
})

test('a code has too many bits to be tried through by one who has the hash', () => {
  const [code = ''] = makeBackupCodes()
  const signs = 'abcdefghijklmnopqrstuvwxyz0123456789'.replace(/[ilo01]/g, '').length
  expect(code.replaceAll('-', '').length * Math.log2(signs)).toBeGreaterThan(112)
})

test('a code is the same however it is typed, and another for another person', () => {
  const code = 'abcdef-ghjkmn-pqrstu-vwxyz2'
  const hash = hashBackupCode(secrets, userId, code)
  expect(hash).toBeDefined()
  expect(hashBackupCode(secrets, userId, ' ABCDEF ghjkmn PQRSTU-vwxyz2 ')).toBe(hash)
  expect(hashBackupCode(secrets, newId('user'), code)).not.toBe(hash)
  expect(hashBackupCode(createSecretBox('11'.repeat(32)), userId, code)).not.toBe(hash)
})

test('a code of before, which is shorter, still counts', () => {
  expect(hashBackupCode(secrets, userId, 'abcde-fgh23')).toBeDefined()
})

test.each([
  '',
  '123456',
  'abcde-fgh2',
  'abcde-fgh234',
  'abcdef-abcdef-abcdef-abcde',
  'abcdef-abcdef-abcdef-abcdef2',
  'abcde-fgh01',
  'abcdeéfgh2',
])('%j is no backup code', (typed) => {
  expect(hashBackupCode(secrets, userId, typed)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { newId, type UserId } from '../../../kernel/ids.ts'
import { createSecretBox } from '../../../kernel/secret-box.ts'
import { hashBackupCode, makeBackupCodes } from './backup-codes.ts'

const userId = 'usr_a' as UserId

const secrets = createSecretBox('00'.repeat(32))

test('ten different codes are made, easy to read', () => {
  const codes = makeBackupCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^[a-hjkmnp-z2-9]{5}-[a-hjkmnp-z2-9]{5}$/)
})

test('a code is the same however it is typed, and another for another person', () => {
  const hash = hashBackupCode(secrets, userId, 'abcde-fgh23')
  expect(hash).toBeDefined()
  expect(hashBackupCode(secrets, userId, ' ABCDE fgh23 ')).toBe(hash)
  expect(hashBackupCode(secrets, newId('user'), 'abcde-fgh23')).not.toBe(hash)
  expect(hashBackupCode(createSecretBox('11'.repeat(32)), userId, 'abcde-fgh23')).not.toBe(hash)
})

test.each(['', '123456', 'abcde-fgh2', 'abcde-fgh234', 'abcde-fgh01', 'abcdeéfgh2'])(
  '%j is no backup code',
  (typed) => {
    expect(hashBackupCode(secrets, userId, typed)).toBeUndefined()
  },
)

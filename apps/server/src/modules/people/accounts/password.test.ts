import { describe, expect, test } from 'vitest'
import { findPasswordProblem, hashPassword, verifyPassword } from './password.ts'

describe('a password', () => {
  test('opens what was locked with it, and nothing else does', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(await verifyPassword('correct horse battery', stored)).toBe(true)
    expect(await verifyPassword('correct horse batterY', stored)).toBe(false)
    expect(await verifyPassword('', stored)).toBe(false)
  })

  test('is kept as an argon2id PHC string with 19 MiB, two passes and a salt of its own', async () => {
    const [one, other] = await Promise.all([hashPassword('twice the same'), hashPassword('twice the same')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
  })

  test('counts as the same when its accents arrive in another Unicode form', async () => {
    const stored = await hashPassword('un caf\u00e9 au lait')
    expect(await verifyPassword('un cafe\u0301 au lait', stored)).toBe(true)
  })

  test('of fewer than 12 or more than 200 characters is refused', async () => {
    expect(await findPasswordProblem('')).toBe('The password is empty.')
    expect(await findPasswordProblem('12345678901')).toContain('at least 12')
    expect(await findPasswordProblem('3 bags, 2x, a')).toBeUndefined()
    expect(await findPasswordProblem('words and '.repeat(20))).toBeUndefined()
    expect(await findPasswordProblem('x'.repeat(201))).toContain('at most 200')
    await expect(hashPassword('short')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('is counted in characters, not in UTF-16 halves', async () => {
    expect(await findPasswordProblem('\u{1f5a8}'.repeat(11))).toContain('at least 12')
  })

  test('of megabytes is wrong without being hashed', async () => {
    const stored = await hashPassword('correct horse battery')
    const megabytes = 'x'.repeat(50_000_000)
    const tookMs: number[] = []
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const startedAt = performance.now()
      expect(await verifyPassword(megabytes, stored)).toBe(false)
      tookMs.push(performance.now() - startedAt)
    }
    // The quickest of a few: a busy machine may hold up any single one.
    expect(Math.min(...tookMs)).toBeLessThan(20)
  })
})

describe('a stored hash', () => {
  test('made by the reference implementation of argon2 is understood', async () => {
    // From the test vectors of phc-winner-argon2 (src/test.c): version 0x13, t=2, m=2^16, p=1.
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await verifyPassword('password', reference)).toBe(true)
    expect(await verifyPassword('passwore', reference)).toBe(false)
  })

  test.each([
    '',
    'plain text',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
  ])('that we never wrote (%s) is an error, not a wrong password', async (stored) => {
    await expect(verifyPassword('correct horse battery', stored)).rejects.toThrow('damaged')
  })
})

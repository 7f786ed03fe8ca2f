import { expect, test } from 'vitest'
import { totpCode } from '../../../test/services/authenticator-app.ts'
import { findTotpStep, makeTotpSecret, otpauthUrl } from './totp.ts'

const now = new Date('2026-11-20T09:30:10Z')
const step = Math.floor(now.getTime() / 30_000)
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

test('a code is that of RFC 6238 for its secret and time', () => {
  // Appendix B, the last six of the eight digits: the ASCII secret 12345678901234567890 at 59 s.
  expect(totpCode('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', new Date(59_000))).toBe('287082')
})

test.each([
  [-30, step - 1],
  [0, step],
  [30, step + 1],
])('the code of %i s from now is known by its step', (seconds, expected) => {
  const secret = makeTotpSecret()
  expect(findTotpStep(secret, totpCode(secret, later(seconds)), now)).toBe(expected)
})

test('a code of a minute before or after is none', () => {
  // With a fixed secret, whose codes differ.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(findTotpStep(secret, totpCode(secret, later(-60)), now)).toBeUndefined()
  expect(findTotpStep(secret, totpCode(secret, later(60)), now)).toBeUndefined()
})

test.each(['', '12345', '1234567', '12 456', 'abcdef', '１２３４５６'])('%j is no code', (code) => {
  expect(findTotpStep(makeTotpSecret(), code, now)).toBeUndefined()
})

test('each secret is another, of 160 bits', () => {
  const secrets = new Set(Array.from({ length: 50 }, makeTotpSecret))
  expect(secrets.size).toBe(50)
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
})

test('an app reads issuer, address and secret from the URL', () => {
  const url = new URL(otpauthUrl('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 'a+b@example.com'))
  expect(decodeURIComponent(url.pathname)).toContain('Printyard:a+b@example.com')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    issuer: 'Printyard',
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    digits: '6',
    period: '30',
  })
})

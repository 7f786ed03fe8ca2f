import { expect, test } from 'vitest'
import { canChoosePassword } from './accept-invitation.ts'

const shown = { mailed_at: null }
const mailed = { mailed_at: new Date() }

test.each([
  ['a person unknown', undefined, shown, true],
  ['a person with a password', { password_hash: '$', accounts: 0 }, mailed, false],
  ['a person without a password who works nowhere', { password_hash: null, accounts: 0 }, shown, true],
  [
    'a person without a password who works elsewhere, by a link that was seen',
    { password_hash: null, accounts: 1 },
    shown,
    false,
  ],
  ['the same by a link that was only mailed', { password_hash: null, accounts: 1 }, mailed, true],
])('of %s', (_, known, invitation, may) => {
  expect(canChoosePassword(known, invitation)).toBe(may)
})

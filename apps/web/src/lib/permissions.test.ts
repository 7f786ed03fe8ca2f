import { expect, test } from 'vitest'
import { may } from './permissions.ts'

const operator = { role: 'operator', scopes: ['read', 'write', 'control'] } as const
const viewer = { role: 'viewer', scopes: ['read'] } as const

test('a role covers those below it, and a scope is held or not', () => {
  const ask = (session: typeof operator | typeof viewer | null, need: Parameters<typeof may>[1]) =>
    may(session && { ...session, scopes: [...session.scopes] }, need)
  expect([ask(operator, 'viewer'), ask(operator, 'operator'), ask(operator, 'admin')]).toEqual([true, true, false])
  expect([ask(viewer, 'read'), ask(viewer, 'control')]).toEqual([true, false])
  expect(ask(null, 'viewer')).toBe(false)
})

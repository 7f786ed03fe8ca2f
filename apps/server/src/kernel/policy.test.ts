import { expect, test } from 'vitest'
import { canManage, canUse, leastRoleFor, policy, requireMayMakeKey, roles } from './policy.ts'

test('to look a viewer is enough; to change data or move machines it takes an operator', () => {
  expect([leastRoleFor('read'), leastRoleFor('write'), leastRoleFor('control')]).toEqual([
    'viewer',
    'operator',
    'operator',
  ])
})

test('who may more may all that those after them may', () => {
  for (const [index, role] of roles.entries()) {
    for (const lesser of roles.slice(index)) {
      expect(policy[lesser].scopes.filter((scope) => !canUse(role, scope))).toEqual([])
      expect(policy[role].canMakeKeys || !policy[lesser].canMakeKeys).toBe(true)
    }
  }
})

test.each(['owner', 'admin'] as const)('an %s makes keys', (role) => {
  expect(() => requireMayMakeKey(role, ['read', 'write', 'control'])).not.toThrow()
})

test.each(['operator', 'viewer', undefined] as const)('%s makes no keys, not even to look', (role) => {
  expect(() => requireMayMakeKey(role, ['read'])).toThrow('Your role does not allow you to make API keys.')
})

test('owners manage everybody, admins everybody but owners, others no one', () => {
  expect(roles.map((role) => roles.filter((other) => canManage(role, other)))).toEqual([
    ['owner', 'admin', 'operator', 'viewer'],
    ['admin', 'operator', 'viewer'],
    [],
    [],
  ])
})

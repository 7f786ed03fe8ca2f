import { expect, test } from 'vitest'
import { manageableRoles } from './roles.ts'

test('owners manage everybody, admins everybody but owners, others no one', () => {
  expect(manageableRoles('owner')).toEqual(['owner', 'admin', 'operator', 'viewer'])
  expect(manageableRoles('admin')).toEqual(['admin', 'operator', 'viewer'])
  expect(manageableRoles('operator')).toEqual([])
  expect(manageableRoles('viewer')).toEqual([])
})

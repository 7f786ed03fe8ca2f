import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../kernel/actor.ts'
import { type AccountId, newId, type UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'
import { workIn } from '../../events/work.ts'
import { createAccountWithOwner } from '../accounts/accounts.service.ts'
import { listKeys } from './api-keys.queries.ts'
import { createApiKey } from './api-keys.service.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

let made = 0
async function accountWith(role: Role) {
  made += 1
  const account = { name: 'Farm', ownerEmail: `maker${made}@example.com`, createdBy: 'cli' }
  const { id, owner } = await createAccountWithOwner(db, account, new Date())
  await db.sql`update members set role = ${role} where account_id = ${id} and user_id = ${owner.id}`
  return { accountId: id, userId: owner.id }
}

function makeKey(accountId: AccountId, maker: UserId | undefined, scopes: Scope[] = ['read']) {
  return db.begin((sql) => {
    const actor = maker === undefined ? 'cli' : `user:${maker}`
    const work = workIn(sql, { accountId, actor, now: new Date() })
    return createApiKey(work, { name: 'Shop', scopes, expiresAt: null, ...(maker && { maker }) })
  })
}

test.each(['owner', 'admin'] as const)('an %s makes a key, which says who made it', async (role) => {
  const { accountId, userId } = await accountWith(role)
  await makeKey(accountId, userId, ['read', 'write', 'control'])
  const keys = await listKeys(db.sql, accountId)
  expect(keys.map((key) => key.created_by)).toEqual([`user:${userId}`])
})

test.each(['operator', 'viewer'] as const)('an %s makes no key', async (role) => {
  const { accountId, userId } = await accountWith(role)
  await expect(makeKey(accountId, userId)).rejects.toMatchObject({ code: 'FORBIDDEN', status: 403 })
  expect(await listKeys(db.sql, accountId)).toEqual([])
})

test('who owns another account, or none, makes no key here', async () => {
  const [here, there] = [await accountWith('owner'), await accountWith('owner')]
  await expect(makeKey(here.accountId, there.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(makeKey(here.accountId, newId('user'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await listKeys(db.sql, here.accountId)).toEqual([])
})

test('anyone who runs the machine makes keys without being a member', async () => {
  const { accountId } = await accountWith('viewer')
  await makeKey(accountId, undefined, ['control'])
  expect((await listKeys(db.sql, accountId)).map((key) => key.created_by)).toEqual(['cli'])
})

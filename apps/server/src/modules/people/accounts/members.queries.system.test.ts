import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'
import { createAccountWithOwner } from './accounts.service.ts'
import { holdMembersAmong } from './members.queries.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

const addAccount = (ownerEmail: string) =>
  createAccountWithOwner(db, { name: 'Farm', ownerEmail, createdBy: 'cli' }, new Date())

const removeMember = (accountId: string, userId: string) =>
  db.begin(async (sql) => {
    await sql`set local lock_timeout = '50ms'`
    await sql`delete from members where account_id = ${accountId} and user_id = ${userId}`
  })

test('only the members of the account are found among users', async () => {
  const [farm, other] = [await addAccount('one@example.com'), await addAccount('two@example.com')]
  const asked = [farm.owner.id, other.owner.id, newId('user')]
  expect(await holdMembersAmong(db.sql, farm.id, asked)).toEqual(new Set([farm.owner.id]))
  expect(await holdMembersAmong(db.sql, farm.id, [])).toEqual(new Set())
})

test('a member cannot leave while a transaction counts on it', async () => {
  const farm = await addAccount('three@example.com')
  await db.begin(async (sql) => {
    await holdMembersAmong(sql, farm.id, [farm.owner.id])
    await expect(removeMember(farm.id, farm.owner.id)).rejects.toMatchObject({ code: '55P03' })
  })
  await removeMember(farm.id, farm.owner.id)
  expect(await holdMembersAmong(db.sql, farm.id, [farm.owner.id])).toEqual(new Set())
})

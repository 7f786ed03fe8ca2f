import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'
import { createAccountWithOwner, type NewAccount } from './accounts.service.ts'
import { verifyPassword } from './password.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await createTestDatabase()
})
afterAll(() => db.close())

function create(input: Partial<NewAccount> = {}) {
  return createAccountWithOwner(
    db,
    { name: 'North farm', ownerEmail: 'owner@example.com', createdBy: 'cli', ...input },
    new Date(),
  )
}

async function passwordHashOf(userId: string) {
  const [row] = await db.sql<{ password_hash: string | null }[]>`select password_hash from users where id = ${userId}`
  return row?.password_hash ?? null
}

test('an account begins with its owner and an event that tells who made it', async () => {
  const { id, owner } = await create({ ownerEmail: 'first@example.com', ownerPassword: 'a good password' })
  expect(owner).toEqual({ id: owner.id, isNew: true, password: 'set' })
  expect(await verifyPassword('a good password', (await passwordHashOf(owner.id)) ?? '')).toBe(true)
  const members = await db.sql`select user_id, role from members where account_id = ${id}`
  expect(members).toEqual([{ user_id: owner.id, role: 'owner' }])
  const events = await db.sql`select type, subject_id, actor, data from events where account_id = ${id}`
  expect(events).toEqual([
    {
      type: 'account.created',
      subject_id: id,
      actor: 'cli',
      data: { name: 'North farm', time_zone: 'UTC', owner_user_id: owner.id },
    },
  ])
})

test('a person who is known by another spelling of the address owns the second account too, with the first password', async () => {
  const first = await create({ ownerEmail: 'Two@example.com', ownerPassword: 'the first password' })
  const second = await create({ ownerEmail: ' two@EXAMPLE.com', ownerPassword: 'another password' })
  expect(second.owner).toEqual({ id: first.owner.id, isNew: false, password: 'kept' })
  expect(await verifyPassword('the first password', (await passwordHashOf(first.owner.id)) ?? '')).toBe(true)
})

test('a known person without a password gets the one that is given', async () => {
  const first = await create({ ownerEmail: 'later@example.com' })
  expect(first.owner.password).toBe('none')
  expect(await passwordHashOf(first.owner.id)).toBeNull()
  const second = await create({ ownerEmail: 'later@example.com', ownerPassword: 'chosen at last' })
  expect(second.owner).toMatchObject({ isNew: false, password: 'set' })
})

test('two accounts made at once for a new person share that person', async () => {
  const made = await Promise.all(['a', 'b', 'c'].map((name) => create({ name, ownerEmail: 'race@example.com' })))
  expect(new Set(made.map(({ owner }) => owner.id)).size).toBe(1)
  expect(made.filter(({ owner }) => owner.isNew)).toHaveLength(1)
})

test('everything that is wrong is told at once, and nothing is made', async () => {
  const [before] = await db.sql`select count(*) from accounts`
  await expect(
    create({ name: ' ', ownerEmail: 'nobody', ownerPassword: '', timeZone: '+02:00' }),
  ).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: {
      name: [expect.any(String)],
      owner_email: [expect.any(String)],
      owner_password: ['The password is empty.'],
      time_zone: [expect.any(String)],
    },
  })
  expect((await db.sql`select count(*) from accounts`)[0]).toEqual(before)
})

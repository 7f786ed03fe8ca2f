import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let one: TestDatabase
let other: TestDatabase
beforeAll(async () => {
  one = await createTestDatabase()
  other = await createTestDatabase()
})
afterAll(async () => {
  await one.close()
  await other.close()
})

test('each test database is migrated and knows nothing of the others', async () => {
  await one.sql`insert into accounts ${one.sql({ id: 'acc_1', name: 'North' })}`
  expect(await one.sql`select id from accounts`).toEqual([{ id: 'acc_1' }])
  expect(await other.sql`select id from accounts`).toEqual([])
})

test('a statement that names no account is refused, each time it comes', async () => {
  const ask = async () => await one.sql`select id from jobs`
  for (const _ of ['first', 'again']) await expect(ask()).rejects.toMatchObject({ code: 'ACCOUNT_NOT_NAMED' })
  expect(await one.sql`select id from jobs where account_id = 'acc_1'`).toEqual([])
})

test('the address of a test database leads another process to it', async () => {
  const database = openDatabase({ target: { url: one.url } })
  const [row] = await database.sql<{ name: string }[]>`select current_database() as name`
  await database.close()
  expect(row?.name).toBe(one.name)
})

test('a closed test database is gone, even while a person is connected', async () => {
  const third = await createTestDatabase()
  const stranger = openDatabase({ target: third.target })
  await stranger.sql`select 1`
  await third.close()
  const found = await one.sql`select 1 from pg_database where datname = ${third.name}`
  await stranger.close()
  expect(found).toEqual([])
})

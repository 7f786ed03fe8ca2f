import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AccountId, type HubId, newId } from '../../../kernel/ids.ts'
import { NotWantedError, StaleConnectionError } from '../../../live/fences.ts'
import { systemWork } from '../../../test/app/system-work.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'
import { insertAccount } from '../../people/accounts/accounts.queries.ts'
import { createHubWithToken } from '../hubs.service.ts'
import { findHolder } from './hub-connections.queries.ts'
import { sharedFences } from './shared-fences.ts'

let db: TestDatabase
let accountId: AccountId

beforeAll(async () => {
  db = await createTestDatabase()
  accountId = newId('account')
  await insertAccount(db.sql, { id: accountId, name: 'Farm', time_zone: 'UTC' })
})
afterAll(() => db?.close())

async function setUp() {
  const { id: hubId } = await createHubWithToken(systemWork(db.sql, accountId), `Hub ${newId('hub')}`)
  const [one, other] = [sharedFences(db, 'one'), sharedFences(db, 'other')]
  const take = async (fences: typeof one) => ({ accountId, hubId, epoch: await fences.take({ accountId, hubId }, 1) })
  return { hubId: hubId as HubId, one, other, take }
}

const always = async () => true

test('of two connections the newer one counts, and nothing is written or sent on the older one', async () => {
  const { hubId, one, other, take } = await setUp()
  const older = await take(one)
  let sent = 0
  await one.whileNewest(older, always, () => {
    sent += 1
  })
  const newer = await take(other)
  expect(newer.epoch).toBe(older.epoch + 1)
  await expect(db.begin((sql) => one.hold(sql, hubId, older))).rejects.toThrow(StaleConnectionError)
  const late = one.whileNewest(older, always, () => {
    sent += 1
  })
  await expect(late).rejects.toThrow(StaleConnectionError)
  expect(sent).toBe(1)
  expect(await one.findStale([older])).toEqual([older])
  expect(await other.findStale([newer])).toEqual([])
})

test('a newer connection is let in only when what is written for the older one is over', async () => {
  const { hubId, one, other, take } = await setUp()
  const older = await take(one)
  const order: string[] = []
  let taking: Promise<unknown> | undefined
  await db.begin(async (sql) => {
    await one.hold(sql, hubId, older)
    taking = take(other).then(() => order.push('taken'))
    await sql`select pg_sleep(0.2)`
    order.push('written')
  })
  await taking
  expect(order).toEqual(['written', 'taken'])
})

test('what is not wanted any more is not sent', async () => {
  const { one, take } = await setUp()
  const connection = await take(one)
  let sent = 0
  const unwanted = one.whileNewest(
    connection,
    async () => false,
    () => {
      sent += 1
    },
  )
  // Not as one whose hub went to another process: the log would name the wrong reason.
  await expect(unwanted).rejects.toThrow(NotWantedError)
  expect(sent).toBe(0)
})

test('the end of an older connection leaves the newer one its place', async () => {
  const { hubId, one, other, take } = await setUp()
  const older = await take(one)
  const newer = await take(other)
  await one.release(older)
  expect(await findHolder(db.sql, accountId, hubId)).toBe('other')
  await other.release(newer)
  expect(await findHolder(db.sql, accountId, hubId)).toBe(null)
})

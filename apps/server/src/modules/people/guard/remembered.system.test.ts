import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase, type Sql } from '../../../db/database.ts'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'

const t = appForAllTests()

/** Another process: what it changes is heard of by notices alone. */
let elsewhere: Database
beforeAll(async () => {
  elsewhere = openDatabase({ target: t.db.target })
  await t.settled(() => t.db.coherence.isCurrent)
})
afterAll(() => elsewhere.close())

test.each<{ what: string; change: (sql: Sql, accountId: string) => Promise<unknown>; code: string }>([
  {
    what: 'is deleted',
    change: (sql, accountId) => sql`delete from api_keys where account_id = ${accountId}`,
    code: 'TOKEN_INVALID',
  },
  {
    what: 'is revoked',
    change: (sql, accountId) => sql`update api_keys set revoked_at = now() where account_id = ${accountId}`,
    code: 'TOKEN_REVOKED',
  },
  {
    what: 'has ended',
    change: (sql, accountId) =>
      sql`update api_keys set expires_at = now() - interval '1 day' where account_id = ${accountId}`,
    code: 'TOKEN_EXPIRED',
  },
  {
    what: 'may do less',
    change: (sql, accountId) => sql`update api_keys set scopes = '{control}' where account_id = ${accountId}`,
    code: 'INSUFFICIENT_SCOPE',
  },
])('a key in memory that $what by another process is so for the very next request', async ({ change, code }) => {
  const account = await t.account()
  const ask = () => account.request('GET', '/jobs')
  for (const _ of ['read', 'from memory']) expect((await ask()).statusCode).toBe(200)
  await change(elsewhere.sql, account.id)
  expect((await ask()).json().error.code).toBe(code)
})

const addFactor = (sql: Sql, { userId }: TestPerson) => sql`
  insert into second_factors (user_id, secret_sealed, confirmed_at, created_at) values (${userId}, '\\x00', now(), now())`
const addPasskey = (sql: Sql, { userId }: TestPerson) => sql`
  insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
  values (${`key of ${userId}`}, ${userId}, ${userId}, '\\x00', 0, '{}', 'Key', now())`
const requireFactor = (sql: Sql, { accountId }: TestPerson) =>
  sql`update accounts set require_second_factor = true where id = ${accountId}`

type Change = (sql: Sql, person: TestPerson) => Promise<unknown>

test.each<{ what: string; given?: Change[]; change: Change; before?: string; after: string }>([
  {
    what: 'a session that is ended',
    change: (sql, { accountId, sessionId }) =>
      sql`update sessions set ended_at = now() where account_id = ${accountId} and id = ${sessionId}`,
    after: 'SESSION_EXPIRED',
  },
  {
    what: 'a session that is deleted',
    change: (sql, { accountId, sessionId }) =>
      sql`delete from sessions where account_id = ${accountId} and id = ${sessionId}`,
    after: 'SESSION_EXPIRED',
  },
  {
    what: 'a person with another role',
    change: (sql, { accountId, userId }) =>
      sql`update members set role = 'viewer' where account_id = ${accountId} and user_id = ${userId}`,
    after: 'FORBIDDEN',
  },
  { what: 'an account that asks for a second factor', change: requireFactor, after: 'SECOND_FACTOR_REQUIRED' },
  {
    what: 'a person who has added a second factor',
    given: [requireFactor],
    before: 'SECOND_FACTOR_REQUIRED',
    change: addFactor,
    after: 'let in',
  },
  {
    what: 'a person who has removed the second factor',
    given: [requireFactor, addFactor],
    change: (sql, { userId }) => sql`delete from second_factors where user_id = ${userId}`,
    after: 'SECOND_FACTOR_REQUIRED',
  },
  {
    what: 'a person who has added a passkey',
    given: [requireFactor],
    before: 'SECOND_FACTOR_REQUIRED',
    change: addPasskey,
    after: 'let in',
  },
  {
    what: 'a person who has removed the passkey',
    given: [requireFactor, addPasskey],
    change: (sql, { userId }) => sql`delete from passkeys where user_id = ${userId}`,
    after: 'SECOND_FACTOR_REQUIRED',
  },
  {
    what: 'a person without a password',
    given: [requireFactor],
    before: 'SECOND_FACTOR_REQUIRED',
    change: (sql, { userId }) => sql`update users set password_hash = null where id = ${userId}`,
    after: 'let in',
  },
])('$what, by another process, is so for the very next request', async ({ given = [], before, change, after }) => {
  const person = await createTestPerson(t, await t.account(), 'owner', { password: 'a password of sixteen' })
  for (const each of given) await each(elsewhere.sql, person)
  const ask = async () => {
    const answer = await person.request('GET', '/api-keys')
    return answer.statusCode === 200 ? 'let in' : answer.json().error.code
  }
  for (const _ of ['read', 'from memory']) expect(await ask()).toBe(before ?? 'let in')
  await change(elsewhere.sql, person)
  expect(await ask()).toBe(after)
})

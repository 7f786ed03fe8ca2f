import { expect } from 'vitest'
import type { AccountId, UserId } from '../../kernel/ids.ts'
import type { TestApp } from './test-app.ts'

/** Number of events an account has, and by table every time at which something of it was last changed. */
type StandOfAccount = Record<string, number | string> & { events: number }

/**
 * Answers where an account and one of its people stand: two of these are equal when nothing was changed and nothing recorded in
 * between.
 */
export async function standOfAccount(t: TestApp, accountId: AccountId, userId: UserId): Promise<StandOfAccount> {
  const tables = await t.db.sql<{ table_name: string }[]>`
    select c.table_name from information_schema.columns c
    join information_schema.columns o using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'updated_at' and o.column_name = 'account_id'
    order by 1`
  expect(tables.length).toBeGreaterThan(15)
  const times = await Promise.all(
    tables.map(async ({ table_name }) => {
      const rows = await t.db.sql<{ updated_at: string }[]>`
        select updated_at::text from ${t.db.sql(table_name)} where account_id = ${accountId} order by 1`
      return [table_name, rows.map(({ updated_at }) => updated_at).join('\n')]
    }),
  )
  const [user] = await t.db.sql<{ updated_at: string }[]>`select updated_at::text from users where id = ${userId}`
  const [own] = await t.db.sql<{ updated_at: string }[]>`
    select updated_at::text from accounts where id = ${accountId}`
  const [events] = await t.db.sql<{ count: number }[]>`
    select count(*) as count from events where account_id = ${accountId}`
  return {
    ...Object.fromEntries(times),
    user: user?.updated_at ?? '',
    account: own?.updated_at ?? '',
    events: events?.count ?? 0,
  }
}

import type { Sql } from '../../db/database.ts'

export interface AccountRow {
  id: string
  name: string
  time_zone: string
  created_at: Date
}

export async function insertAccount(sql: Sql, account: { id: string; name: string; time_zone: string }): Promise<void> {
  await sql`
    insert into accounts (id, name, time_zone) values (${account.id}, ${account.name}, ${account.time_zone})`
}

export async function findAccount(sql: Sql, accountId: string): Promise<AccountRow | undefined> {
  const [account] = await sql<AccountRow[]>`
    select id, name, time_zone, created_at from accounts where id = ${accountId}`
  return account
}

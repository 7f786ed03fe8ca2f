import type { Sql } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** Asks for a forecast of the orders, in the transaction of what changed it. */
export async function askForForecast({ sql, accountId, now }: Work): Promise<void> {
  await sql`
    insert into forecast_rounds (account_id, asked_at) values (${accountId}, ${now})
    on conflict (account_id) do update set asked_at = coalesce(forecast_rounds.asked_at, excluded.asked_at)`
}

/** Accounts of which a forecast was asked for, or is older than this. */
export async function listAccountsToForecast(sql: Sql, olderThan: Date): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: the forecaster works for all of them */
    select account_id from forecast_rounds where asked_at is not null or made_at < ${olderThan}`
  return rows.map((row) => row.account_id)
}

/** The request is taken before the facts are read: what changes from now on asks again. */
export async function beginForecast(sql: Sql, accountId: AccountId, now: Date): Promise<void> {
  await sql`
    insert into forecast_rounds (account_id, made_at) select id, ${now} from accounts where id = ${accountId}
    on conflict (account_id) do update set asked_at = null, made_at = excluded.made_at`
}

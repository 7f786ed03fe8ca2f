import type { Sql } from '../../../db/database.ts'
import type { AccountRow, OrderSettingRow } from '../../../db/rows.generated.ts'
import { type AccountId, newId } from '../../../kernel/ids.ts'

type SettingsColumns = Pick<
  OrderSettingRow,
  'currency' | 'handling_days' | 'working_days' | 'auto_produce' | 'ship_lines_alone'
>

export type OrderSettingsRow = SettingsColumns & Pick<AccountRow, 'time_zone'>

const defaultWorkingDays = [1, 2, 3, 4, 5]

/** Those of an account that has set nothing are the defaults. */
export async function findOrderSettings(sql: Sql, accountId: AccountId): Promise<OrderSettingsRow | undefined> {
  const [row] = await sql<OrderSettingsRow[]>`
    select a.time_zone, s.currency, s.handling_days, coalesce(s.working_days, ${defaultWorkingDays}::integer[]) as working_days,
           coalesce(s.auto_produce, 'off') as auto_produce, coalesce(s.ship_lines_alone, false) as ship_lines_alone
    from accounts a left join order_settings s on s.account_id = a.id
    where a.id = ${accountId}`
  return row
}

/** Holds the settings until the transaction ends, also those of an account that has set nothing yet. */
export async function lockOrderSettings(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

export async function saveOrderSettings(
  sql: Sql,
  accountId: AccountId,
  change: Partial<SettingsColumns>,
  now: Date,
): Promise<void> {
  await sql`
    insert into order_settings ${sql({ account_id: accountId, id: newId('orderSettings'), ...change })}
    on conflict (account_id) do update set ${sql({ ...change, updated_at: now })}`
}

/** Orders that were recorded before the account named a currency keep the one that they were taken to be in. */
export async function stateCurrency(sql: Sql, accountId: AccountId, currency: string): Promise<void> {
  await sql`update orders set currency = ${currency} where account_id = ${accountId} and currency is null`
}

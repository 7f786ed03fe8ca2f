import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { AccountRow, SchedulerSettingRow } from '../../db/rows.generated.ts'
import { type AccountId, newId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'

const columns = columnsOf<SchedulerSettingRow>('s')(
  'working_days',
  'working_from',
  'working_to',
  'heating_at_once',
  'heating_gap_seconds',
)

/** All null where the account set nothing. */
export type SettingsRow = RowOf<typeof columns> & Pick<AccountRow, 'time_zone'>

export async function findSettings(sql: Sql, accountId: AccountId): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow[]>`
    select accounts.time_zone, ${columns(sql)} from accounts left join scheduler_settings s on s.account_id = accounts.id
    where accounts.id = ${accountId}`
  return row
}

/** Holds the settings until the transaction ends, also those of an account that has set nothing yet. */
export async function lockSettings(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

export async function saveSettings(
  { sql, accountId, now }: Work,
  change: Partial<RowOf<typeof columns>>,
): Promise<void> {
  await sql`
    insert into scheduler_settings ${sql({ account_id: accountId, id: newId('schedulerSettings'), ...change })}
    on conflict (account_id) do update set ${sql({ ...change, updated_at: now })}`
}

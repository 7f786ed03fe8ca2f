import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { MaterialSettingRow } from '../../../db/rows.generated.ts'
import { type AccountId, newId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<MaterialSettingRow>('s')('checks_filament', 'filament_margin')

export type MaterialSettingsRow = RowOf<typeof columns>

export async function findMaterialSettings(sql: Sql, accountId: AccountId): Promise<MaterialSettingsRow | undefined> {
  const [row] = await sql<MaterialSettingsRow[]>`
    select ${columns(sql)} from material_settings s where s.account_id = ${accountId}`
  return row
}

/** Holds the settings until the transaction ends, also those of an account that has set nothing yet. */
export async function lockMaterialSettings(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

export async function saveMaterialSettings(
  { sql, accountId, now }: Work,
  change: Partial<MaterialSettingsRow>,
): Promise<void> {
  await sql`
    insert into material_settings ${sql({ account_id: accountId, id: newId('materialSettings'), ...change })}
    on conflict (account_id) do update set ${sql({ ...change, updated_at: now })}`
}

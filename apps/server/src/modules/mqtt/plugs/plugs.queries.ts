import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PrinterRow, SmartPlugRow as TableRow } from '../../../db/rows.generated.ts'
import type { AccountId, SmartPlugId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

const columns = columnsOf<TableRow>('s')(
  'id',
  'printer_id',
  'command_topic',
  'payload_on',
  'payload_off',
  'state_topic',
  'off_after_minutes',
  'switches_on',
  'state',
  'state_at',
  'created_at',
  'updated_at',
)
export type PlugRow = RowOf<typeof columns> & Pick<PrinterRow, 'hub_id'> & { printer_name: PrinterRow['name'] }

/** As many as printers are published. */
const mostPlugs = 1_000

/** By the names of their printers. */
export async function listPlugs(sql: Sql, accountId: AccountId): Promise<PlugRow[]> {
  return sql<PlugRow[]>`
    select ${columns(sql)}, p.name as printer_name, p.hub_id from smart_plugs s
    join printers p on p.account_id = s.account_id and p.id = s.printer_id
    where s.account_id = ${accountId} order by p.name, s.id limit ${mostPlugs}`
}

export async function findPlug(
  sql: Sql,
  accountId: AccountId,
  id: SmartPlugId,
  { isLocked = false } = {},
): Promise<PlugRow | undefined> {
  const [row] = await sql<PlugRow[]>`
    select ${columns(sql)}, p.name as printer_name, p.hub_id from smart_plugs s
    join printers p on p.account_id = s.account_id and p.id = s.printer_id
    where s.account_id = ${accountId} and s.id = ${id} ${isLocked ? sql`for update of s` : sql``}`
  return row
}

type PlugFields = Pick<
  TableRow,
  'command_topic' | 'payload_on' | 'payload_off' | 'state_topic' | 'off_after_minutes' | 'switches_on'
>

/** Violates `smart_plugs_printer_key` for a printer that has one. */
export async function insertPlug(
  { sql, accountId, now }: Work,
  row: PlugFields & Pick<TableRow, 'id' | 'printer_id'>,
): Promise<void> {
  await sql`insert into smart_plugs ${sql({ account_id: accountId, ...row, created_at: now, updated_at: now })}`
}

export async function updatePlug(
  { sql, accountId, now }: Work,
  id: SmartPlugId,
  change: Partial<PlugFields>,
): Promise<void> {
  await sql`
    update smart_plugs set ${sql({ ...change, updated_at: now })} where account_id = ${accountId} and id = ${id}`
}

export async function deletePlug({ sql, accountId }: Work, id: SmartPlugId): Promise<void> {
  await sql`delete from smart_plugs where account_id = ${accountId} and id = ${id}`
}

/** What a plug says of itself. */
export async function writePlugState(
  sql: Sql,
  accountId: AccountId,
  id: SmartPlugId,
  { state, at }: { state: 'on' | 'off'; at: Date },
): Promise<void> {
  await sql`
    update smart_plugs set state = ${state}, state_at = ${at}
    where account_id = ${accountId} and id = ${id} and state is distinct from ${state}`
}

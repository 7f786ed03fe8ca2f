import type { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { publicName } from '../../../db/copy/tables.ts'

/** Number of rows of a table are new or were changed. */
export interface WrittenRows {
  table: string
  rows: number
}

/** Columns that say when a row came or changed. */
const timeColumns = ['created_at', 'updated_at', 'occurred_at', 'started_at', 'ended_at', 'completed_at']

/**
 * What the service writes by itself once it runs: its tasks for people, what it sends, periods of printers, its backups. A row there
 * is no lost work: the former version makes its own. What people, keys and hubs do with these tables has a row in `events` besides.
 */
const ownWork = [
  'automation_runs',
  'backup_runs',
  'notifications',
  'printer_periods',
  'shop_stock',
  'webhook_deliveries',
  'worklist_tasks',
]

/** Events that say what the service found out by itself. Those of automation rules have their rule as actor, and count: a rule acts. */
const isOwnEvent = `actor = 'system'`

/**
 * Answers what was written after a moment, by the times that the rows themselves say; the most first. Every change that a person, a key or a hub
 * makes has a row in `events`. Rows that migrations wrote do not count: they have the time of their migration. Nor does what the service
 * writes by itself at each start.
 */
export async function countWrittenSince(connection: CopyConnection, moment: Date): Promise<WrittenRows[]> {
  const columns = await connection.run(`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'timestamp with time zone'
      and column_name in (${timeColumns.map((name) => `'${name}'`).join(', ')})
    order by 1, 2`)
  const written: WrittenRows[] = []
  for (const [table, found] of Map.groupBy(columns, (row) => String(row.table))) {
    if (ownWork.includes(table)) continue
    const isNewer = found.map(
      ({ column }) => `(${column} > $1::timestamptz and ${column} not in (select applied_at from schema_migrations))`,
    )
    const isOwn = table === 'events' ? isOwnEvent : 'false'
    const [row] = await connection.run(
      `select count(*)::text as rows from ${publicName(table)} where (${isNewer.join(' or ')}) and not (${isOwn})`,
      [moment.toISOString()],
    )
    if (row?.rows !== '0') written.push({ table, rows: Number(row?.rows) })
  }
  return written.sort((one, other) => other.rows - one.rows)
}

/** Such as `12 in events, 3 in jobs`. */
export function writtenWords(written: readonly WrittenRows[]): string {
  const shown = written.slice(0, 8).map(({ table, rows }) => `${rows.toLocaleString('en')} in ${table}`)
  const rest = written.length - shown.length
  return [...shown, ...(rest > 0 ? [`more in ${rest} other tables`] : [])].join(', ')
}

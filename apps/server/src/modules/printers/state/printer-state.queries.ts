import type { Sql } from '../../../db/database.ts'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

export async function addPrintTime(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  seconds: number,
): Promise<void> {
  await sql`
    update printers set total_print_seconds = total_print_seconds + ${seconds}
    where account_id = ${accountId} and id = ${printerId}`
}

/** Since when a printer does not answer; a moment that is on record stays. */
export async function recordReach(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  isAway: boolean,
  at: Date,
): Promise<void> {
  await sql`
    update printers set out_of_reach_since = case when ${isAway} then ${at}::timestamptz end
    where account_id = ${accountId} and id = ${printerId} and (out_of_reach_since is not null) <> ${isAway}`
}

/** Writes what a printer says of its filament; one that says so already is left as it is. */
export async function writeLoadedFilament(
  { sql, accountId, now }: Work,
  printerId: PrinterId,
  filament: Pick<PrinterRow, 'current_filament_type' | 'current_color' | 'current_color_hex' | 'filament_level'>,
): Promise<void> {
  await sql`
    update printers set ${sql({ ...filament, updated_at: now })}
    where account_id = ${accountId} and id = ${printerId}
      and (current_filament_type, current_color, current_color_hex, filament_level) is distinct from (
        ${filament.current_filament_type}::text, ${filament.current_color}::text, ${filament.current_color_hex}::text,
        ${filament.filament_level}::float8)`
}

/** The hours of a printer count from here on. */
export async function writeMaintained({ sql, accountId, now }: Work, printerId: PrinterId): Promise<void> {
  await sql`
    update printers set maintained_at_seconds = total_print_seconds, last_maintenance_date = ${now}, updated_at = ${now}
    where account_id = ${accountId} and id = ${printerId}`
}

/** Entries are plain texts; the type of the library knows no interfaces. */
export async function writePrinterHealth(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  health: readonly unknown[],
): Promise<void> {
  await sql`
    update printers set health = ${sql.json(health as never)} where account_id = ${accountId} and id = ${printerId}`
}

/** What the events of a printer say of it. */
export type ToldCondition = Pick<PrinterRow, 'told_offline' | 'told_error'>

/**
 * Writes what the next events of these printers say; answers those of which they said `seen` until now, so that of several
 * processes one tells it.
 */
export async function writeToldConditions(
  sql: Sql,
  accountId: AccountId,
  changes: readonly { id: PrinterId; seen: ToldCondition; now: ToldCondition }[],
): Promise<Set<PrinterId>> {
  const rows = await sql<Pick<PrinterRow, 'id'>[]>`
    update printers p set told_offline = c.offline, told_error = c.error
    from unnest(
      ${changes.map(({ id }) => id)}::text[],
      ${changes.map(({ seen }) => seen.told_offline)}::boolean[], ${changes.map(({ seen }) => seen.told_error)}::boolean[],
      ${changes.map(({ now }) => now.told_offline)}::boolean[], ${changes.map(({ now }) => now.told_error)}::boolean[]
    ) as c (id, seen_offline, seen_error, offline, error)
    where p.account_id = ${accountId} and p.id = c.id and p.told_offline = c.seen_offline and p.told_error = c.seen_error
    returning p.id`
  return new Set(rows.map(({ id }) => id))
}

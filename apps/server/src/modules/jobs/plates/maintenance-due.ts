import type { Sql } from '../../../db/database.ts'
import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { writeMaintained } from '../../printers/state/printer-state.queries.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'

type Wear = Pick<
  PrinterRow,
  'name' | 'location' | 'total_print_seconds' | 'maintained_at_seconds' | 'maintenance_interval_hours'
>

/** Whether a printer has printed for so long since its last maintenance that it needs one. */
export function isMaintenanceDue(
  wear: Pick<Wear, 'total_print_seconds' | 'maintained_at_seconds' | 'maintenance_interval_hours'>,
): boolean {
  if (wear.maintenance_interval_hours === null) return false
  return wear.total_print_seconds - wear.maintained_at_seconds >= wear.maintenance_interval_hours * 3600
}

/** Makes the task for a printer whose hours are up; one that is open stays the only one. `sql` is a transaction. */
export async function askForMaintenanceWhenDue(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  now: Date,
): Promise<void> {
  const [wear] = await sql<Wear[]>`
    select name, location, total_print_seconds, maintained_at_seconds, maintenance_interval_hours
    from printers where account_id = ${accountId} and id = ${printerId}`
  if (!wear || !isMaintenanceDue(wear)) return
  const hours = Math.floor((wear.total_print_seconds - wear.maintained_at_seconds) / 3600)
  await openFarmTask(
    sql,
    accountId,
    {
      source: 'print_hours',
      subjectId: printerId,
      printerId,
      task_type: 'maintenance',
      priority: 'low',
      title: `Maintain ${wear.name}: ${hours} hours printed since the last time`,
      subtitle: wear.location,
      description: `It is to be maintained every ${wear.maintenance_interval_hours} hours of printing. Completing this task counts as its maintenance.`,
    },
    now,
  )
}

/** A printer was maintained: its hours count from here on, and the task that asked for it is done. */
export async function noteMaintained(
  sql: Sql,
  accountId: AccountId,
  printerId: PrinterId,
  done: { by: string; now: Date },
): Promise<void> {
  await writeMaintained(sql, accountId, printerId, done.now)
  await closeFarmTask(
    sql,
    accountId,
    { source: 'print_hours', subjectId: printerId },
    { status: 'completed', by: done.by, now: done.now },
  )
}

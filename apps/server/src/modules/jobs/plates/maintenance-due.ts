import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { PrinterId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { writeMaintained } from '../../printers/state/printer-state.queries.ts'
import { closeFarmTask, openFarmTask } from '../../worklist/farm-tasks.ts'

type Wear = Pick<
  PrinterRow,
  'name' | 'location' | 'total_print_seconds' | 'maintained_at_seconds' | 'maintenance_interval_hours'
>

/** True when a printer has printed for so long since its last maintenance that it needs one. */
export function isMaintenanceDue(
  wear: Pick<Wear, 'total_print_seconds' | 'maintained_at_seconds' | 'maintenance_interval_hours'>,
): boolean {
  if (wear.maintenance_interval_hours === null) return false
  return wear.total_print_seconds - wear.maintained_at_seconds >= wear.maintenance_interval_hours * 3600
}

/** Makes the task for a printer whose hours are up; one that is open stays the only one. */
export async function askForMaintenanceWhenDue(work: Work, printerId: PrinterId): Promise<void> {
  const { sql, accountId } = work
  const [wear] = await sql<Wear[]>`
    select name, location, total_print_seconds, maintained_at_seconds, maintenance_interval_hours
    from printers where account_id = ${accountId} and id = ${printerId}`
  if (!wear || !isMaintenanceDue(wear)) return
  const hours = Math.floor((wear.total_print_seconds - wear.maintained_at_seconds) / 3600)
  await openFarmTask(work, {
    source: 'print_hours',
    subjectId: printerId,
    printerId,
    task_type: 'maintenance',
    priority: 'low',
    title: `Maintain ${wear.name}: ${hours} hours printed since the last time`,
    subtitle: wear.location,
    description: `Maintenance is due every ${wear.maintenance_interval_hours} hours of printing. Completing this task counts as its maintenance.`,
  })
}

/** A printer was maintained: its hours count from here on, and the task that asked for it is done. */
export async function recordMaintained(work: Work, printerId: PrinterId): Promise<void> {
  await writeMaintained(work, printerId)
  await closeFarmTask(work, { source: 'print_hours', subjectId: printerId })
}

import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { BackupScheduleRow } from '../../db/rows.generated.ts'

const columns = columnsOf<BackupScheduleRow>()(
  'installation_id',
  'is_enabled',
  'hour',
  'keep_daily',
  'keep_weekly',
  'keep_monthly',
  'updated_at',
)

export type BackupSchedule = RowOf<typeof columns>

export async function getSchedule(sql: Sql): Promise<BackupSchedule> {
  const [schedule] = await sql<BackupSchedule[]>`select ${columns(sql)} from backup_schedule`
  if (schedule === undefined) throw new Error('The row of backup_schedule is missing; a migration made it')
  return schedule
}

/** The schedule, held until the transaction ends. */
export async function lockSchedule(sql: Sql): Promise<BackupSchedule> {
  await sql`select only_row from backup_schedule for no key update`
  return await getSchedule(sql)
}

export async function updateSchedule(sql: Sql, change: Partial<BackupSchedule>): Promise<void> {
  await sql`update backup_schedule set ${sql(change)}`
}

import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { BackupRunRow } from '../../db/rows.generated.ts'
import type { BackupRunId } from '../../kernel/ids.ts'

const columns = columnsOf<BackupRunRow>()(
  'id',
  'cause',
  'status',
  'folder',
  'started_at',
  'ended_at',
  'name',
  'total_bytes',
  'new_bytes',
  'file_count',
  'missing_file_count',
  'row_count',
  'is_encrypted',
  'error_code',
  'error',
)

export type BackupRun = RowOf<typeof columns>

export type BackupCause = BackupRunRow['cause']

/** The last runs, the newest first. */
export async function listRuns(sql: Sql, limit: number): Promise<BackupRun[]> {
  return await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs order by started_at desc, id desc limit ${limit}`
}

export async function findRun(sql: Sql, id: BackupRunId): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`select ${columns(sql)} from backup_runs where id = ${id}`
  return run
}

/** The newest backup that was made and checked. */
export async function findLastDone(sql: Sql): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs where status = 'done' order by started_at desc limit 1`
  return run
}

/** When a run of the schedule last started, whatever became of it. */
export async function findLastScheduledStart(sql: Sql): Promise<Date | undefined> {
  const [run] = await sql<Pick<BackupRunRow, 'started_at'>[]>`
    select started_at from backup_runs where cause = 'schedule' order by started_at desc limit 1`
  return run?.started_at
}

/** @throws a unique violation on `backup_runs_one_at_a_time` while another runs */
export async function insertRun(
  sql: Sql,
  run: Pick<BackupRunRow, 'id' | 'cause' | 'folder' | 'started_at' | 'lease_until'>,
): Promise<void> {
  await sql`insert into backup_runs ${sql({ ...run, status: 'running' })}`
}

/** Whether the run is still ours. */
export async function renewRun(sql: Sql, id: BackupRunId, until: Date): Promise<boolean> {
  const { count } = await sql`
    update backup_runs set lease_until = ${until} where id = ${id} and status = 'running'`
  return count === 1
}

/** Ends a run that is still going on. */
export async function endRun(
  sql: Sql,
  id: BackupRunId,
  end: Pick<BackupRunRow, 'status' | 'ended_at'> & Partial<BackupRunRow>,
): Promise<boolean> {
  const { count } = await sql`update backup_runs set ${sql(end)} where id = ${id} and status = 'running'`
  return count === 1
}

/** Ends the run that no process renews any more. */
export async function endBrokenRun(sql: Sql, now: Date): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`
    update backup_runs set status = 'failed', ended_at = ${now}, error_code = 'BACKUP_BROKEN_OFF',
      error = 'The backup was broken off: its process ended, or the machine did.'
    where status = 'running' and lease_until < ${now}
    returning ${columns(sql)}`
  return run
}

/** Removes what is older than the last runs that are shown. */
export async function forgetOldRuns(sql: Sql, kept: number): Promise<void> {
  await sql`
    delete from backup_runs where status <> 'running' and id not in (
      select id from backup_runs order by started_at desc, id desc limit ${kept})`
}

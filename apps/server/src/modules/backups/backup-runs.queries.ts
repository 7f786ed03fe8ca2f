import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { BackupRunRow } from '../../db/rows.generated.ts'
import type { BackupRunId } from '../../kernel/ids.ts'
import type { BackupProgress } from './archive/backup-progress.ts'
import { advisoryLockHalves } from './backup-lock.ts'

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
  'copy_to',
  'copied_at',
  'copy_error',
  'error_code',
  'error',
  'step',
  'step_done',
  'step_total',
)

export type BackupRun = RowOf<typeof columns>

export type BackupCause = BackupRunRow['cause']

/** The last runs, the newest first. */
export async function listRuns(sql: Sql, limit: number): Promise<BackupRun[]> {
  return await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs order by started_at desc, id desc limit ${limit}`
}

/** The newest backup that was made and checked, whatever became of its copy. */
export async function findLastMade(sql: Sql): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs where name is not null order by started_at desc limit 1`
  return run
}

/** Answers when the newest backup that lies in a bucket was copied there. */
export async function findLastCopied(
  sql: Sql,
  copyTo: string,
): Promise<Pick<BackupRun, 'name' | 'copied_at'> | undefined> {
  const [run] = await sql<Pick<BackupRun, 'name' | 'copied_at'>[]>`
    select name, copied_at from backup_runs
    where copy_to = ${copyTo} and copied_at is not null order by started_at desc, id desc limit 1`
  return run
}

/** The last run that was to be copied into a bucket and has ended: whether that was done, and why not. */
export async function findLastCopyTried(sql: Sql, copyTo: string): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs
    where copy_to = ${copyTo} and (copied_at is not null or copy_error is not null)
    order by started_at desc, id desc limit 1`
  return run
}

/** The last run that no command asked for, whatever became of it. */
export async function findLastOfService(sql: Sql): Promise<BackupRun | undefined> {
  const [run] = await sql<BackupRun[]>`
    select ${columns(sql)} from backup_runs where cause <> 'command' order by started_at desc, id desc limit 1`
  return run
}

export async function insertRun(
  sql: Sql,
  run: Pick<BackupRunRow, 'id' | 'cause' | 'folder' | 'copy_to' | 'started_at'>,
): Promise<void> {
  await sql`insert into backup_runs ${sql({ ...run, status: 'running' })}`
}

/** Records how far a run is that is still going on. */
export async function writeProgress(sql: Sql, id: BackupRunId, { step, done, total }: BackupProgress): Promise<void> {
  await sql`
    update backup_runs set step = ${step}, step_done = ${done}, step_total = ${total}
    where id = ${id} and status = 'running'`
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

/** Ends the runs that were broken off: their process no longer holds the lock, or it is the caller who does. */
export async function endBrokenRuns(sql: Sql, now: Date, { isLockOurs }: { isLockOurs: boolean }): Promise<void> {
  await sql`
    update backup_runs set status = 'failed', ended_at = ${now}, error_code = 'BACKUP_BROKEN_OFF',
      error = 'The backup was broken off: its process ended, or the machine did.'
    where status = 'running' and (${isLockOurs} or not exists (
      select 1 from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.objsubid = 1
        and l.classid::bigint = ${advisoryLockHalves.classid} and l.objid::bigint = ${advisoryLockHalves.objid}))`
}

/** Removes what is older than the last runs that are shown. */
export async function forgetOldRuns(sql: Sql, kept: number): Promise<void> {
  await sql`
    delete from backup_runs where status <> 'running' and id not in (
      select id from backup_runs order by started_at desc, id desc limit ${kept})`
}

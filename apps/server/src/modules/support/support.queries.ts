import type { Sql } from '../../db/database.ts'
import type { AttemptRow, BackupRunRow, JobRow, PrinterRow } from '../../db/rows.generated.ts'
import type { HubId } from '../../kernel/ids.ts'

/** Size of each table of the database with its indexes, and about how many rows it has. */
export async function listTableSizes(
  sql: Sql,
): Promise<{ name: string; bytes: number; rows: number; dead_rows: number }[]> {
  return await sql<{ name: string; bytes: number; rows: number; dead_rows: number }[]>`
    select relname as name, pg_total_relation_size(relid)::float8 as bytes, n_live_tup::float8 as rows,
      n_dead_tup::float8 as dead_rows
    from pg_stat_user_tables where schemaname = 'public' order by 2 desc, 1`
}

export async function readServer(sql: Sql) {
  const [server] = await sql<
    {
      version: string
      bytes: number
      up_seconds: number
      connections: number
      most: number
      waiting: number
      longest_seconds: number | null
      deadlocks: number
      rolled_back: number
    }[]
  >`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      extract(epoch from now() - pg_postmaster_start_time())::float8 as up_seconds,
      current_setting('max_connections')::integer as most,
      (select count(*)::integer from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::integer from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock') as waiting,
      (select extract(epoch from max(now() - xact_start))::float8 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as longest_seconds,
      deadlocks::float8 as deadlocks, xact_rollback::float8 as rolled_back
    from pg_stat_database where datname = current_database()`
  return server
}

/** Counts what waits and works, over all accounts. */
export async function countWork(sql: Sql) {
  const jobs = await sql<{ status: JobRow['status']; count: number }[]>`
    /* every account: how deep the queue is, for who looks after the machine */
    select status, count(*)::integer as count from jobs group by status order by status`
  const attempts = await sql<{ phase: AttemptRow['phase']; count: number }[]>`
    /* every account: what is under way, for who looks after the machine */
    select phase, count(*)::integer as count from attempts where outcome is null group by phase order by phase`
  const printers = await sql<{ connection_type: PrinterRow['connection_type']; count: number }[]>`
    /* every account: which kinds of printers there are, for who looks after the machine */
    select connection_type, count(*)::integer as count from printers group by connection_type order by connection_type`
  const [others] = await sql<{ accounts: number; oldest_queued_seconds: number | null }[]>`
    /* every account: for who looks after the machine */
    select (select count(*)::integer from accounts) as accounts,
      (select extract(epoch from now() - min(created_at))::float8 from jobs where status = 'queued') as oldest_queued_seconds`
  return { jobs, attempts, printers, ...others }
}

/** Hubs without their names, over all accounts. */
export async function listHubAges(sql: Sql) {
  return await sql<{ id: HubId; firmware_version: string; seen_seconds_ago: number | null; printers: number }[]>`
    /* every account: whether hubs are there, for who looks after the machine */
    select h.id, h.firmware_version, extract(epoch from now() - h.last_seen_at)::float8 as seen_seconds_ago,
      (select count(*)::integer from printers p where p.account_id = h.account_id and p.hub_id = h.id) as printers
    from hubs h order by h.id limit 1000`
}

/** The last backups that failed, without the words and the folder. */
export async function listFailedBackups(sql: Sql, limit: number) {
  return await sql<Pick<BackupRunRow, 'id' | 'cause' | 'error_code' | 'started_at' | 'ended_at'>[]>`
    select id, cause, error_code, started_at, ended_at from backup_runs
    where status = 'failed' order by started_at desc limit ${limit}`
}

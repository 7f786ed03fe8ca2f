import type { Sql } from '@printyard/server/db/database'

/** What PostgreSQL has done so far, from its own counters. */
interface DatabaseWork {
  walBytes: number
  walSyncs: number
  /** What it had the file system write: pages of tables and indexes, and of the write-ahead log. */
  pageBytes: number
  logPageBytes: number
  commits: number
  checkpoints: number
  /** Rows inserted, changed and deleted, by table. */
  rows: Map<string, number>
}

export async function readDatabaseWork(sql: Sql): Promise<DatabaseWork> {
  const [sums] = await sql<
    { wal: number; commits: number; checkpoints: number; syncs: number; pages: number; log_pages: number }[]
  >`
    select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
      (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits,
      (select (num_timed + num_requested)::float8 from pg_stat_checkpointer) as checkpoints,
      (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as syncs,
      (select sum(coalesce(write_bytes, 0) + coalesce(extend_bytes, 0))::float8 from pg_stat_io where object <> 'wal') as pages,
      (select sum(coalesce(write_bytes, 0))::float8 from pg_stat_io where object = 'wal') as log_pages`
  const tables = await sql<{ name: string; rows: number }[]>`
    select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::float8 as rows from pg_stat_user_tables`
  return {
    walBytes: sums?.wal ?? 0,
    walSyncs: sums?.syncs ?? 0,
    pageBytes: sums?.pages ?? 0,
    logPageBytes: sums?.log_pages ?? 0,
    commits: sums?.commits ?? 0,
    checkpoints: sums?.checkpoints ?? 0,
    rows: new Map(tables.map(({ name, rows }) => [name, rows])),
  }
}

/** What was done between two looks, for each hour. */
export function workPerHour(before: DatabaseWork, after: DatabaseWork, hours: number): Record<string, string> {
  const rows = [...after.rows]
    .map(([name, count]) => ({ name, perHour: (count - (before.rows.get(name) ?? 0)) / hours }))
    .filter(({ perHour }) => perHour > 0)
    .sort((a, b) => b.perHour - a.perHour)
  const each = (key: 'walSyncs' | 'commits' | 'checkpoints') => ((after[key] - before[key]) / hours).toFixed(0)
  const mb = (key: 'walBytes' | 'pageBytes' | 'logPageBytes') => ((after[key] - before[key]) / 1e6 / hours).toFixed(1)
  return {
    'write-ahead log, MB per hour': mb('walBytes'),
    'its pages written, MB per hour': mb('logPageBytes'),
    'other pages written, MB per hour': mb('pageBytes'),
    'syncs of it, per hour': each('walSyncs'),
    'commits per hour': each('commits'),
    'checkpoints per hour': each('checkpoints'),
    'rows written per hour': rows.map(({ name, perHour }) => `${name} ${perHour.toFixed(0)}`).join(', '),
  }
}

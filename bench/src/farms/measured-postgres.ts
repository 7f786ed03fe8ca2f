import { join } from 'node:path'
import type { Sql } from '@printyard/server/db/database'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import type { EmbeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { startEmbeddedPostgres } from '@printyard/server/db/embedded/embedded-postgres'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { readCpuSecondsOfAll } from '../harness/process-figures.ts'
import { makeDataDirectory } from './farm.ts'

/** A PostgreSQL of its own that counts statements, with the settings of one that has a replica. */
interface MeasuredPostgres {
  target: EmbeddedConnection
  /** For DATABASE_URL. */
  url: string
  /** Of the process that all others of it descend from. */
  pid: number
  look(): Promise<DatabaseLook>
}

/** What PostgreSQL has done so far, by its own counters. */
export interface DatabaseLook {
  statements: number
  transactions: number
  walBytes: number
  cpuSeconds: number
  tables: Map<string, TableCounts>
}

export interface TableCounts {
  inserted: number
  changed: number
  deleted: number
  /** Without indexes and what is stored beside the rows. */
  bytes: number
}

/** As an administrator would set up one for several processes; all else as the built-in one. */
const settings = {
  shared_preload_libraries: 'pg_stat_statements',
  max_connections: '100',
  shared_buffers: '256MB',
  wal_level: 'replica',
  checkpoint_timeout: '5min',
  max_wal_size: '1GB',
}

/** Runs until the scope ends. */
export async function startMeasuredPostgres(scope: AsyncDisposableStack): Promise<MeasuredPostgres> {
  const dataDir = join(await makeDataDirectory(scope), 'database')
  const claim = await claimDataDirectory(dataDir, { purpose: 'tests' })
  scope.defer(() => claim.release())
  const server = await startEmbeddedPostgres({ claim, log: silentLog, settings })
  scope.defer(() => server.stop())
  const target = server.connection
  const sql = openDriver(target, 'printyard bench')
  scope.defer(() => sql.end())
  await sql.unsafe('create extension pg_stat_statements')
  return {
    target,
    url: `postgresql://${target.user}@localhost/${target.database}?host=${encodeURIComponent(join(dataDir, 'run'))}`,
    pid: server.pid ?? 0,
    look: () => look(sql, server.pid ?? 0),
  }
}

async function look(sql: Sql, pid: number): Promise<DatabaseLook> {
  const [sums] = await sql<{ statements: number; transactions: number; wal: number }[]>`
    select (select sum(calls)::float8 from pg_stat_statements) as statements,
      (select (xact_commit + xact_rollback)::float8 from pg_stat_database where datname = current_database()) as transactions,
      (select wal_bytes::float8 from pg_stat_wal) as wal`
  const tables = await sql<({ name: string } & TableCounts)[]>`
    select relname as name, n_tup_ins::float8 as inserted, n_tup_upd::float8 as changed, n_tup_del::float8 as deleted,
      pg_relation_size(relid)::float8 as bytes
    from pg_stat_user_tables`
  return {
    statements: sums?.statements ?? 0,
    transactions: sums?.transactions ?? 0,
    walBytes: sums?.wal ?? 0,
    cpuSeconds: readCpuSecondsOfAll(pid) ?? 0,
    tables: new Map(tables.map(({ name, ...counts }) => [name, counts])),
  }
}

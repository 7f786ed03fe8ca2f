import { postgresMajor } from './postgres-binaries.ts'

/**
 * For a farm on a small board: little memory, few processes, nothing given up in safety. fsync, full_page_writes and
 * synchronous_commit keep their defaults (on).
 */
const smallFootprint: Record<string, string> = {
  // The libraries beside the binaries are old; nothing from a network may reach them.
  listen_addresses: '',
  // Relative to the data directory of PostgreSQL, so that no depth of the path can pass the limit of socket paths.
  unix_socket_directories: '../run',
  max_connections: '30',
  shared_buffers: '32MB',
  effective_cache_size: '256MB',
  maintenance_work_mem: '32MB',
  // Each checkpoint writes all pages that changed, and makes the next change of each page write it whole. A farm changes
  // the same few pages all the time; after a crash some MB of the log are read. To compress such pages with pglz, the only way that this
  // build has, costs more than to write them: a tenth of the work of starting a large farm.
  checkpoint_timeout: '30min',
  max_wal_size: '512MB',
  min_wal_size: '64MB',
  wal_compression: 'off',
  // A page of starts fills more than the 1 MB that goes with 32 MB of buffers, and others wait until it is written out.
  wal_buffers: '2MB',
  // No replica hangs off the embedded server; this saves log volume and two processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // Three processes fewer than with the default `worker`.
  io_method: 'sync',
  autovacuum_worker_slots: '2',
  autovacuum_max_workers: '2',
  max_worker_processes: '2',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Read back by `readLogLine`.
  log_line_prefix: '%b|%p|',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  // The text of a failed statement may hold personal data; the caller has the error anyway.
  log_min_error_statement: 'panic',
}

const disposable: Record<string, string> = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

/** What older majors do not know yet, and by which one it came. */
const since: Record<string, number> = { io_method: 18, autovacuum_worker_slots: 18 }

/** Command line of `postgres`. `isDisposable` gives up durability, for databases that live as long as a test run. */
export function postgresArguments(
  clusterDir: string,
  isDisposable: boolean,
  settings: Record<string, string>,
  major: number = postgresMajor,
): string[] {
  const all = { ...smallFootprint, ...(isDisposable ? disposable : {}), ...settings }
  return [
    '-D',
    clusterDir,
    ...Object.entries(all).flatMap(([name, value]) => (major < (since[name] ?? 0) ? [] : ['-c', `${name}=${value}`])),
  ]
}

interface PostgresLogLine {
  level: 'debug' | 'info' | 'warn' | 'error'
  /** PostgreSQL's name for the kind of process that wrote the line, e.g. `postmaster`, `client backend`. */
  process: string
  message: string
}

/** Answers what a line of PostgreSQL's log means to the service. An error of a client is known to that client already. */
export function readLogLine(line: string): PostgresLogLine {
  const match = /^([a-z ]+)\|\d+\|([A-Z0-9]+):\s+(.*)$/.exec(line)
  if (match === null) return { level: 'info', process: 'postgres', message: line }
  const [, process = '', severity = '', message = ''] = match
  return { level: logLevel(process, severity), process, message }
}

function logLevel(process: string, severity: string): PostgresLogLine['level'] {
  if (severity === 'PANIC') return 'error'
  if (process === 'client backend') return 'debug'
  if (severity === 'FATAL') return 'error'
  return severity === 'ERROR' || severity === 'WARNING' ? 'warn' : 'debug'
}

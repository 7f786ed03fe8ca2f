import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { dropEverything } from '../../../db/copy/tables.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import { checkRestored, claimDataDirectory } from '../../../db/embedded/data-directory.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/embedded-postgres.ts'
import { postgresOf } from '../../../db/embedded/postgres-choice.ts'
import { migrationLock, migrationsDirectory, readMigrations } from '../../../db/migrate.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { openStoredContents } from '../../../file-store/open-file-store.ts'
import type { Config } from '../../../kernel/config.ts'
import { BackupError } from '../archive/backup-error.ts'
import { listBackups } from '../archive/backup-folder.ts'
import { checkMigrations, loadRows } from '../archive/load-database.ts'
import { listPart } from '../archive/make-backup.ts'
import type { Manifest } from '../archive/manifest.ts'
import { readPart } from '../archive/parts.ts'
import { readList } from '../archive/stored-files.ts'
import { checkSnapshot, takeSnapshot } from './take-snapshot.ts'
import { afterSnapshot } from './upgrade-guard.ts'
import { readUpgradeState, upgradesIn, writeUpgradeState } from './upgrade-state.ts'
import { countWrittenSince, type WrittenRows, writtenWords } from './written-since.ts'

interface RollBackOptions {
  config: Config
  /** Version of the program that rolls back. */
  version: string
  /** Name of a snapshot. Default: the newest of before an upgrade. */
  snapshot: string | undefined
  /** Goes on although rows were written since the snapshot. */
  discardNewer: boolean
  log: DatabaseLog
}

interface RolledBack {
  snapshot: string
  taken_at: string
  /** The version that wrote the data; null where that is not known. */
  version: string | null
  tables: number
  rows: number
  /** What was written since, and is in `set_aside` alone now. */
  discarded: WrittenRows[]
  /** The snapshot of the database that was replaced. */
  set_aside: string
  /** Files that rows name and that were removed since the snapshot. */
  missing_files: string[]
}

/**
 * Replaces the database by a snapshot of before an upgrade. The present one is kept aside as a snapshot of its own. The tables are
 * replaced in one transaction, so that whatever ends it leaves either the present database or that of the snapshot.
 *
 * @throws BackupError
 */
export async function rollBack(options: RollBackOptions): Promise<RolledBack> {
  const { dataDir, databaseUrl } = options.config
  checkRestored(dataDir)
  const path = await findSnapshot(options)
  const manifest = await checkSnapshot(path)
  checkMigrations(manifest)
  const claim = await claimDataDirectory(dataDir, { purpose: 'rollback' })
  try {
    if (databaseUrl !== undefined) return await rollBackIn({ url: databaseUrl }, path, manifest, options)
    const postgres = postgresOf(options.config)
    // All tables go and come in one transaction, which holds a lock for each of them and of their indexes.
    const settings = { max_locks_per_transaction: '2048' }
    const server = await startEmbeddedPostgres({ claim, log: options.log, postgres, settings })
    try {
      return await rollBackIn(server.connection, path, manifest, options)
    } finally {
      await server.stop()
    }
  } finally {
    await claim.release()
  }
}

async function findSnapshot({ config, snapshot }: Pick<RollBackOptions, 'config' | 'snapshot'>): Promise<string> {
  const folder = upgradesIn(config.dataDir)
  if (snapshot !== undefined) {
    const path = basename(snapshot) === snapshot ? join(folder, snapshot) : resolve(snapshot)
    if (await exists(join(path, 'manifest.json'))) return path
    throw new BackupError('SNAPSHOT_NOT_FOUND', `${path} is not a snapshot.`)
  }
  const [newest] = await listBackups(folder, 'snapshot').catch(() => [])
  if (newest !== undefined) return join(folder, newest.name)
  const words = `There is no snapshot of before an upgrade in ${folder}. Restore a backup instead: docs/operating/backups.md.`
  throw new BackupError('SNAPSHOT_NOT_FOUND', words)
}

async function rollBackIn(
  target: DatabaseTarget,
  path: string,
  manifest: Manifest,
  { config, version, discardNewer }: RollBackOptions,
): Promise<RolledBack> {
  const { dataDir } = config
  const connection = await CopyConnection.open(target, 'printyard rollback')
  try {
    await takeTurn(connection)
    const [before] = await connection.run(`select to_regclass('public.schema_migrations')::text as ledger`)
    const discarded = before?.ledger ? await countWrittenSince(connection, afterSnapshot(manifest.taken_at)) : []
    if (discarded.length > 0 && !discardNewer) {
      const words = `Since this snapshot (${manifest.taken_at}) rows were written, which would be lost: ${writtenWords(discarded)}. They would be kept aside in ${upgradesIn(dataDir)} and not be in the database any more. To go on, add --discard-newer.`
      throw new BackupError('ROLLBACK_WOULD_LOSE', words)
    }
    const files = openStoredContents(config)
    const aside = await takeSnapshot(target, {
      kind: 'set-aside',
      folder: upgradesIn(dataDir),
      files,
      version,
    })
    await replaceTables(connection, path, manifest)
    const state = await readUpgradeState(dataDir)
    await writeUpgradeState(dataDir, { ...state, pending: null })
    return {
      snapshot: path,
      taken_at: manifest.taken_at,
      version: manifest.printyard_version === 'unknown' ? null : manifest.printyard_version,
      tables: manifest.tables.length,
      rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
      discarded,
      set_aside: aside.path,
      missing_files: await listMissing(path, files),
    }
  } finally {
    await connection.close()
  }
}

/** Holds off migrations for as long as this connection lives. @throws BackupError `ROLLBACK_IN_USE` */
async function takeTurn(connection: CopyConnection): Promise<void> {
  const [others] = await connection.run(`
    select count(*)::text as connections from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name like 'printyard%'`)
  const [lock] = await connection.run('select pg_try_advisory_lock($1::bigint)::text as is_ours', [
    String(migrationLock),
  ])
  if (others?.connections === '0' && lock?.is_ours === 'true') return
  const words = 'A service or a command still works on this database. Stop all services that use it, then roll back.'
  throw new BackupError('ROLLBACK_IN_USE', words)
}

async function replaceTables(connection: CopyConnection, path: string, manifest: Manifest): Promise<void> {
  await connection.run('begin')
  try {
    await dropEverything(connection)
    await connection.run(`
      create table schema_migrations (
        number integer primary key,
        file text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`)
    for (const migration of readMigrations(migrationsDirectory).slice(0, manifest.migrations.length)) {
      await connection.run(migration.text)
    }
    await loadRows(connection, path, { manifest, key: undefined })
    await connection.run('commit')
  } catch (error) {
    await connection.run('rollback')
    throw error
  }
  await connection.run('analyze')
}

async function listMissing(path: string, files: StoredContents): Promise<string[]> {
  const { path: list, form } = listPart(path, undefined)
  const stored = new Set<string>()
  for await (const page of files.listPages()) for (const sha256 of page) stored.add(sha256)
  const missing: string[] = []
  for await (const { sha256 } of readList(readPart(list, form))) {
    if (!stored.has(sha256)) missing.push(sha256)
  }
  return missing
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined
}

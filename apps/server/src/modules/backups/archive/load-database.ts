import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { copyInto, emptyTables, liftConstraints, setSequences } from '../../../db/copy/tables.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import { migrate, migrationsDirectory, readMigrations } from '../../../db/migrate.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'
import type { ArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import type { OnBackupProgress } from './backup-progress.ts'
import { compareTables, tablePart } from './export-database.ts'
import type { Manifest } from './manifest.ts'
import { readPart } from './parts.ts'

/** @throws BackupError `BACKUP_TOO_NEW` when this version does not have the migrations that the backup was made with. */
export function checkMigrations({ migrations, printyard_version: version }: Manifest): void {
  const own = readMigrations(migrationsDirectory)
  const stranger = migrations.find(({ number, checksum }) => own[number - 1]?.checksum !== checksum)
  if (stranger === undefined) return
  const words = `The backup was made by Printyard ${version} with the migration ${stranger.file}, which this version does not have. Restore it with that version or a newer one.`
  throw new BackupError('BACKUP_TOO_NEW', words)
}

/**
 * Loads the tables of a backup into an empty database: the migrations up to those of the backup, then all rows in one transaction,
 * foreign keys checked, then each table compared with what was copied.
 *
 * @throws BackupError `RESTORE_NOT_EMPTY`, `BACKUP_TOO_NEW`, `BACKUP_DAMAGED`, `BACKUP_UNVERIFIED`
 */
export async function loadDatabase(
  target: DatabaseTarget,
  folder: string,
  {
    manifest,
    key,
    log,
    onProgress = () => undefined,
  }: { manifest: Manifest; key: ArchiveKey | undefined; log: DatabaseLog; onProgress?: OnBackupProgress },
): Promise<void> {
  checkMigrations(manifest)
  await checkEmpty(target)
  await migrate({ target, log, upTo: manifest.migrations.length })
  const connection = await CopyConnection.open(target, 'printyard restore')
  try {
    await connection.run('begin')
    await loadRows(connection, folder, { manifest, key, onProgress })
    await connection.run('commit')
    await connection.run('analyze')
  } finally {
    await connection.close()
  }
}

/**
 * Replaces the rows of all tables by those of a backup, in the transaction of the connection, whose tables are of the migrations of the
 * backup.
 *
 * @throws BackupError `BACKUP_DAMAGED`, `BACKUP_UNVERIFIED`
 */
export async function loadRows(
  connection: CopyConnection,
  folder: string,
  {
    manifest,
    key,
    onProgress = () => undefined,
  }: { manifest: Manifest; key: ArchiveKey | undefined; onProgress?: OnBackupProgress },
): Promise<void> {
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  let loaded = 0
  const bringBack = await liftConstraints(connection)
  // Migrations bring some rows.
  await emptyTables(connection, manifest.tables)
  for (const table of manifest.tables) {
    const { path, form } = tablePart(folder, table.name, key)
    await connection.copyIn(copyInto(table), readPart(path, form))
    loaded += table.rows
    onProgress({ step: 'restore', done: loaded, total })
  }
  await setSequences(connection, manifest.sequences)
  await bringBack()
  await compareTables(connection, manifest, (done) => onProgress({ step: 'check', done, total }))
}

/** @throws BackupError `RESTORE_NOT_EMPTY` */
export async function checkEmpty(target: DatabaseTarget): Promise<void> {
  const connection = await CopyConnection.open(target, 'printyard restore')
  try {
    const [found] = await connection.run(`select count(*) as tables from pg_tables where schemaname = 'public'`)
    if (found?.tables === '0') return
  } finally {
    await connection.close()
  }
  const words = 'The database is not empty. Restore into a new one: nothing is ever overwritten.'
  throw new BackupError('RESTORE_NOT_EMPTY', words)
}

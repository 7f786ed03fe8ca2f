import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type ConnectedDatabase, connectDatabase } from '../../db/connect-database.ts'
import type { Sql } from '../../db/database.ts'
import { postgresOf } from '../../db/embedded/postgres-choice.ts'
import { listPendingMigrations } from '../../db/migrate.ts'
import type { DatabaseLog } from '../../db/setup/database-log.ts'
import { openStoredContents } from '../../file-store/open-file-store.ts'
import type { Config } from '../../kernel/config.ts'
import { type BackupRunId, newId } from '../../kernel/ids.ts'
import { fingerprintOf, loadFormerSecretKeys, loadSecretKey } from '../../kernel/secret-box.ts'
import { spaceWrites } from '../background/spaced-writes.ts'
import { findArchiveKey, readPassphrase } from './archive/archive-key.ts'
import { BackupError } from './archive/backup-error.ts'
import { checkTarget } from './archive/backup-folder.ts'
import type { BackupProgress, OnBackupProgress } from './archive/backup-progress.ts'
import { type MadeBackup, makeBackup } from './archive/make-backup.ts'
import { removeOldBackups } from './archive/remove-old-backups.ts'
import { backupFolderOf } from './backup-folder-setting.ts'
import { whileAlone } from './backup-lock.ts'
import {
  type BackupCause,
  type BackupRun,
  endBrokenRuns,
  endRun,
  forgetOldRuns,
  insertRun,
  writeProgress,
} from './backup-runs.queries.ts'
import { type BackupSchedule, getSchedule } from './backup-schedule.queries.ts'
import { copyToStore, isStoreUrl, openBackupStore, removeOldCopies } from './store/backup-store.ts'

/** Number of runs that are told of. */
const keptRuns = 200

interface BackupRequest {
  config: Config
  version: string
  cause: BackupCause
  /** Default: the folder of the settings. */
  to: string | undefined
  /** Default: that of the settings. */
  passphraseFile: string | undefined
  log: DatabaseLog
  /** Told of the run as soon as it is recorded. */
  onStart?: (id: BackupRunId) => void
  onProgress?: OnBackupProgress
}

export interface BackupReport extends MadeBackup {
  folder: string
  path: string
  removed_backups: number
  /** The address of its copy in a bucket. */
  copied_to: string | null
  secret_key: 'file' | 'settings'
}

/**
 * Makes a backup, beside the running service or without it, and notes it as a run: only one goes on at a time. Those of the schedule
 * remove what its rule does not keep.
 *
 * @throws BackupError, DatabaseSetupError
 */
export async function runBackup(request: BackupRequest): Promise<BackupReport> {
  const { config, log } = request
  // What goes into a bucket is made on a disk first: there it is checked by a restore.
  const isForStore = request.to !== undefined && isStoreUrl(request.to)
  const folder = request.to === undefined || isForStore ? backupFolderOf(config) : resolve(checkTarget(request.to))
  const copyTo = isForStore ? request.to : request.to === undefined ? config.backupCopyTo : undefined
  const store = copyTo === undefined ? undefined : openBackupStore(copyTo, config)
  const passphraseFile = request.passphraseFile ?? config.backupPassphraseFile
  const postgres = postgresOf(config)
  const connected = await connectDatabase(
    {
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      purpose: 'backup',
      shouldMigrate: false,
      postgres,
    },
    log,
  )
  try {
    const { sql } = connected.database
    await requireMigrated(sql)
    const schedule = await getSchedule(sql)
    const keys = config.secretKey === undefined ? await keysOf(config.dataDir) : [config.secretKey]
    await mkdir(config.dataDir, { recursive: true })
    const findPassphrase = async () => (passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile))
    const make = async (onProgress: OnBackupProgress) => {
      const passphrase = await findPassphrase()
      const made = await makeBackup(
        {
          target: connected.target,
          files: openStoredContents(config),
          installation: schedule.installation_id,
          version: request.version,
          secretKeyFingerprints: keys.map(fingerprintOf),
        },
        { folder, passphrase, scratchParent: config.dataDir, postgres, log, onProgress },
      )
      const removed = request.cause === 'command' ? 0 : await removeOld(folder, schedule, passphrase)
      return { ...made, removed_backups: removed }
    }
    const copies = store && {
      url: store.url,
      copy: async (name: string, onProgress: OnBackupProgress) => {
        const passphrase = await findPassphrase()
        const key = passphrase === undefined ? undefined : await findArchiveKey(folder, passphrase)
        await copyToStore(store, folder, name, key, onProgress)
      },
      removeOld: async () => {
        if (request.cause !== 'command') await removeOldCopies(store, retentionOf(schedule))
      },
    }
    const made = await asRun(connected, { ...request, folder }, make, copies)
    return {
      ...made,
      folder,
      path: join(folder, made.name),
      copied_to: store === undefined ? null : `${store.url}/${made.name}`,
      secret_key: config.secretKey === undefined ? 'file' : 'settings',
    }
  } finally {
    await connected.close()
  }
}

async function requireMigrated(sql: Sql): Promise<void> {
  const pending = await listPendingMigrations(sql)
  if (pending.length === 0) return
  const words =
    'The database is not of this version yet. Start the service once, or make the backup with the version that used it last.'
  throw new BackupError('BACKUP_TARGET_UNUSABLE', words)
}

async function keysOf(dataDir: string): Promise<string[]> {
  return [await loadSecretKey(dataDir), ...(await loadFormerSecretKeys(dataDir))]
}

async function removeOld(folder: string, schedule: BackupSchedule, passphrase: string | undefined): Promise<number> {
  const key = passphrase === undefined ? undefined : await findArchiveKey(folder, passphrase)
  return (await removeOldBackups(folder, retentionOf(schedule), key)).backups
}

const retentionOf = (schedule: BackupSchedule) => ({
  daily: schedule.keep_daily,
  weekly: schedule.keep_weekly,
  monthly: schedule.keep_monthly,
})

/** What follows a backup that goes into a bucket too. */
interface Copies {
  url: string
  copy: (name: string, onProgress: OnBackupProgress) => Promise<void>
  removeOld: () => Promise<void>
}

type Made = MadeBackup & { removed_backups: number }

/** Records the work as the one run that goes on. @throws BackupError `BACKUP_RUNNING` */
async function asRun(
  connected: Pick<ConnectedDatabase, 'database' | 'target'>,
  {
    cause,
    folder,
    onStart,
    ...request
  }: Pick<BackupRequest, 'cause' | 'onStart' | 'onProgress' | 'log'> & { folder: string },
  make: (onProgress: OnBackupProgress) => Promise<Made>,
  copies: Copies | undefined,
): Promise<Made> {
  const { sql } = connected.database
  const report = await whileAlone(connected.target, async () => {
    await endBrokenRuns(sql, new Date(), { isLockOurs: true })
    const id = newId('backupRun')
    await insertRun(sql, { id, cause, folder, copy_to: copies?.url ?? null, started_at: new Date() })
    onStart?.(id)
    const noted = spaceWrites<BackupProgress>({
      write: (progress) => writeProgress(sql, id, progress),
      everyMs: 1_000,
      isUrgent: ({ step }, last) => step !== last.step,
      // A backup goes on where it cannot be noted how far it is.
      onError: (error) => request.log.warn({ err: error }, 'how far a backup is was not noted'),
    })
    const onProgress: OnBackupProgress = (progress) => {
      noted.tell(progress)
      request.onProgress?.(progress)
    }
    const made = await make(onProgress).catch(async (error: unknown) => await fail(sql, id, error))
    const copied = copies && (await copyMade(sql, id, made, { copies, onProgress }))
    await noted.settled()
    await endRun(sql, id, { status: 'done', ended_at: new Date(), ...copied, ...contentOf(made) })
    await forgetOldRuns(sql, keptRuns)
    return made
  })
  if (report === undefined) throw new BackupError('BACKUP_RUNNING', 'Another backup is being made. Wait for its end.')
  return report
}

/** Copies a backup that lies on the disk. A copy that fails makes the run fail, and the run still says what is on the disk. */
async function copyMade(
  sql: Sql,
  id: BackupRunId,
  made: Made,
  { copies, onProgress }: { copies: Copies; onProgress: OnBackupProgress },
): Promise<{ copied_at: Date }> {
  let copiedAt: Date | undefined
  try {
    await copies.copy(made.name, onProgress)
    copiedAt = new Date()
    await copies.removeOld()
    return { copied_at: copiedAt }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return await fail(sql, id, error, { ...contentOf(made), copied_at: copiedAt ?? null, copy_error: words })
  }
}

/** Ends a run as failed, and throws why. */
async function fail(sql: Sql, id: BackupRunId, error: unknown, known: Partial<BackupRun> = {}): Promise<never> {
  const code = error instanceof BackupError ? error.code : 'BACKUP_FAILED'
  const words = error instanceof Error ? error.message : String(error)
  await endRun(sql, id, { status: 'failed', ended_at: new Date(), error_code: code, error: words, ...known })
  throw error
}

const contentOf = (made: MadeBackup) => ({
  name: made.name,
  total_bytes: made.total_bytes,
  new_bytes: made.new_bytes,
  file_count: made.files,
  missing_file_count: made.missing_files.length,
  row_count: made.rows,
  is_encrypted: made.is_encrypted,
})

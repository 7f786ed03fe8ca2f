import { copyFile, constants as modes } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { postgresOf } from '@printyard/server/db/embedded/postgres-choice'
import { openStoredContents } from '@printyard/server/file-store/open-file-store'
import { readPassphrase } from '@printyard/server/modules/backups/archive/archive-key'
import { BackupError } from '@printyard/server/modules/backups/archive/backup-error'
import type { BackupProgress, BackupStep } from '@printyard/server/modules/backups/archive/backup-progress'
import { restoreBackup } from '@printyard/server/modules/backups/archive/restore-backup'
import { type BackupReport, runBackup } from '@printyard/server/modules/backups/run-backup'
import { withLocalBackup } from '@printyard/server/modules/backups/store/fetch-backup'
import packageJson from '../../package.json' with { type: 'json' }
import { type Answer, count } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { commandLog } from '../command-log.ts'
import { showStep, stepWords } from '../show-step.ts'
import { type DataDirOption, readCommandConfig } from '../with-database.ts'

export interface BackUpOptions extends DataDirOption {
  to?: string
  passphraseFile?: string
  copySecretKeyTo?: string
}

/** Makes a backup, beside the running service or without it. */
export async function backUp(options: BackUpOptions): Promise<Answer> {
  const config = readCommandConfig(options)
  const step = showStep('Making the backup:')
  const made = await explained(
    runBackup({
      config,
      version: packageJson.version,
      cause: 'command',
      to: options.to,
      passphraseFile: options.passphraseFile,
      log: commandLog(),
      onProgress: (progress) => step.show(progressWords(progress)),
    }).finally(step.clear),
  )
  const keyCopy =
    options.copySecretKeyTo === undefined ? undefined : await copyKey(config.dataDir, options.copySecretKeyTo)
  return { document: { ...made, secret_key_copied_to: keyCopy ?? null }, text: describe(made, config.dataDir, keyCopy) }
}

const stepNames: Record<BackupStep, string> = {
  files: 'files',
  tables: 'tables',
  restore: 'restoring the tables',
  check: 'comparing the tables',
  copy: 'copying to the bucket',
}

function progressWords({ step, done, total }: BackupProgress): string {
  const isBytes = step === 'files' || step === 'copy'
  const scale = isBytes ? 1e6 : 1
  const rounded = (count: number) => Math.round(count / scale)
  return stepWords(stepNames[step], rounded(done), total === null ? null : rounded(total), isBytes ? 'MB' : 'rows')
}

async function copyKey(dataDir: string, to: string): Promise<string> {
  const path = resolve(to)
  try {
    await copyFile(join(dataDir, 'secret.key'), path, modes.COPYFILE_EXCL)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(`The backup is made, but the secret key could not be copied: ${reason}.`, 1, {
      cause: error,
    })
  }
  return path
}

function describe(made: BackupReport, dataDir: string, keyCopy: string | undefined): string {
  const { missing_files: missing } = made
  return [
    `Made the backup ${made.path}${made.is_encrypted ? ', encrypted' : ''}: ${count(made.rows, 'row')} of ${made.tables} tables, ${count(made.files, 'file')}, ${megabytes(made.total_bytes)} in all, ${megabytes(made.new_bytes)} of it new.`,
    'It was restored once into a scratch database, and every table was the same.',
    ...(made.copied_to === null ? [] : [`It is copied to ${made.copied_to}.`]),
    ...(missing.length === 0
      ? []
      : [
          `${count(missing.length, 'file')} of which the database knows could not be read in the data folder, and ${missing.length === 1 ? 'is' : 'are'} not in it: ${missing.slice(0, 5).join(', ')}${missing.length > 5 ? ', …' : ''}.`,
        ]),
    keyNote(made, dataDir, keyCopy),
  ].join('\n')
}

function keyNote(made: BackupReport, dataDir: string, keyCopy: string | undefined): string {
  if (made.secret_key === 'settings') {
    return 'The secret key is not in it: it is that of PRINTYARD_SECRET_KEY. Keep a copy of it in another place.'
  }
  if (keyCopy !== undefined) return `The secret key is not in it, but in ${keyCopy}. Keep the two in different places.`
  return `The secret key is not in it. Keep a copy of ${join(dataDir, 'secret.key')} in another place: without it the stored secrets cannot be read.`
}

export interface RestoreOptions extends DataDirOption {
  passphraseFile?: string
  secretKeyFile?: string
  withoutSecretKey?: boolean
}

/** Restores a backup into an empty data directory. */
export async function restore(from: string, options: RestoreOptions): Promise<Answer> {
  const config = readCommandConfig(options)
  const { passphraseFile = config.backupPassphraseFile } = options
  const step = showStep('Restoring:')
  const restored = await explained(
    withLocalBackup({ from, config, passphraseFile }, async (local) =>
      restoreBackup({
        from: local,
        dataDir: config.dataDir,
        files: openStoredContents(config),
        database: config.databaseUrl === undefined ? undefined : { url: config.databaseUrl },
        passphrase: passphraseFile === undefined ? undefined : await readPassphrase(passphraseFile),
        secretKeyFile: options.secretKeyFile,
        secretKey: config.secretKey,
        withoutSecretKey: options.withoutSecretKey === true,
        postgres: postgresOf(config),
        log: commandLog(),
        onProgress: (progress) => step.show(progressWords(progress)),
      }),
    ).finally(step.clear),
  )
  const keyWords = {
    restored: 'The secret key was restored.',
    'from settings': 'The secret key is that of PRINTYARD_SECRET_KEY.',
    missing: 'The secret key is missing: enter the credentials of printers and the secrets of webhooks again.',
  }
  return {
    document: { ...restored, data_dir: config.dataDir },
    text: [
      `Restored into ${config.dataDir} what was there at ${restored.taken_at}: ${count(restored.rows, 'row')} of ${restored.tables} tables, ${count(restored.files, 'file')}. Every table is that of the backup.`,
      keyWords[restored.secret_key],
      ...(restored.missing_files.length === 0
        ? []
        : [
            `${count(restored.missing_files.length, 'file')} could not be read when the backup was made; upload them again.`,
          ]),
      'Start the service, then the hubs. What was printed since is asked about, and never repeated by itself.',
    ].join('\n'),
  }
}

/** A failure of a backup as one of the command: its message says what to do. */
export async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BackupError) {
      throw new CommandError(`${error.message} (${error.code})`, error.code === 'BACKUP_TARGET_UNKNOWN' ? 2 : 1, {
        cause: error,
      })
    }
    throw error
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB`
}

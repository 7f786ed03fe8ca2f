import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { writeSecretOnce } from '@printyard/protocol/secret-file'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import { claimDataDirectory, markRestore } from '../../../db/embedded/data-directory.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/embedded-postgres.ts'
import type { PostgresChoice } from '../../../db/embedded/postgres-choice.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { fingerprintOf } from '../../../kernel/secret-box.ts'
import { type ArchiveKey, findArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import { checkTarget, listBackups } from './backup-folder.ts'
import type { OnBackupProgress } from './backup-progress.ts'
import { checkEmpty, checkMigrations, loadDatabase } from './load-database.ts'
import { checkParts, listPart } from './make-backup.ts'
import { findManifest, type Manifest, readManifest } from './manifest.ts'
import { readPart, syncFolder, syncTree } from './parts.ts'
import { FileArchive, readList, type StoredFile } from './stored-files.ts'

export interface RestoreOptions {
  /** A folder `backup-…`. */
  from: string
  dataDir: string
  /** Place where print files and pictures go. */
  files: StoredContents
  /** Database of a server of the user's own, for an installation with one; undefined for the embedded database. */
  database: DatabaseTarget | undefined
  passphrase: string | undefined
  /** Place where the copy of `secret.key` lies; without it one beside the backup is taken. */
  secretKeyFile: string | undefined
  /** The key of the settings, which no file replaces. */
  secretKey: string | undefined
  /** Goes on without the key of the backup: what it sealed cannot be read again. */
  withoutSecretKey: boolean
  postgres: PostgresChoice
  log: DatabaseLog
  onProgress?: OnBackupProgress
}

interface RestoredBackup {
  taken_at: string
  tables: number
  rows: number
  files: number
  missing_files: string[]
  secret_key: 'restored' | 'from settings' | 'missing'
}

/**
 * Restores a backup into an empty data directory. All of the backup is checked before anything is written; until the end the
 * directory is marked, so that no service starts on a part.
 *
 * @throws BackupError
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const from = resolve(checkTarget(options.from))
  await checkEmptyDirectory(options.dataDir)
  if (options.database !== undefined) await checkEmpty(options.database)
  const key = await openBackup(from, options.passphrase)
  const manifest = await readManifest(from, key)
  checkMigrations(manifest)
  const secretKeys = await findSecretKeys(from, manifest, options)
  const archive = new FileArchive(dirname(from), key)
  await checkParts(from, manifest, key)
  for await (const file of filesOf(from, key)) await archive.check(file)

  const claim = await claimDataDirectory(options.dataDir, { purpose: 'restore' })
  try {
    markRestore(options.dataDir, true)
    const { onProgress = () => undefined } = options
    await restoreFiles(filesOf(from, key), archive, {
      contents: options.files,
      onBytes: (done) => onProgress({ step: 'files', done, total: manifest.files.total_bytes }),
    })
    const load = async (target: DatabaseTarget) => {
      await loadDatabase(target, from, { manifest, key, log: options.log, onProgress })
      await endRunOfBackup(target)
    }
    if (options.database !== undefined) {
      await load(options.database)
    } else {
      const { log, postgres } = options
      // Durable at the end, all at once: until then the mark says that nothing here counts.
      const server = await startEmbeddedPostgres({ claim, log, postgres, isDisposable: true })
      try {
        await load(server.connection)
      } finally {
        await server.stop()
      }
      await syncTree(join(options.dataDir, 'postgres'))
    }
    for (const { name, text } of secretKeys) await writeSecretOnce(join(options.dataDir, name), `${text}\n`)
    await syncFolder(options.dataDir)
    markRestore(options.dataDir, false)
  } finally {
    await claim.release()
  }
  return {
    taken_at: manifest.taken_at,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.files.count,
    missing_files: manifest.missing_files,
    secret_key: options.secretKey !== undefined ? 'from settings' : secretKeys.length > 0 ? 'restored' : 'missing',
  }
}

/** @throws BackupError `RESTORE_NOT_EMPTY` */
async function checkEmptyDirectory(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    const words = `${dataDir} cannot be used as a data directory: ${error.message}.`
    throw new BackupError('RESTORE_NOT_EMPTY', words, { cause: error })
  })
  if (names.every((name) => name === 'lost+found')) return
  const words = `${dataDir} is not empty. Restore into a new directory (--data-dir): nothing is ever overwritten.`
  throw new BackupError('RESTORE_NOT_EMPTY', words)
}

/** The key of a backup; undefined for one that is not encrypted. */
async function openBackup(from: string, passphrase: string | undefined): Promise<ArchiveKey | undefined> {
  const found = await findManifest(from)
  if (found === undefined) throw new BackupError('BACKUP_NOT_FOUND', await notFound(from))
  if (found.sealedBy === undefined) return undefined
  if (passphrase === undefined) {
    throw new BackupError(
      'BACKUP_LOCKED',
      `${from} is encrypted. Name the file of its passphrase by --passphrase-file.`,
    )
  }
  const key = await findArchiveKey(dirname(from), passphrase)
  if (key?.id === found.sealedBy) return key
  const words = `The passphrase does not open ${from}, or its key is missing from ${join(dirname(from), 'keys')}.`
  throw new BackupError('BACKUP_LOCKED', words)
}

async function notFound(from: string): Promise<string> {
  if (/^(draft|removed)-/.test(basename(from))) return `${from} is not a backup: it was broken off. Choose another.`
  const [newest] = await listBackups(from).catch(() => [])
  if (newest !== undefined)
    return `${from} is a folder of backups. Name one of them; the newest is ${join(from, newest.name)}`
  const isThere = await stat(from).then(
    () => true,
    () => false,
  )
  return isThere ? `${from} is not a backup of Printyard.` : `${from} does not exist.`
}

/** The secret keys of the backup, those that can be found. @throws BackupError `BACKUP_KEY_MISSING` */
async function findSecretKeys(
  from: string,
  { secret_key_fingerprints: wanted }: Manifest,
  options: RestoreOptions,
): Promise<{ name: string; text: string }[]> {
  if (options.withoutSecretKey) return []
  if (options.secretKey !== undefined) {
    if (wanted.length === 0 || wanted.includes(fingerprintOf(options.secretKey))) return []
    const words = 'PRINTYARD_SECRET_KEY is not the key that the backup was made with.'
    throw new BackupError('BACKUP_KEY_MISSING', words)
  }
  const places = [from, dirname(from)].map((folder) => join(folder, 'secret.key'))
  const candidates = options.secretKeyFile === undefined ? places : [resolve(options.secretKeyFile)]
  const found: { name: string; text: string }[] = []
  for (const path of candidates.flatMap((place) => [place, `${place}.former`])) {
    const text = (await readFile(path, 'utf8').catch(() => '')).trim()
    const name = path.endsWith('.former') ? 'secret.key.former' : 'secret.key'
    const isWanted = /^[0-9a-f]{64}$/.test(text) && wanted.includes(fingerprintOf(text))
    if (isWanted && !found.some((other) => other.name === name)) found.push({ name, text })
  }
  if (wanted.length === 0 || found.some(({ name }) => name === 'secret.key')) return found
  const place = options.secretKeyFile === undefined ? 'beside the backup' : `in ${options.secretKeyFile}`
  const words = `The secret key of this backup is not ${place}. It is kept apart: name your copy by --secret-key-file. Without it the stored secrets of printers cannot be read again; to enter them all again, add --without-secret-key.`
  throw new BackupError('BACKUP_KEY_MISSING', words)
}

function filesOf(from: string, key: ArchiveKey | undefined): AsyncIterable<StoredFile> {
  const { path, form } = listPart(from, key)
  return readList(readPart(path, form))
}

async function restoreFiles(
  files: AsyncIterable<StoredFile>,
  archive: FileArchive,
  { contents, onBytes }: { contents: StoredContents; onBytes: (done: number) => void },
): Promise<void> {
  let done = 0
  for await (const { sha256, bytes } of files) {
    const content = archive.read(sha256)
    const isWhole = await contents.add(sha256, content).catch((error: unknown) => {
      throw content.errored ?? error
    })
    if (!isWhole)
      throw new BackupError('BACKUP_DAMAGED', `The file ${archive.pathOf(sha256)} of the backup is damaged.`)
    done += bytes
    onBytes(done)
  }
}

/** The run that made the backup stands in it as one that still goes on. */
async function endRunOfBackup(target: DatabaseTarget): Promise<void> {
  const connection = await CopyConnection.open(target, 'printyard restore')
  try {
    await connection.run(`delete from backup_runs where status = 'running'`)
  } finally {
    await connection.close()
  }
}

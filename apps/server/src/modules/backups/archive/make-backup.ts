import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { PostgresChoice } from '../../../db/embedded/postgres-choice.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { type ArchiveKey, openArchiveKey } from './archive-key.ts'
import { asTargetError } from './backup-error.ts'
import { makeDraft, nameBackup, prepareFolder } from './backup-folder.ts'
import type { OnBackupProgress } from './backup-progress.ts'
import { DatabaseSnapshot, tablePart } from './export-database.ts'
import { loadDatabase } from './load-database.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'
import { checkPart, type StoredPart, writePart } from './parts.ts'
import { withScratchDatabase } from './scratch-database.ts'
import { FileArchive, type StoredFile, writeList } from './stored-files.ts'

interface BackupSource {
  target: DatabaseTarget
  /** Print files and pictures. */
  files: StoredContents
  installation: string
  version: string
  secretKeyFingerprints: string[]
}

export interface BackupOptions {
  /** Place where backups go. */
  folder: string
  passphrase: string | undefined
  /** An existing directory with room for the database once more, for the check. */
  scratchParent: string
  postgres: PostgresChoice
  log: DatabaseLog
  onProgress?: OnBackupProgress
}

/** A complete, checked backup. */
export interface MadeBackup {
  name: string
  taken_at: string
  /** Bytes of the backup with all its files, as they lie on the disk. */
  total_bytes: number
  /** What this backup added to the folder. */
  new_bytes: number
  files: number
  new_files: number
  tables: number
  rows: number
  is_encrypted: boolean
  missing_files: string[]
}

/**
 * Makes a backup of a database and its files. It gets its name only when it is whole and was restored once into a scratch database
 * whose tables are all those of the snapshot. Whatever ends it before leaves a draft, which the next one removes.
 *
 * @throws BackupError
 */
export async function makeBackup(source: BackupSource, options: BackupOptions): Promise<MadeBackup> {
  const { folder, onProgress = () => undefined } = options
  await prepareFolder(folder, source.installation)
  let draft: string | undefined
  try {
    const key = options.passphrase === undefined ? undefined : await openArchiveKey(folder, options.passphrase)
    const files = new FileCopy(source.files, new FileArchive(folder, key), onProgress)
    // Once before the snapshot, so that a file that is deleted meanwhile is there for the rows that name it.
    await files.copyNew()
    draft = await makeDraft(folder)
    const written = await writeDraft(draft, source, { key, files, onProgress })
    await checkDraft(draft, key, { ...options, onProgress })
    const name = await nameBackup(folder, draft, new Date(written.manifest.taken_at))
    return describe(name, written, files)
  } catch (error) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true, maxRetries: 3 })
    throw asTargetError(folder, error)
  }
}

interface WrittenDraft {
  manifest: Manifest
  list: StoredPart
}

async function writeDraft(
  draft: string,
  source: BackupSource,
  { key, files, onProgress }: { key: ArchiveKey | undefined; files: FileCopy; onProgress: OnBackupProgress },
): Promise<WrittenDraft> {
  const snapshot = await DatabaseSnapshot.open(source.target)
  try {
    const database = await snapshot.export(draft, key, (rows) =>
      onProgress({ step: 'tables', done: rows, total: null }),
    )
    await files.copyNew()
    const missing = [...(await snapshot.listFiles())].filter((sha256) => !files.copied.has(sha256)).sort()
    const { path, form } = listPart(draft, key)
    const list = await writePart(path, writeList(files.list()), form)
    const manifest: Manifest = {
      format: 1,
      printyard_version: source.version,
      ...database,
      files: { count: files.copied.size, total_bytes: files.totalBytes, ...list },
      missing_files: missing,
      secret_key_fingerprints: source.secretKeyFingerprints,
    }
    await writeManifest(draft, manifest, key)
    return { manifest, list }
  } finally {
    await snapshot.close()
  }
}

/** Reads the draft as a restore would: from the disk, by its manifest. */
async function checkDraft(
  draft: string,
  key: ArchiveKey | undefined,
  options: BackupOptions & { onProgress: OnBackupProgress },
): Promise<void> {
  const manifest = await readManifest(draft, key)
  await checkParts(draft, manifest, key)
  await withScratchDatabase(options.scratchParent, options, (target) =>
    loadDatabase(target, draft, { manifest, key, log: options.log, onProgress: options.onProgress }),
  )
}

/** @throws BackupError `BACKUP_DAMAGED` */
export async function checkParts(folder: string, manifest: Manifest, key: ArchiveKey | undefined): Promise<void> {
  for (const table of manifest.tables) await checkPart(tablePart(folder, table.name, key).path, table)
  await checkPart(listPart(folder, key).path, manifest.files)
}

/** Answers where the list of the files of a backup lies. */
export function listPart(folder: string, key: ArchiveKey | undefined) {
  const path = join(folder, `files.list.gz${key === undefined ? '' : '.sealed'}`)
  return { path, form: { key, purpose: 'list of files', isCompressed: true } }
}

function describe(name: string, { manifest, list }: WrittenDraft, files: FileCopy): MadeBackup {
  const databaseBytes = manifest.tables.reduce((sum, { bytes }) => sum + bytes, 0) + list.bytes
  return {
    name,
    taken_at: manifest.taken_at,
    total_bytes: databaseBytes + files.totalBytes,
    new_bytes: databaseBytes + files.newBytes,
    files: files.copied.size,
    new_files: files.newFiles,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    is_encrypted: files.isEncrypted,
    missing_files: manifest.missing_files,
  }
}

/** The files of one backup: what the archive has not is copied, what it has is named. */
class FileCopy {
  readonly copied = new Map<string, number>()
  totalBytes = 0
  newBytes = 0
  newFiles = 0
  readonly #contents: StoredContents
  readonly #archive: FileArchive
  readonly #onProgress: OnBackupProgress
  #knownBytes: number | undefined

  constructor(contents: StoredContents, archive: FileArchive, onProgress: OnBackupProgress) {
    this.#contents = contents
    this.#archive = archive
    this.#onProgress = onProgress
  }

  get isEncrypted(): boolean {
    return this.#archive.isEncrypted
  }

  async copyNew(): Promise<void> {
    this.#knownBytes ??= await this.#countBytes()
    for await (const page of this.#contents.listSized()) {
      for (const { sha256, sizeBytes } of page) {
        await this.#copy(sha256, sizeBytes)
        // Files that came since they were counted are more than was known.
        this.#onProgress({ step: 'files', done: this.totalBytes, total: Math.max(this.#knownBytes, this.totalBytes) })
      }
    }
  }

  async #countBytes(): Promise<number> {
    let bytes = 0
    for await (const page of this.#contents.listSized()) for (const { sizeBytes } of page) bytes += sizeBytes
    return bytes
  }

  async #copy(sha256: string, bytes: number): Promise<void> {
    if (this.copied.has(sha256)) return
    if (!(await this.#archive.has(sha256))) {
      const added = await this.#archive.copyFrom(this.#contents, sha256)
      if (added === undefined) return
      this.newFiles += 1
      this.newBytes += added.storedBytes
    }
    this.copied.set(sha256, bytes)
    this.totalBytes += bytes
  }

  *list(): Generator<StoredFile> {
    for (const [sha256, bytes] of this.copied) yield { sha256, bytes }
  }
}

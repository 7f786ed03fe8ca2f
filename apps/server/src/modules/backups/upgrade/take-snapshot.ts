import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { RowDigest } from '../../../db/copy/row-digest.ts'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { asTargetError, BackupError } from '../archive/backup-error.ts'
import { type BackupKind, makeDraft, nameBackup, removeDrafts } from '../archive/backup-folder.ts'
import { DatabaseSnapshot, tablePart } from '../archive/export-database.ts'
import { checkParts, listPart } from '../archive/make-backup.ts'
import { type Manifest, readManifest, writeManifest } from '../archive/manifest.ts'
import { readPart, writePart } from '../archive/parts.ts'
import { type StoredFile, writeList } from '../archive/stored-files.ts'

interface SnapshotOptions {
  kind: Exclude<BackupKind, 'backup'>
  /** Place where snapshots go. */
  folder: string
  /** The store of print files and pictures, which are named and not copied: their names are their hashes. */
  files: Pick<StoredContents, 'listSized'>
  version: string
}

/** A complete snapshot. */
interface Snapshot {
  name: string
  path: string
  manifest: Manifest
  bytes: number
}

const mib = 1024 * 1024
/** What a start writes besides. */
const spareBytes = 64 * mib

/**
 * Copies all tables of a database into a folder, reads the copy again, and only then gives it its name.
 *
 * @throws BackupError
 */
export async function takeSnapshot(target: DatabaseTarget, options: SnapshotOptions): Promise<Snapshot> {
  const { folder, kind } = options
  let draft: string | undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await removeDrafts(folder)
    await checkRoom(target, folder)
    draft = await makeDraft(folder)
    await writeDraft(draft, target, options)
    const manifest = await checkSnapshot(draft)
    const name = await nameBackup(folder, draft, new Date(manifest.taken_at), kind)
    const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, manifest.files.bytes)
    return { name, path: join(folder, name), manifest, bytes }
  } catch (error) {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true, maxRetries: 3 })
    throw asTargetError(folder, error)
  }
}

/** Refuses where there is less room than for the database once more: the copy, and what a migration rewrites. */
async function checkRoom(target: DatabaseTarget, folder: string): Promise<void> {
  const connection = await CopyConnection.open(target, 'printyard upgrade')
  try {
    const [row] = await connection.run('select pg_database_size(current_database())::text as bytes')
    const { bavail, bsize } = await statfs(folder)
    const problem = findRoomProblem({ databaseBytes: Number(row?.bytes), freeBytes: bavail * bsize, folder })
    if (problem !== undefined) throw new BackupError('BACKUP_TARGET_UNUSABLE', problem)
  } finally {
    await connection.close()
  }
}

/** Answers why a snapshot does not fit; undefined when it does. */
export function findRoomProblem(room: {
  databaseBytes: number
  freeBytes: number
  folder: string
}): string | undefined {
  const needed = room.databaseBytes + spareBytes
  if (room.freeBytes >= needed) return undefined
  return `It needs ${megabytes(needed)} in ${room.folder}, where ${megabytes(room.freeBytes)} are free.`
}

const megabytes = (bytes: number) => `${Math.ceil(bytes / mib).toLocaleString('en')} MB`

async function writeDraft(draft: string, target: DatabaseTarget, options: SnapshotOptions): Promise<void> {
  const snapshot = await DatabaseSnapshot.open(target)
  try {
    const database = await snapshot.export(draft, undefined)
    const files: StoredFile[] = []
    const missing: string[] = []
    const sizes = new Map<string, number>()
    for await (const page of options.files.listSized()) {
      for (const { sha256, sizeBytes } of page) sizes.set(sha256, sizeBytes)
    }
    for (const sha256 of [...(await snapshot.listFiles())].sort()) {
      const bytes = sizes.get(sha256)
      if (bytes === undefined) missing.push(sha256)
      else files.push({ sha256, bytes })
    }
    const { path, form } = listPart(draft, undefined)
    const list = await writePart(path, writeList(files), form)
    await writeManifest(
      draft,
      {
        format: 1,
        printyard_version: options.version,
        ...database,
        files: { count: files.length, total_bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), ...list },
        missing_files: missing,
        // The key stays in the data directory, where the snapshot lies too.
        secret_key_fingerprints: [],
      },
      undefined,
    )
  } finally {
    await snapshot.close()
  }
}

/** Reads a snapshot from the disk and compares the rows of each table with what was copied. @throws BackupError `BACKUP_DAMAGED` */
export async function checkSnapshot(path: string): Promise<Manifest> {
  const manifest = await readManifest(path, undefined)
  await checkParts(path, manifest, undefined)
  for (const table of manifest.tables) {
    const part = tablePart(path, table.name, undefined)
    const digest = new RowDigest()
    let rest = Buffer.alloc(0)
    for await (const piece of readPart(part.path, part.form)) {
      rest = Buffer.concat([rest, piece as Buffer])
      let start = 0
      // A line end within a value is escaped.
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, start)) {
        digest.add(rest.subarray(start, end + 1))
        start = end + 1
      }
      rest = rest.subarray(start)
    }
    if (rest.length > 0 || digest.rows !== table.rows || digest.hex !== table.digest) {
      throw new BackupError('BACKUP_DAMAGED', `${part.path} is damaged: its rows are not those that were copied.`)
    }
  }
  return manifest
}

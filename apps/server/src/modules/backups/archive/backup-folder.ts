import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSecretOnce } from '@printyard/protocol/secret-file'
import { asTargetError, BackupError } from './backup-error.ts'
import { syncFolder } from './parts.ts'

const nameForm = /^(backup|snapshot|set-aside)-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z(-\d+)?$/
const draftForm = /^(draft|removed)-/
/** Says whose backups lie in a folder. */
export const ownerFile = 'printyard-backups.json'

/** What a backup is: one of everything; the database before an upgrade; or the database that a rollback replaced. */
export type BackupKind = 'backup' | 'snapshot' | 'set-aside'

/** A complete backup of a folder. */
interface NamedBackup {
  name: string
  takenAt: Date
}

/**
 * Makes a folder ready for backups of an installation, and removes what killed backups left there. Only one process at a time may
 * work on a folder.
 *
 * @throws BackupError `BACKUP_TARGET_UNKNOWN`, `BACKUP_TARGET_UNUSABLE`, `BACKUP_OF_ANOTHER`
 */
export async function prepareFolder(folder: string, installation: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = await readdir(folder)
    if (!names.includes(ownerFile) && names.some((name) => !belongsThere(name))) {
      const words = `${folder} holds other things. Choose an empty folder, or a new one in it.`
      throw new BackupError('BACKUP_TARGET_UNUSABLE', words)
    }
    await writeSecretOnce(join(folder, ownerFile), `${JSON.stringify({ format: 1, installation })}\n`)
    const owner: unknown = JSON.parse(await readFile(join(folder, ownerFile), 'utf8'))
    if (typeof owner !== 'object' || owner === null || !('installation' in owner)) {
      throw new BackupError('BACKUP_DAMAGED', `${join(folder, ownerFile)} is damaged.`)
    }
    if (owner.installation !== installation) {
      const words = `${folder} holds the backups of another installation. Choose a folder for this one alone.`
      throw new BackupError('BACKUP_OF_ANOTHER', words)
    }
    await removeDrafts(folder)
  } catch (error) {
    throw asTargetError(folder, error)
  }
}

/** Removes what killed backups left. */
export async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (draftForm.test(name)) await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What a new disk holds, and what a first backup leaves that was killed at once. */
function belongsThere(name: string): boolean {
  return name === 'lost+found' || name.startsWith('.') || name.startsWith(ownerFile)
}

/** Answers what a user may name as the target of backups. @throws BackupError `BACKUP_TARGET_UNKNOWN` */
export function checkTarget(target: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) {
    const words = `${target.replace(/\/\/.*@/, '//')} is not a target for backups. Name a folder, or s3://BUCKET/PREFIX.`
    throw new BackupError('BACKUP_TARGET_UNKNOWN', words)
  }
  return target
}

/** A folder for the parts of a backup that is not complete: its name says so. */
export async function makeDraft(folder: string): Promise<string> {
  const draft = join(folder, `draft-${randomBytes(6).toString('hex')}`)
  await mkdir(join(draft, 'database'), { recursive: true, mode: 0o700 })
  return draft
}

/** Gives a complete backup its name: from here on it counts. */
export async function nameBackup(
  folder: string,
  draft: string,
  takenAt: Date,
  kind: BackupKind = 'backup',
): Promise<string> {
  const base = `${kind}-${takenAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const taken = new Set(await readdir(folder))
  let name = base
  for (let number = 2; taken.has(name); number += 1) name = `${base}-${number}`
  await syncFolder(join(draft, 'database'))
  await syncFolder(draft)
  await rename(draft, join(folder, name))
  await syncFolder(folder)
  return name
}

/** Answers when a backup was taken, as its name says; undefined for what has no such name. */
export function takenAtOf(name: string, kind: BackupKind = 'backup'): Date | undefined {
  const [, found, day, hour, minute, second] = nameForm.exec(name) ?? []
  return found === kind ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined
}

/** The complete backups of a folder, the newest first. */
export async function listBackups(folder: string, kind: BackupKind = 'backup'): Promise<NamedBackup[]> {
  const names = await readdir(folder)
  const backups = names.flatMap((name) => {
    const takenAt = takenAtOf(name, kind)
    return takenAt === undefined ? [] : [{ name, takenAt }]
  })
  return backups.sort((one, other) => (one.name < other.name ? 1 : -1))
}

/** Takes the name away first, so that a removal that is broken off leaves no half backup. */
export async function removeBackup(folder: string, name: string): Promise<void> {
  const removed = join(folder, `removed-${name}`)
  await rename(join(folder, name), removed)
  await syncFolder(folder)
  await rm(removed, { recursive: true, force: true, maxRetries: 3 })
}

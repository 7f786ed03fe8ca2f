import { join } from 'node:path'
import type { ArchiveKey } from './archive-key.ts'
import { listBackups, removeBackup } from './backup-folder.ts'
import { chooseKept, type KeepRule } from './kept-backups.ts'
import { listPart } from './make-backup.ts'
import { findManifest } from './manifest.ts'
import { readPart } from './parts.ts'
import { FileArchive, readList } from './stored-files.ts'

/**
 * Removes the backups that a rule does not keep, then the files that no backup needs. Files of backups that another passphrase
 * encrypted stay: without it their lists cannot be read.
 */
export async function removeOldBackups(
  folder: string,
  rule: KeepRule,
  key: ArchiveKey | undefined,
): Promise<{ backups: number; files: number }> {
  const backups = await listBackups(folder)
  const kept = chooseKept(backups, rule)
  for (const { name } of backups) {
    if (!kept.some((backup) => backup.name === name)) await removeBackup(folder, name)
  }
  const archive = new FileArchive(folder, key)
  const needed = new Set<string>()
  for (const { name } of kept) {
    const found = await findManifest(join(folder, name))
    if (found?.sealedBy !== key?.id) continue
    const { path, form } = listPart(join(folder, name), key)
    for await (const { sha256 } of readList(readPart(path, form))) needed.add(archive.nameOf(sha256))
  }
  return { backups: backups.length - kept.length, files: await archive.removeOthers(needed) }
}

import { join, resolve } from 'node:path'
import type { Config } from '../../kernel/config.ts'

/** Answers where backups of an installation go that names no other folder. */
export function backupFolderOf({ backupDir, dataDir }: Pick<Config, 'backupDir' | 'dataDir'>): string {
  return resolve(backupDir ?? join(dataDir, 'backups'))
}

/** What a backup or a restore does at a moment. */
export const backupSteps = ['files', 'tables', 'restore', 'check', 'copy'] as const
export type BackupStep = (typeof backupSteps)[number]

/**
 * Progress of a step: bytes of files (`files`, `copy`), or rows (`tables`, `restore`, `check`). `total` is null where it is not known
 * before the end.
 */
export interface BackupProgress {
  step: BackupStep
  done: number
  total: number | null
}

export type OnBackupProgress = (progress: BackupProgress) => void

/** Errors that a backup or a restore can end with. */
type BackupErrorCode =
  | 'BACKUP_RUNNING'
  | 'BACKUP_TARGET_UNKNOWN'
  | 'BACKUP_TARGET_UNUSABLE'
  | 'BACKUP_OF_ANOTHER'
  | 'BACKUP_UNVERIFIED'
  | 'BACKUP_DAMAGED'
  | 'BACKUP_LOCKED'
  | 'BACKUP_TOO_NEW'
  | 'BACKUP_KEY_MISSING'
  | 'BACKUP_NOT_FOUND'
  | 'RESTORE_NOT_EMPTY'
  | 'SNAPSHOT_NOT_FOUND'
  | 'ROLLBACK_IN_USE'
  | 'ROLLBACK_WOULD_LOSE'

/** A failure that its reader can act on: the message says what is wrong and what to do. */
export class BackupError extends Error {
  readonly code: BackupErrorCode

  constructor(code: BackupErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'BackupError'
    this.code = code
  }
}

/** A failed read or write of a backup, as an error that names the folder. */
export function asTargetError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return unusable(`No space is left for ${folder}. Free some space, or choose a larger disk.`, error)
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return unusable(`${folder} cannot be written to. Make it writable for the user who runs Printyard.`, error)
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EIO':
      return unusable(`${folder} cannot be used: ${error.message}.`, error)
    default:
      return error
  }
}

function unusable(message: string, cause: Error): BackupError {
  return new BackupError('BACKUP_TARGET_UNUSABLE', message, { cause })
}

/** What can go wrong between "start" and "the database answers". Each code keeps its meaning. */
export type DatabaseSetupCode =
  | 'PLATFORM_UNSUPPORTED'
  | 'POSTGRES_BINARIES_BROKEN'
  | 'POSTGRES_NEEDS_UNPRIVILEGED_USER'
  | 'POSTGRES_FAILED'
  | 'POSTGRES_TIMEOUT'
  | 'DATA_DIRECTORY_IN_USE'
  | 'DATA_DIRECTORY_NOT_WRITABLE'
  | 'DATA_DIRECTORY_OTHER_VERSION'
  | 'DISK_FULL'
  | 'RESTORE_UNFINISHED'
  | 'DATABASE_UNREACHABLE'
  | 'DATABASE_SESSIONS_POOLED'
  | 'MIGRATION_FILES_WRONG'
  | 'MIGRATION_CHANGED'
  | 'MIGRATION_UNKNOWN'
  | 'MIGRATION_BUSY'
  | 'MIGRATION_FAILED'
  | 'SNAPSHOT_FAILED'

/** A failure that its reader can act on: the message says what is wrong and what to do, and never holds a password. */
export class DatabaseSetupError extends Error {
  readonly code: DatabaseSetupCode

  constructor(code: DatabaseSetupCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseSetupError'
    this.code = code
  }
}

/** The operating system's word for a failure (`ENOENT`, …), or undefined when the error carries none. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Turns a failed write below the data directory into an error that names the directory and the remedy. */
export function dataDirectoryError(path: string, error: unknown): DatabaseSetupError {
  const code = systemCodeOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new DatabaseSetupError('DISK_FULL', `No space is left for ${path}. Free some space and start again.`, {
      cause: error,
    })
  }
  return new DatabaseSetupError(
    'DATA_DIRECTORY_NOT_WRITABLE',
    `${path} cannot be used (${reason}). Make it writable for the user who runs Printyard, or choose another directory with PRINTYARD_DATA_DIR.`,
    { cause: error },
  )
}

import type { Config } from '../../kernel/config.ts'
import type { BackupCause } from './backup-runs.queries.ts'

/** Text that the service writes to the standard input of the process that makes a backup. */
export interface BackupOrder {
  config: Config
  version: string
  cause: BackupCause
}

/** The exit code of a backup that did not start because another is being made. */
export const anotherRuns = 3

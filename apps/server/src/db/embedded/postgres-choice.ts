import type { Config } from '../../kernel/config.ts'
import type { PostgresAccount } from './postgres-account.ts'

/** Which PostgreSQL runs inside the data directory, and as whom. */
export interface PostgresChoice {
  /** Account that runs it when this process is root. Default: 65534 (no one). */
  account?: PostgresAccount
  /** The folder of the programs of another one than the bundled. */
  binDir?: string | undefined
}

/** The one that the settings choose. */
export function postgresOf({
  postgresUid,
  postgresBinDir,
}: Pick<Config, 'postgresUid' | 'postgresBinDir'>): PostgresChoice {
  return { account: { uid: postgresUid, gid: postgresUid }, binDir: postgresBinDir }
}

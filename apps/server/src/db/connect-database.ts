import { setTimeout as wait } from 'node:timers/promises'
import { type Database, type DatabaseOptions, type DatabaseTarget, openDatabase } from './database.ts'
import { isConnectionError } from './database-errors.ts'
import { mayGoUnencrypted } from './driver/database-target.ts'
import {
  checkRestored,
  claimDataDirectory,
  type DataDirectoryClaim,
  DataDirectoryInUseError,
  readHolder,
} from './embedded/data-directory.ts'
import { type EmbeddedConnection, embeddedConnection } from './embedded/embedded-connection.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded/embedded-postgres.ts'
import type { PostgresChoice } from './embedded/postgres-choice.ts'
import { allowServiceRole, asService } from './embedded/service-role.ts'
import { migrate, type PendingUpgrade } from './migrate.ts'
import { isOfPooledSession, pooledSessions, refusePooledSessions } from './pooled-sessions.ts'
import type { DatabaseLog } from './setup/database-log.ts'
import { DatabaseSetupError } from './setup/database-setup-error.ts'

interface ConnectDatabaseConfig {
  /** `DATABASE_URL`: a server of the user's own. Without it the embedded one in `dataDir` is used. */
  databaseUrl?: string | undefined
  dataDir: string
  /**
   * `service` owns the data directory while it runs and refuses to start beside another. Any other purpose
   * (`keys create`, `backup`, …) works beside a running service, or starts the database for itself.
   */
  purpose: string
  /** Default: true. Beside a running service never: its tables are its own. */
  shouldMigrate?: boolean
  migrationsDirectory?: string
  /** Called before a database that holds data is migrated; what it throws ends the call with nothing changed. */
  beforeUpgrade?: (upgrade: PendingUpgrade) => Promise<void>
  /** Which PostgreSQL runs in the data directory. Default: the bundled one. */
  postgres?: PostgresChoice
  pool?: Omit<DatabaseOptions, 'target'>
  /**
   * Called with what the answer will hold, which takes no statement before: when the server of the data directory has been started and is
   * waited for, at once with one of the user's own.
   */
  onOpen?: (opened: OpenedDatabase) => void
  /** Time that a command waits for another command, or for a service that is starting. Default: 30 s. */
  waitTimeoutMs?: number
}

export interface OpenedDatabase {
  database: Database
  /** `external`: DATABASE_URL. `embedded`: started by this process. `beside-service`: of the running service. */
  kind: 'external' | 'embedded' | 'beside-service'
}

export interface ConnectedDatabase extends OpenedDatabase {
  target: DatabaseTarget
  /** Only of kind `embedded`: the child process. */
  embedded: EmbeddedPostgres | undefined
  /** Tells others where the service listens; a command has nothing to tell. */
  announce(details: { url: string }): void
  /** Closes the connections and stops what was started. */
  close(): Promise<void>
}

/**
 * The one way to the database, for the service and for commands.
 *
 * @throws DatabaseSetupError with a message for the user; `DataDirectoryInUseError` when a second service starts.
 */
export async function connectDatabase(config: ConnectDatabaseConfig, log: DatabaseLog): Promise<ConnectedDatabase> {
  checkRestored(config.dataDir)
  if (config.databaseUrl !== undefined && config.databaseUrl !== '') {
    return await connectExternal(checkDatabaseUrl(config.databaseUrl), config, log)
  }
  if (config.purpose === 'service') return await startEmbedded(config, log)

  const deadline = performance.now() + (config.waitTimeoutMs ?? 30_000)
  for (;;) {
    const holder = await readHolder(config.dataDir)
    if (holder?.purpose === 'service') return await connectBeside(config, deadline)
    try {
      return await startEmbedded(config, log)
    } catch (error) {
      // Another command is at work and will be done soon, or a service took the directory this very moment.
      if (!(error instanceof DataDirectoryInUseError) || performance.now() > deadline) throw error
    }
    await wait(200)
  }
}

async function startEmbedded(config: ConnectDatabaseConfig, log: DatabaseLog): Promise<ConnectedDatabase> {
  const claim = await claimDataDirectory(config.dataDir, { purpose: config.purpose })
  let embedded: EmbeddedPostgres | undefined
  const opened: { database?: Database } = {}
  const open = (connection: EmbeddedConnection) => {
    opened.database ??= openDatabase({ ...config.pool, target: asService(connection) })
    return opened.database
  }
  const kind = 'embedded'
  try {
    const { postgres, onOpen } = config
    const started = await startEmbeddedPostgres({
      ...{ claim, log },
      ...(postgres !== undefined && { postgres }),
      onLaunch: (connection) => onOpen?.({ database: open(connection), kind }),
    })
    embedded = started
    const target = started.connection
    if (config.shouldMigrate !== false) await migrate({ target, log, ...migrationsOf(config) })
    await allowServiceRole(target)
    const database = open(target)
    return {
      database,
      kind,
      target,
      embedded,
      announce: claim.announce,
      async close() {
        await database.close()
        await started.stop()
        await claim.release()
      },
    }
  } catch (error) {
    await opened.database?.close()
    await embedded?.stop()
    await claim.release()
    throw error
  }
}

async function connectBeside(config: ConnectDatabaseConfig, deadline: number): Promise<ConnectedDatabase> {
  const { connection, close } = embeddedConnection(config.dataDir)
  const database = openDatabase({
    statementConnections: 1,
    transactionConnections: 1,
    ...config.pool,
    target: asService(connection),
  })
  for (;;) {
    try {
      await database.sql`select 1 from schema_migrations limit 1`
      break
    } catch (error) {
      if (performance.now() > deadline) {
        await database.close()
        close()
        throw new DatabaseSetupError(
          'DATABASE_UNREACHABLE',
          'The running service does not let others into its database yet. Try again.',
          {
            cause: error,
          },
        )
      }
      await wait(100)
    }
  }
  return {
    database,
    kind: 'beside-service',
    target: connection,
    embedded: undefined,
    announce: () => undefined,
    async close() {
      await database.close()
      close()
    },
  }
}

async function connectExternal(url: URL, config: ConnectDatabaseConfig, log: DatabaseLog): Promise<ConnectedDatabase> {
  const target = { url: url.href }
  const database = openDatabase({ ...config.pool, target })
  const kind = 'external'
  config.onOpen?.({ database, kind })
  let claim: DataDirectoryClaim | undefined
  try {
    await database.sql`select 1`
    // The print files are in the data directory also then: a second service would clear away uploads of the first.
    if (config.purpose === 'service') claim = await claimDataDirectory(config.dataDir, { purpose: config.purpose })
    if (config.purpose === 'service') await refusePooledSessions(target)
    if (config.shouldMigrate !== false) await migrate({ target, log, ...migrationsOf(config) })
  } catch (error) {
    await database.close()
    await claim?.release()
    if (error instanceof DatabaseSetupError) throw error
    if (isOfPooledSession(error)) throw pooledSessions(error)
    throw new DatabaseSetupError('DATABASE_UNREACHABLE', externalFailure(url, error), { cause: error })
  }
  if (config.purpose === 'service' && mayGoUnencrypted(target.url)) {
    log.warn(
      { setting: 'DATABASE_URL' },
      'the connection to the database may be UNENCRYPTED: its password and all data can be read on the network. Add sslmode=verify-full',
    )
  }
  return {
    database,
    kind,
    target,
    embedded: undefined,
    announce: (details) => claim?.announce(details),
    async close() {
      await database.close()
      await claim?.release()
    },
  }
}

function migrationsOf({
  migrationsDirectory: directory,
  beforeUpgrade,
}: ConnectDatabaseConfig): Pick<Parameters<typeof migrate>[0], 'directory' | 'beforeUpgrade'> {
  return { ...(directory !== undefined && { directory }), ...(beforeUpgrade !== undefined && { beforeUpgrade }) }
}

function checkDatabaseUrl(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text)
    // A sign of a password that is not escaped: part of it would pass for the host or the database, and be shown.
    const isAmbiguous = url.pathname.includes('@') || url.pathname.slice(1).includes('/')
    if ((url.protocol === 'postgres:' || url.protocol === 'postgresql:') && !isAmbiguous) return url
  }
  throw new DatabaseSetupError(
    'DATABASE_UNREACHABLE',
    'DATABASE_URL is not the address of a PostgreSQL server; it should read postgres://user:password@host:5432/database, with special characters of the password escaped (%2F for /, %40 for @).',
  )
}

/** Names host and database, never user information. */
function externalFailure(url: URL, error: unknown): string {
  const place = `the database ${url.pathname.slice(1)} at ${url.hostname}:${url.port || 5432} (DATABASE_URL)`
  // An AggregateError of several refused addresses has its message in its parts.
  const reason =
    error instanceof AggregateError
      ? error.errors.map(String).join(', ')
      : error instanceof Error
        ? error.message
        : String(error)
  return isConnectionError(error) ? `Cannot reach ${place}: ${reason}` : `Cannot use ${place}: ${reason}`
}

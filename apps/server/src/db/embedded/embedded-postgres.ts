import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { backOffMs } from '../../kernel/back-off.ts'
import type { DatabaseLog } from '../setup/database-log.ts'
import { DatabaseSetupError, dataDirectoryError } from '../setup/database-setup-error.ts'
import { createCluster } from './create-cluster.ts'
import { type DataDirectoryClaim, requireMajor } from './data-directory.ts'
import { database, type EmbeddedConnection, owner, socketName } from './embedded-connection.ts'
import { type PostgresLauncher, preparePostgresLauncher } from './postgres-account.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import type { PostgresChoice } from './postgres-choice.ts'
import { launchServer, type Server, stopServer } from './postgres-process.ts'
import { postgresArguments } from './postgres-settings.ts'
import { clearTheWay, createDatabase, startServer } from './reach-postgres.ts'
import { openSocketDirectory, type SocketDirectory } from './socket-directory.ts'

const restartWindowMs = 60_000
const restartsPerWindow = 8

export interface EmbeddedPostgresOptions {
  /** Proof that no other process works on the data directory. */
  claim: DataDirectoryClaim
  log: DatabaseLog
  /** Default: the bundled one. */
  postgres?: PostgresChoice
  /** Gives up durability for speed, for databases that live as long as a test run. */
  isDisposable?: boolean
  /** PostgreSQL settings on top of ours. */
  settings?: Record<string, string>
  /** Time that a start may take, recovery after a power cut included. Default: 120 s. */
  startTimeoutMs?: number
  /** Time that an orderly stop may take before clients are dropped without a checkpoint. Default: 8 s. */
  stopTimeoutMs?: number
  /** Upper end of the growing pause before PostgreSQL is started again. Default: 5 s. */
  longestRestartDelayMs?: number
  /** Called each time that its process has been started and is waited for, with what will reach it. */
  onLaunch?: (connection: EmbeddedConnection) => void
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection
  /** Process of the present postmaster; another one after a restart. */
  readonly pid: number | undefined
  /** True when a server left behind by a killed service was found, stopped in order and started again. */
  readonly adopted: boolean
  readonly state: 'running' | 'restarting' | 'failed' | 'stopped'
  /** Resolves with the reason when PostgreSQL keeps dying and is given up. Stays pending otherwise. */
  readonly failed: Promise<DatabaseSetupError>
  /** Ends PostgreSQL with a checkpoint; open statements are aborted. Safe to call twice. */
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL as a child process inside the data directory, creating its cluster at the first start, and
 * starts it again whenever it dies.
 *
 * A server that outlived a killed service is stopped in order and started again rather than kept: as our own child its
 * death is noticed, its log is read, and it runs the settings and binaries of this version. That costs about 0.1 s.
 *
 * @throws DatabaseSetupError for anything that keeps PostgreSQL from answering.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { claim, log, startTimeoutMs = 120_000, stopTimeoutMs = 8_000, longestRestartDelayMs = 5_000 } = options
  const binaries = findPostgresBinaries(options.postgres?.binDir)
  const launcher = preparePostgresLauncher(claim.dataDir, binaries, options.postgres?.account)
  requireMajor(claim.dataDir, binaries.major)
  if (launcher.note !== undefined) log.warn({}, launcher.note)
  const clusterDir = join(claim.dataDir, 'postgres')
  const runDir = join(claim.dataDir, 'run')

  if (!existsSync(clusterDir)) await createCluster(claim.dataDir, clusterDir, binaries, launcher, options)
  const sockets = prepareSocketDirectory(runDir, launcher)
  const connection: EmbeddedConnection = { socketPath: sockets.path(socketName), database, user: owner }

  const args = postgresArguments(clusterDir, options.isDisposable ?? false, options.settings ?? {}, binaries.major)
  const launch = () => {
    const launched = launchServer(launcher.command(binaries.postgres, args), log)
    options.onLaunch?.(connection)
    return launched
  }
  const deadline = () => performance.now() + startTimeoutMs

  let server: Server
  let adopted: boolean
  try {
    adopted = await clearTheWay(clusterDir, connection, log, deadline())
    const started = await startServer(clusterDir, launch, connection, log, deadline())
    server = started.server
    if (started.isEmpty) await createDatabase(connection)
  } catch (error) {
    sockets.close()
    throw error
  }

  let state: EmbeddedPostgres['state'] = 'running'
  let restart: Promise<void> = Promise.resolve()
  let stopping: Promise<void> | undefined
  let deaths: number[] = []
  let giveUp: (error: DatabaseSetupError) => void = () => undefined
  const failed = new Promise<DatabaseSetupError>((resolve) => {
    giveUp = resolve
  })

  const watch = () => {
    void server.exited.then((how) => {
      if (stopping !== undefined) return
      state = 'restarting'
      log.error({ how }, 'PostgreSQL ended unexpectedly and is started again')
      restart = restartServer()
    })
  }

  async function restartServer(): Promise<void> {
    let reason = server.lastWords()
    for (;;) {
      const now = performance.now()
      deaths = [...deaths.filter((at) => now - at < restartWindowMs), now]
      if (deaths.length > restartsPerWindow) {
        state = 'failed'
        const summary = `PostgreSQL ended ${deaths.length} times within a minute and is not started again`
        giveUp(new DatabaseSetupError('POSTGRES_FAILED', `${summary}: ${reason}`))
        return
      }
      await wait(backOffMs(deaths.length, { firstMs: 50, longestMs: longestRestartDelayMs }))
      if (stopping !== undefined) return
      try {
        await clearTheWay(clusterDir, connection, log, deadline())
        server = (await startServer(clusterDir, launch, connection, log, deadline())).server
        state = 'running'
        log.info({ pid: server.child.pid }, 'PostgreSQL is running again')
        watch()
        return
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        log.error({ err: error }, 'PostgreSQL could not be started again')
      }
    }
  }

  async function stop(): Promise<void> {
    await restart
    state = 'stopped'
    await stopServer(server, stopTimeoutMs, log)
    sockets.close()
  }

  watch()
  return {
    connection,
    get pid() {
      return server.child.pid
    },
    adopted,
    get state() {
      return state
    },
    failed,
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

function prepareSocketDirectory(runDir: string, launcher: PostgresLauncher): SocketDirectory {
  try {
    mkdirSync(runDir, { recursive: true, mode: 0o700 })
    launcher.own(runDir)
    return openSocketDirectory(runDir, socketName.length)
  } catch (error) {
    throw dataDirectoryError(runDir, error)
  }
}

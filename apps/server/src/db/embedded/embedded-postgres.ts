import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { backOffMs } from '../../kernel/back-off.ts'
import { openDriver } from '../driver/open-driver.ts'
import type { DatabaseLog } from '../setup/database-log.ts'
import { DatabaseSetupError, dataDirectoryError, systemCodeOf } from '../setup/database-setup-error.ts'
import { type DataDirectoryClaim, requireMajor } from './data-directory.ts'
import { type PostgresAccount, type PostgresLauncher, preparePostgresLauncher } from './postgres-account.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import type { PostgresChoice } from './postgres-choice.ts'
import { postgresArguments, readLogLine } from './postgres-settings.ts'
import { findPostmaster } from './postmaster-lock.ts'
import { openSocketDirectory, type SocketDirectory } from './socket-directory.ts'

/** Owner of the embedded database. Trusted by the socket: anyone who may enter its 0700 directory may connect. */
const user = 'printyard'
const database = 'printyard'
const socketName = '.s.PGSQL.5432'

const pollMs = 15
const tellEveryMs = 5_000
const restartWindowMs = 60_000
const restartsPerWindow = 8

/** How to reach the embedded server; valid in this process only. */
export interface EmbeddedConnection {
  socketPath: string
  database: string
  user: string
}

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
  /** How long a start may take, recovery after a power cut included. Default: 120 s. */
  startTimeoutMs?: number
  /** How long an orderly stop may take before clients are dropped without a checkpoint. Default: 8 s. */
  stopTimeoutMs?: number
  /** Upper end of the growing pause before PostgreSQL is started again. Default: 5 s. */
  longestRestartDelayMs?: number
  /** Called each time that its process has been started and is waited for, with what will reach it. */
  onLaunch?: (connection: EmbeddedConnection) => void
}

export interface EmbeddedPostgres {
  readonly connection: EmbeddedConnection
  /** Of the present postmaster; another one after a restart. */
  readonly pid: number | undefined
  /** Whether a server left behind by a killed service was found, stopped in order and started again. */
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
  const connection: EmbeddedConnection = { socketPath: sockets.path(socketName), database, user }

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

/** How another process of the same machine reaches the server that the holder of `dataDir` runs. */
export function embeddedConnection(dataDir: string): { connection: EmbeddedConnection; close(): void } {
  const sockets = openSocketDirectory(join(dataDir, 'run'), socketName.length)
  return { connection: { socketPath: sockets.path(socketName), database, user }, close: () => sockets.close() }
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

/** initdb works in a draft that is renamed when complete, so a kill half way leaves nothing that looks like a cluster. */
async function createCluster(
  dataDir: string,
  clusterDir: string,
  { initdb, major }: PostgresBinaries,
  launcher: PostgresLauncher,
  { log, isDisposable = false }: EmbeddedPostgresOptions,
): Promise<void> {
  const startedAt = performance.now()
  const draft = `${clusterDir}.draft-${process.pid}`
  try {
    removeDrafts(dataDir)
    mkdirSync(draft, { mode: 0o700 })
    launcher.own(draft)
  } catch (error) {
    throw dataDirectoryError(dataDir, error)
  }
  const args = [
    `--pgdata=${draft}`,
    `--username=${user}`,
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    ...localeOf(major),
    '--no-instructions',
    ...(isDisposable ? ['--no-sync'] : []),
  ]
  const command = launcher.command(initdb, args)
  const child = spawn(command.file, command.args, {
    ...spawnOptions(command.account),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => output.push(chunk))
  }
  const how = await endOf(child)
  if (how !== 'code 0') {
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 })
    throw failureFrom(`The database could not be created in ${clusterDir} (initdb ended with ${how})`, output.join(''))
  }
  try {
    renameSync(draft, clusterDir)
    const directory = openSync(dataDir, 'r')
    fsyncSync(directory)
    closeSync(directory)
    // Again: the initdb of a killed service lives on for a moment and may have written after the first removal.
    removeDrafts(dataDir)
  } catch (error) {
    throw dataDirectoryError(dataDir, error)
  }
  log.info({ took_ms: Math.round(performance.now() - startedAt) }, 'Created the database')
}

/** The same order and letters everywhere: by code point, as every version of every C library has them. */
function localeOf(major: number): string[] {
  // Built into PostgreSQL: no index depends on the old ICU beside the binaries or on the libc of the machine.
  if (major >= 17) return ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  return ['--locale-provider=libc', '--locale=C', '--lc-ctype=C.UTF-8']
}

function removeDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('postgres.draft-')) rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Waits until no server works on this cluster, and removes the lock files of a dead one.
 * @returns whether a running server had to be stopped.
 */
async function clearTheWay(
  clusterDir: string,
  connection: EmbeddedConnection,
  log: DatabaseLog,
  deadline: number,
): Promise<boolean> {
  let wasRunning = false
  const patience = tellEvery(log, 'Waiting for an earlier PostgreSQL to end')
  for (;;) {
    const reached = await probe(connection)
    const pid = findPostmaster(clusterDir)
    if (reached === 'absent' && pid === undefined) break
    if ((reached === 'accepting' || reached === 'empty') && !wasRunning) {
      if (pid === undefined) {
        throw new DatabaseSetupError(
          'POSTGRES_FAILED',
          `A PostgreSQL answers in ${clusterDir}, but its process is not visible from here (another container?). Stop it first.`,
        )
      }
      log.info({ pid }, 'Found a PostgreSQL that outlived its service; it is restarted in order')
      process.kill(pid, 'SIGINT')
      wasRunning = true
    }
    patience()
    if (performance.now() > deadline) {
      throw new DatabaseSetupError(
        'POSTGRES_TIMEOUT',
        `An earlier PostgreSQL (process ${pid ?? 'unknown'}) on ${clusterDir} neither serves nor ends. Stop it, then start again.`,
      )
    }
    await wait(pollMs)
  }
  // PostgreSQL would believe the pid in either of them, even that of a zombie or of a stranger.
  for (const lockFile of [join(clusterDir, 'postmaster.pid'), join(clusterDir, '..', 'run', `${socketName}.lock`)]) {
    rmSync(lockFile, { force: true })
  }
  return wasRunning
}

interface Server {
  child: ChildProcess
  /** Resolves with `code 1`, `signal SIGKILL`, … */
  exited: Promise<string>
  hasExited(): boolean
  /** The last lines of its log, for an error message. */
  lastWords(): string
}

function spawnOptions(account: PostgresAccount | undefined) {
  return {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // A process group of its own: Ctrl-C in a terminal must reach the service first, which then stops PostgreSQL.
    detached: true,
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  }
}

function launchServer(command: ReturnType<PostgresLauncher['command']>, log: DatabaseLog): Server {
  const child = spawn(command.file, command.args, {
    ...spawnOptions(command.account),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const tail: string[] = []
  let hasExited = false
  createInterface({ input: child.stderr }).on('line', (text) => {
    const line = readLogLine(text)
    if (tail.push(line.message) > 12) tail.shift()
    log[line.level]({ process: line.process }, `PostgreSQL: ${line.message}`)
  })
  const exited = endOf(child).then((how) => {
    hasExited = true
    return how
  })
  return { child, exited, hasExited: () => hasExited, lastWords: () => tail.join(' · ') }
}

/** Resolves once the process is gone and its output is read to the end. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`))
  })
}

/** @returns the server, and whether it has no database of ours yet */
async function startServer(
  clusterDir: string,
  launch: () => Server,
  connection: EmbeddedConnection,
  log: DatabaseLog,
  deadline: number,
): Promise<{ server: Server; isEmpty: boolean }> {
  const patience = tellEvery(log, 'Waiting for PostgreSQL, which may be recovering')
  let attempts = 0
  for (;;) {
    const server = launch()
    attempts += 1
    while (!server.hasExited()) {
      const reached = await probe(connection)
      if (reached === 'accepting' || reached === 'empty') return { server, isEmpty: reached === 'empty' }
      patience()
      if (performance.now() > deadline) {
        await stopServer(server, 2_000, log)
        throw new DatabaseSetupError(
          'POSTGRES_TIMEOUT',
          `PostgreSQL on ${clusterDir} does not answer in time. ${server.lastWords()}`,
        )
      }
      await wait(pollMs)
    }
    // Backends of a killed server may need a moment to notice, and hold its shared memory until then.
    if (!server.lastWords().includes('shared memory block') || attempts > 20) {
      throw failureFrom(`PostgreSQL does not start on ${clusterDir} (${await server.exited})`, server.lastWords())
    }
    await wait(250)
  }
}

async function stopServer(server: Server, timeoutMs: number, log: DatabaseLog): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', timeoutMs],
    ['SIGQUIT', 2_000],
    ['SIGKILL', 2_000],
  ] as const) {
    if (server.hasExited()) return
    if (signal !== 'SIGINT') log.warn({ signal }, 'PostgreSQL does not end; a harder signal follows')
    server.child.kill(signal)
    const timer = new AbortController()
    await Promise.race([server.exited, wait(patienceMs, undefined, { signal: timer.signal }).catch(() => undefined)])
    timer.abort()
  }
}

/**
 * `empty`: it takes us, but has no database of ours. `busy`: something listens but does not take us (starting, recovering,
 * stopping, or hanging). `absent`: no one listens.
 */
async function probe(connection: EmbeddedConnection): Promise<'accepting' | 'empty' | 'busy' | 'absent'> {
  const sql = openDriver(connection, 'printyard')
  try {
    await sql`select 1`
    return 'accepting'
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return 'absent'
    // The database is made after the first start.
    return code === '3D000' ? 'empty' : 'busy'
  } finally {
    await sql.end()
  }
}

async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  const sql = openDriver({ ...connection, database: 'postgres' }, 'printyard')
  try {
    await sql`create database ${sql(connection.database)}`
  } catch (error) {
    throw new DatabaseSetupError('POSTGRES_FAILED', `The database ${connection.database} could not be created.`, {
      cause: error,
    })
  } finally {
    await sql.end()
  }
}

function tellEvery(log: DatabaseLog, message: string): () => void {
  const startedAt = performance.now()
  let next = startedAt + tellEveryMs
  return () => {
    const now = performance.now()
    if (now < next) return
    next = now + tellEveryMs
    log.info({ waited_s: Math.round((now - startedAt) / 1000) }, message)
  }
}

function failureFrom(summary: string, output: string): DatabaseSetupError {
  const text = `${summary}: ${output.trim().split('\n').slice(-6).join(' · ')}`
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return new DatabaseSetupError('DISK_FULL', `No space is left on the disk. ${text}`)
  }
  if (/Read-only file system|Permission denied/i.test(output))
    return new DatabaseSetupError('DATA_DIRECTORY_NOT_WRITABLE', text)
  return new DatabaseSetupError('POSTGRES_FAILED', text)
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDriver } from '../driver/open-driver.ts'
import type { DatabaseLog } from '../setup/database-log.ts'
import { DatabaseSetupError, systemCodeOf } from '../setup/database-setup-error.ts'
import { type EmbeddedConnection, socketName } from './embedded-connection.ts'
import { failureFrom, type Server, stopServer } from './postgres-process.ts'
import { findPostmaster, signalPostmaster } from './postmaster-lock.ts'

const pollMs = 15
const logEveryMs = 5_000

/**
 * Waits until no server works on this cluster, and removes the lock files of a dead one.
 * @returns whether a running server had to be stopped.
 */
export async function clearTheWay(
  clusterDir: string,
  connection: EmbeddedConnection,
  log: DatabaseLog,
  deadline: number,
): Promise<boolean> {
  let wasRunning = false
  const patience = logEvery(log, 'Waiting for an earlier PostgreSQL to end')
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
      signalPostmaster(pid, 'SIGINT')
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

/** @returns the server, and whether it has no database of ours yet */
export async function startServer(
  clusterDir: string,
  launch: () => Server,
  connection: EmbeddedConnection,
  log: DatabaseLog,
  deadline: number,
): Promise<{ server: Server; isEmpty: boolean }> {
  const patience = logEvery(log, 'Waiting for PostgreSQL, which may be recovering')
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

export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
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

function logEvery(log: DatabaseLog, message: string): () => void {
  const startedAt = performance.now()
  let next = startedAt + logEveryMs
  return () => {
    const now = performance.now()
    if (now < next) return
    next = now + logEveryMs
    log.info({ waited_s: Math.round((now - startedAt) / 1000) }, message)
  }
}

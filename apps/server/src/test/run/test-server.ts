import { readdirSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../db/driver/database-target.ts'
import { openDriver } from '../../db/driver/open-driver.ts'
import { claimDataDirectory, type DataDirectoryClaim } from '../../db/embedded/data-directory.ts'
import { startEmbeddedPostgres } from '../../db/embedded/embedded-postgres.ts'
import { findPostmaster } from '../../db/embedded/postmaster-lock.ts'
import { migrate } from '../../db/migrate.ts'
import { silentLog } from '../../db/setup/database-log.ts'
import { listAccountTables } from '../app/account-guard.ts'
import { makeRunFolder, placesOfRuns, runFolderPrefix } from './run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test processes ask for the PostgreSQL of this run. */
    testServerSocket: string
    /** Where test processes keep temporary files. */
    temporaryFolder: string
  }
}

/** The answer of the setup process: where its PostgreSQL is, with a migrated database to clone, and which of its tables are accounts'. */
type TestServerAnswer = { data_dir: string; account_tables: string[] } | { error: string }

/**
 * Listens for the first test that wants a database and only then starts PostgreSQL, so that a run without such tests
 * costs nothing. One server serves all test processes of a run.
 */
export async function offerTestServer(): Promise<{ socketPath: string; temporary: string; close(): Promise<void> }> {
  const { path: directory, temporary } = makeRunFolder()
  // From the beginning, so that another run can tell this one from a leftover.
  const claim = await claimDataDirectory(join(directory, 'data'), { purpose: 'tests' })
  let started: ReturnType<typeof startTemplate> | undefined
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    started ??= startTemplate(claim)
    const answer = started.then(
      ({ dataDir, accountTables }): TestServerAnswer => ({ data_dir: dataDir, account_tables: [...accountTables] }),
      (error: unknown): TestServerAnswer => ({
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    )
    void answer.then((value) => socket.end(JSON.stringify(value)))
  })
  const socketPath = join(directory, 'control.sock')
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socketPath, resolve))
  return {
    socketPath,
    temporary,
    async close() {
      await new Promise((resolve) => server.close(resolve))
      const running = await started?.catch(() => undefined)
      await running?.stop()
      await claim.release()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Asks the setup process for its server. */
export function askForTestServer(socketPath: string): Promise<{ dataDir: string; accountTables: Set<string> }> {
  return new Promise((resolve, reject) => {
    let text = ''
    connect(socketPath)
      .setEncoding('utf8')
      .on('data', (chunk: string) => {
        text += chunk
      })
      .on('error', reject)
      .on('end', () => {
        // Written by `offerTestServer` above.
        const answer = JSON.parse(text) as TestServerAnswer
        if ('error' in answer) reject(new Error(`The test database could not be prepared: ${answer.error}`))
        else resolve({ dataDir: answer.data_dir, accountTables: new Set(answer.account_tables) })
      })
  })
}

/** Ends what earlier runs left behind when they were killed. */
async function removeLeftovers(): Promise<void> {
  const directories = placesOfRuns().flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.startsWith(runFolderPrefix))
      .map((name) => join(place, name)),
  )
  for (const directory of directories) {
    const { uid, mtimeMs } = statSync(directory, { throwIfNoEntry: false }) ?? { uid: -1, mtimeMs: 0 }
    // A run that begins this very moment has no claim yet.
    if (uid !== process.getuid?.() || Date.now() - mtimeMs < 60_000) continue
    const claim = await claimDataDirectory(join(directory, 'data'), { purpose: 'remove' }).catch(() => undefined)
    if (claim === undefined) continue
    const pid = findPostmaster(join(directory, 'data', 'postgres'))
    await claim.release()
    if (pid === undefined) rmSync(directory, { recursive: true, force: true })
    // Its directory goes with a later run, once the server has let go of it.
    else process.kill(pid, 'SIGQUIT')
  }
}

async function startTemplate(claim: DataDirectoryClaim) {
  await removeLeftovers()
  const server = await startEmbeddedPostgres({
    claim,
    log: silentLog,
    isDisposable: true,
    settings: { max_connections: '300', shared_buffers: '64MB' },
  })
  try {
    await migrate({ target: server.connection, log: silentLog })
    return { dataDir: claim.dataDir, accountTables: await readAccountTables(server.connection), stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Of the template, and so of each clone of it. */
async function readAccountTables(target: DatabaseTarget): Promise<Set<string>> {
  const sql = openDriver(target, 'printyard test')
  try {
    return await listAccountTables(sql)
  } finally {
    await sql.end()
  }
}

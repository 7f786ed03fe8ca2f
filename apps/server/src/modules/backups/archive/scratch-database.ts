import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../../db/database.ts'
import { claimDataDirectory, DataDirectoryInUseError } from '../../../db/embedded/data-directory.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/embedded-postgres.ts'
import type { PostgresChoice } from '../../../db/embedded/postgres-choice.ts'
import { findPostmaster, signalPostmaster } from '../../../db/embedded/postmaster-lock.ts'
import type { DatabaseLog } from '../../../db/setup/database-log.ts'

const prefix = 'backup-check-'

/**
 * Runs `work` on an empty database of its own, on a PostgreSQL that is started for it and removed afterwards: the one of the service is
 * neither loaded nor filled by it.
 *
 * @param parent An existing directory with room for the whole database once more.
 */
export async function withScratchDatabase<T>(
  parent: string,
  { postgres, log }: { postgres: PostgresChoice; log: DatabaseLog },
  work: (target: DatabaseTarget) => Promise<T>,
): Promise<T> {
  await removeLeftovers(parent)
  const directory = join(parent, `${prefix}${randomBytes(6).toString('hex')}`)
  const claim = await claimDataDirectory(directory, { purpose: 'backup check' })
  try {
    const server = await startEmbeddedPostgres({ claim, log, postgres, isDisposable: true })
    const forgetSignals = onSignal(async () => {
      await server.stop()
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    })
    try {
      return await work(server.connection)
    } finally {
      forgetSignals()
      await server.stop()
    }
  } finally {
    await claim.release()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Cleans up before a signal ends this process: the PostgreSQL would go on without it. Returns what undoes it. */
function onSignal(cleanUp: () => Promise<void>): () => void {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const end = (signal: NodeJS.Signals) => {
    void cleanUp().finally(() => process.exit(128 + constants.signals[signal]))
  }
  for (const signal of signals) process.once(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Removes what a killed backup left: its PostgreSQL lives on without it. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue
    const directory = join(parent, name)
    try {
      const claim = await claimDataDirectory(directory, { purpose: 'backup check' })
      const pid = findPostmaster(join(directory, 'postgres'))
      if (pid !== undefined) await endServer(pid, join(directory, 'postgres'))
      await claim.release()
    } catch (error) {
      if (error instanceof DataDirectoryInUseError) continue
      throw error
    }
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function endServer(pid: number, clusterDir: string): Promise<void> {
  signalPostmaster(pid, 'SIGQUIT')
  for (let attempt = 0; attempt < 200 && findPostmaster(clusterDir) === pid; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

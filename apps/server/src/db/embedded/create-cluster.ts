import { spawn } from 'node:child_process'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseLog } from '../setup/database-log.ts'
import { dataDirectoryError } from '../setup/database-setup-error.ts'
import { owner } from './embedded-connection.ts'
import type { PostgresLauncher } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { endOf, failureFrom, spawnOptions } from './postgres-process.ts'

/** initdb works in a draft that is renamed when complete, so a kill half way leaves nothing that looks like a cluster. */
export async function createCluster(
  dataDir: string,
  clusterDir: string,
  { initdb, major }: PostgresBinaries,
  launcher: PostgresLauncher,
  { log, isDisposable = false }: { log: DatabaseLog; isDisposable?: boolean },
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
    `--username=${owner}`,
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

/** The same order of texts, and the same characters, everywhere: by code point, as every version of every C library has them. */
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

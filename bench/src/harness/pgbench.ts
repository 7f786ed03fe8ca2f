import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { RoundResult } from './load.ts'

/** Where packages put it that leave PATH alone, the newest first. */
const debianRoot = '/usr/lib/postgresql'

/**
 * The pgbench of this machine. The built-in PostgreSQL comes without one.
 *
 * @throws when there is none.
 */
export function findPgbench(): string {
  const versions = existsSync(debianRoot) ? readdirSync(debianRoot).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(debianRoot, version, 'bin')),
  ]
  const found = folders.map((folder) => join(folder, 'pgbench')).find((path) => existsSync(path))
  if (found === undefined) {
    throw new Error(
      'There is no pgbench here. It comes with PostgreSQL: apt-get install postgresql, brew install postgresql',
    )
  }
  return found
}

interface PgbenchTask {
  pgbench: string
  /** Folder of the socket of PostgreSQL. */
  socketFolder: string
  user: string
  database: string
  /** One transaction. */
  script: string
}

/** Runs the script again and again, by so many clients that each wait for their last one. */
export async function runPgbench(task: PgbenchTask, seconds: number, clients: number): Promise<RoundResult> {
  const { stdout } = await promisify(execFile)(
    task.pgbench,
    [
      ...['-n', '-f', task.script, '-c', String(clients), '-T', String(seconds)],
      ...['-h', task.socketFolder, '-p', '5432', '-U', task.user, task.database],
    ],
    { env: { ...process.env, LC_ALL: 'C' } },
  )
  return readPgbench(stdout)
}

/** Its rate is that without the time in which its connections were opened. */
export function readPgbench(output: string): RoundResult {
  const numberAfter = (pattern: RegExp) => {
    const found = pattern.exec(output)?.[1]
    if (found === undefined) throw new Error(`pgbench says:\n${output}`)
    return Number(found)
  }
  const requests = numberAfter(/^number of transactions actually processed: (\d+)/m)
  return {
    requests,
    seconds: requests / numberAfter(/^tps = ([\d.]+)/m),
    p50_ms: null,
    p99_ms: null,
    failures: /^number of failed transactions: (\d+)/m.test(output)
      ? numberAfter(/^number of failed transactions: (\d+)/m)
      : 0,
  }
}

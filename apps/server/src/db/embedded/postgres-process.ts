import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { DatabaseLog } from '../setup/database-log.ts'
import { DatabaseSetupError } from '../setup/database-setup-error.ts'
import type { PostgresAccount, PostgresLauncher } from './postgres-account.ts'
import { readLogLine } from './postgres-settings.ts'

/** A server that was launched, whether it answers or not. */
export interface Server {
  child: ChildProcess
  /** Resolves with `code 1`, `signal SIGKILL`, … */
  exited: Promise<string>
  hasExited(): boolean
  /** The last lines of its log, for an error message. */
  lastWords(): string
}

/** Starts it, and tells its log; whether it comes up is another question. */
export function launchServer(command: ReturnType<PostgresLauncher['command']>, log: DatabaseLog): Server {
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

/** In order first, then harder: after `timeoutMs` without a checkpoint, in the end by force. */
export async function stopServer(server: Server, timeoutMs: number, log: DatabaseLog): Promise<void> {
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

/** For each program of PostgreSQL. */
export function spawnOptions(account: PostgresAccount | undefined) {
  return {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    // A process group of its own: Ctrl-C in a terminal must reach the service first, which then stops PostgreSQL.
    detached: true,
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  }
}

/** Resolves once the process is gone and its output is read to the end. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal === null ? `code ${code}` : `signal ${signal}`))
  })
}

/** With the last lines of what PostgreSQL said. */
export function failureFrom(summary: string, output: string): DatabaseSetupError {
  const text = `${summary}: ${output.trim().split('\n').slice(-6).join(' · ')}`
  if (/No space left on device|Disk quota exceeded/i.test(output)) {
    return new DatabaseSetupError('DISK_FULL', `No space is left on the disk. ${text}`)
  }
  if (/Read-only file system|Permission denied/i.test(output))
    return new DatabaseSetupError('DATA_DIRECTORY_NOT_WRITABLE', text)
  return new DatabaseSetupError('POSTGRES_FAILED', text)
}

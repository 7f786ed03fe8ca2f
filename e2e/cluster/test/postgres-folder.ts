import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { preparePostgresLauncher } from '@printyard/server/db/embedded/postgres-account'
import { findPostgresBinaries } from '@printyard/server/db/embedded/postgres-binaries'
import { freePort } from '../../test/free-port.ts'

const user = 'printyard'
const startMs = 60_000

/** A PostgreSQL on a port of this machine, which others than the services run. */
export interface PostgresServer {
  port: number
  /** For DATABASE_URL. */
  url(database: string): string
  /** At once; the processes of its connections notice it and end. */
  kill(): Promise<void>
  /** Breaks off all connections and ends in order. */
  stop(): Promise<void>
}

/** A folder for servers of PostgreSQL, as their owner names it. */
interface PostgresFolder {
  path: string
  /** Makes the files of a server that has never run. */
  create(name: string): Promise<void>
  /** Copies the files of a server that does not run. */
  copy(name: string, to: string): void
  /** Hands what was added to the account that PostgreSQL runs as. */
  own(name: string): void
  /** @param port where it was before, when it is started again */
  start(name: string, settings: Record<string, string>, port?: number): Promise<PostgresServer>
  /** Ends all servers and removes their files. */
  close(): Promise<void>
}

export function makePostgresFolder(): PostgresFolder {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-servers-'))
  const binaries = findPostgresBinaries()
  const launcher = preparePostgresLauncher(folder, binaries)
  const children = new Set<ChildProcess>()
  launcher.own(folder)

  function run(executable: string, args: string[]): ChildProcess {
    const { file, args: all, account } = launcher.command(executable, args)
    const child = spawn(file, all, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    child.stderr?.on('data', (text: Buffer) => process.stderr.write(text))
    children.add(child)
    child.once('exit', () => children.delete(child))
    return child
  }

  function own(path: string): void {
    launcher.own(path)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) own(below)
      else launcher.own(below)
    }
  }

  /** A server that was killed leaves processes that still end, and the next one refuses to start beside them. */
  async function launch(args: string[], url: string): Promise<ChildProcess> {
    const untilMs = performance.now() + startMs
    for (;;) {
      const child = run(binaries.postgres, args)
      if (await answers(child, url, untilMs)) return child
      if (performance.now() > untilMs) throw new Error('PostgreSQL did not start.')
      await wait(50)
    }
  }

  return {
    path: folder,
    async create(name) {
      const path = join(folder, name)
      mkdirSync(path, { mode: 0o700 })
      launcher.own(path)
      const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      const rest = ['--auth=trust', '--encoding=UTF8', '--no-instructions', ...locale]
      const [code] = await once(run(binaries.initdb, [`--pgdata=${path}`, `--username=${user}`, ...rest]), 'exit')
      if (code !== 0) throw new Error(`initdb ended with code ${code}`)
    },
    copy(name, to) {
      cpSync(join(folder, name), join(folder, to), { recursive: true })
      // PostgreSQL refuses a folder that others may read.
      chmodSync(join(folder, to), 0o700)
    },
    own: (name) => own(join(folder, name)),
    async start(name, settings, port) {
      const at = port ?? (await freePort())
      const all = {
        port: String(at),
        listen_addresses: '127.0.0.1',
        unix_socket_directories: '',
        timezone: 'UTC',
        log_min_messages: 'panic',
        ...settings,
      }
      const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      const url = (database: string) => `postgresql://${user}@127.0.0.1:${at}/${database}?sslmode=disable`
      const child = await launch(['-D', join(folder, name), ...args], url('postgres'))
      return { port: at, url, kill: () => end(child, 'SIGKILL'), stop: () => end(child, 'SIGINT') }
    },
    async close() {
      // At once, and the processes of their connections with them.
      await Promise.all([...children].map((child) => end(child, 'SIGQUIT')))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGQUIT' | 'SIGINT'): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Whether the server answers; false when it ends instead. */
async function answers(child: ChildProcess, url: string, untilMs: number): Promise<boolean> {
  while (!hasEnded(child) && performance.now() < untilMs) {
    const sql = openDriver({ url }, 'printyard test')
    try {
      await sql`select 1`
      return !hasEnded(child)
    } catch {
      await wait(50)
    } finally {
      await sql.end()
    }
  }
  return false
}

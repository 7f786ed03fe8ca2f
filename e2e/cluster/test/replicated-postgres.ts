import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { preparePostgresLauncher } from '@printyard/server/db/embedded/postgres-account'
import { findPostgresBinaries } from '@printyard/server/db/embedded/postgres-binaries'
import { freePort } from '../../test/free-port.ts'

const user = 'printyard'
const database = 'printyard'
const startMs = 60_000

/** A PostgreSQL with a replica that streams from it, behind an address that leads to one of them. */
export interface ReplicatedPostgres {
  /** For DATABASE_URL. */
  url: string
  /** Of the replica itself. */
  replicaUrl: string
  /** Ends the primary as a power cut does; the address leads nowhere then. */
  killPrimary(): Promise<void>
  /** Has the address lead to the replica, which only follows as long as it is not promoted. */
  leadToReplica(): void
  /** Makes the replica the primary, and has the address lead there by connections of its own. */
  promote(): Promise<void>
  close(): Promise<void>
}

/** Commits on the primary wait until the replica has them on its disk. */
export async function startReplicatedPostgres(): Promise<ReplicatedPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'printyard-replicas-'))
  const binaries = findPostgresBinaries()
  const launcher = preparePostgresLauncher(folder, binaries)
  const children: ChildProcess[] = []

  function run(executable: string, args: string[]): ChildProcess {
    const { file, args: all, account } = launcher.command(executable, args)
    const child = spawn(file, all, {
      cwd: '/',
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(account && { uid: account.uid, gid: account.gid }),
    })
    child.stderr?.on('data', (text: Buffer) => process.stderr.write(text))
    children.push(child)
    return child
  }

  async function startServer(name: string, settings: Record<string, string>) {
    const port = await freePort()
    const all = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      wal_level: 'replica',
      wal_keep_size: '1GB',
      timezone: 'UTC',
      log_min_messages: 'panic',
      ...settings,
    }
    const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const child = run(binaries.postgres, ['-D', join(folder, name), ...args])
    const url = (of: string) => `postgresql://${user}@127.0.0.1:${port}/${of}?sslmode=disable`
    await answers(url('postgres'))
    return { child, port, url }
  }

  for (const path of [folder, join(folder, 'primary')]) {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    launcher.own(path)
  }
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const initdb = run(binaries.initdb, [
    `--pgdata=${join(folder, 'primary')}`,
    `--username=${user}`,
    '--auth=trust',
    '--encoding=UTF8',
    '--no-instructions',
    ...locale,
  ])
  const [code] = await once(initdb, 'exit')
  if (code !== 0) throw new Error(`initdb ended with code ${code}`)
  // A server that never ran has nothing that a copy of its files could miss.
  cpSync(join(folder, 'primary'), join(folder, 'replica'), { recursive: true })
  writeFileSync(join(folder, 'replica', 'standby.signal'), '')
  chmodSync(join(folder, 'replica'), 0o700)
  own(join(folder, 'replica'))

  const primary = await startServer('primary', { synchronous_standby_names: '*' })
  const replica = await startServer('replica', {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=${user} application_name=replica`,
  })
  const sql = openDriver({ url: primary.url('postgres') }, 'printyard test')
  await sql.unsafe(`create database ${database}`)
  await sql.end()

  function own(path: string): void {
    launcher.own(path)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const below = join(path, entry.name)
      if (entry.isDirectory()) own(below)
      else launcher.own(below)
    }
  }

  const way = await startWay(primary.port)
  return {
    url: `postgresql://${user}@127.0.0.1:${way.port}/${database}?sslmode=disable`,
    replicaUrl: replica.url(database),
    async killPrimary() {
      way.lead(undefined)
      await kill(primary.child)
    },
    leadToReplica() {
      way.lead(replica.port)
    },
    async promote() {
      const promoting = openDriver({ url: replica.url('postgres') }, 'printyard test')
      await promoting`select pg_promote()`
      await promoting.end()
      way.lead(replica.port)
    },
    async close() {
      way.close()
      // At once, and its children with it.
      await Promise.all(children.map((child) => kill(child, 'SIGQUIT')))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function kill(child: ChildProcess, signal: 'SIGKILL' | 'SIGQUIT' = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

async function answers(url: string): Promise<void> {
  const untilMs = performance.now() + startMs
  for (;;) {
    const sql = openDriver({ url }, 'printyard test')
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (performance.now() > untilMs) throw error
    } finally {
      await sql.end()
    }
    await wait(50)
  }
}

/** An address that leads to one port at a time, or to none: a virtual address that a fail-over moves. */
async function startWay(first: number) {
  const sockets = new Set<Socket>()
  let target: number | undefined = first
  const server = createServer((near) => {
    follow(near)
    if (target === undefined) {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    follow(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  function follow(socket: Socket): void {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead(to: number | undefined) {
      target = to
      for (const socket of sockets) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { makePostgresFolder } from './postgres-folder.ts'

const database = 'printyard'
const settings = { wal_level: 'replica', wal_keep_size: '1GB' }

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
  const folder = makePostgresFolder()
  try {
    await folder.create('primary')
    // A server that never ran has nothing that a copy of its files could miss.
    folder.copy('primary', 'replica')
    writeFileSync(join(folder.path, 'replica', 'standby.signal'), '')
    folder.own('replica')
    const primary = await folder.start('primary', { ...settings, synchronous_standby_names: '*' })
    const replica = await folder.start('replica', {
      ...settings,
      primary_conninfo: `host=127.0.0.1 port=${primary.port} user=printyard application_name=replica`,
    })
    const sql = openDriver({ url: primary.url('postgres') }, 'printyard test')
    await sql.unsafe(`create database ${database}`)
    await sql.end()
    const way = await startWay(primary.port)
    return {
      url: primary.url(database).replace(`:${primary.port}/`, `:${way.port}/`),
      replicaUrl: replica.url(database),
      async killPrimary() {
        way.lead(undefined)
        await primary.kill()
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
        await folder.close()
      },
    }
  } catch (error) {
    await folder.close()
    throw error
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

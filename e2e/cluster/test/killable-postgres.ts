import { openDriver } from '@printyard/server/db/driver/open-driver'
import { makePostgresFolder, type PostgresServer } from './postgres-folder.ts'

const database = 'printyard'
const server = 'server'
// What it had answered is in the memory of the machine, which a killed process does not take with it.
const settings = { max_connections: '200', fsync: 'off' }

/** A PostgreSQL of a test's own, to which anything may happen. */
export interface KillablePostgres {
  /** For DATABASE_URL; the same after each start. */
  url: string
  /** Ends it in the middle of whatever it does. */
  kill(): Promise<void>
  /** Ends it as an administrator does who does not wait for clients. */
  stop(): Promise<void>
  /** Starts it again on the same port, with what it has on its disk. */
  start(): Promise<void>
  /** Ends every connection to its database, however busy. */
  cutConnections(): Promise<void>
  close(): Promise<void>
}

export async function startKillablePostgres(): Promise<KillablePostgres> {
  const folder = makePostgresFolder()
  try {
    await folder.create(server)
    let running: PostgresServer = await folder.start(server, settings)
    const administer = async (statement: string) => {
      const sql = openDriver({ url: running.url('postgres') }, 'printyard test')
      try {
        await sql.unsafe(statement)
      } finally {
        await sql.end()
      }
    }
    await administer(`create database ${database}`)
    return {
      url: running.url(database),
      kill: () => running.kill(),
      stop: () => running.stop(),
      async start() {
        running = await folder.start(server, settings, running.port)
      },
      cutConnections: () =>
        administer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}'`),
      close: () => folder.close(),
    }
  } catch (error) {
    await folder.close()
    throw error
  }
}

import type { DatabaseTarget } from '@printyard/server/db/database'
import { openDriver } from '@printyard/server/db/driver/open-driver'

/** A copy of every row of a database, to be put back later. */
interface DatabaseBackup {
  /**
   * Makes the database what it was, while connections for statements stay open. Those that tell of changes end, as all do when a server is
   * restored: of what comes back no process is told.
   */
  restore(): Promise<void>
}

export async function backUpDatabase(target: DatabaseTarget): Promise<DatabaseBackup> {
  const run = async (statements: string[]) => {
    const sql = openDriver(target, 'printyard test')
    try {
      await sql.begin(async (transaction) => {
        for (const statement of statements) await transaction.unsafe(statement)
      })
    } finally {
      await sql.end()
    }
  }
  const tables = await listTables(target)
  await run([
    'create schema backup',
    ...tables.map(({ name }) => `create table backup.${name} as table public.${name}`),
  ])
  return {
    async restore() {
      await withoutDeadlock(() =>
        run([
          // Rows come back in the order of the tables, not of their references, and as they were.
          'set local session_replication_role = replica',
          ...tables.flatMap(({ name, columns }) => [
            `delete from public.${name}`,
            `insert into public.${name} (${columns}) overriding system value select ${columns} from backup.${name}`,
          ]),
        ]),
      )
      // When all is there: what is read before is forgotten with the connection.
      await run([
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like '% notices'`,
      ])
    },
  }
}

/** The service that works on meanwhile may lock the same rows in another order: PostgreSQL ends one of the two then. Tries up to five times. */
async function withoutDeadlock(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const isDeadlock = (error as { code?: string }).code === '40P01'
      if (!isDeadlock || tries === 5) throw error
    }
  }
}

async function listTables(target: DatabaseTarget): Promise<{ name: string; columns: string }[]> {
  const sql = openDriver(target, 'printyard test')
  try {
    return await sql<{ name: string; columns: string }[]>`
      select quote_ident(t.table_name) as name, string_agg(quote_ident(c.column_name), ', ') as columns
      from information_schema.tables t
      join information_schema.columns c using (table_schema, table_name)
      where t.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
      group by t.table_name order by t.table_name`
  } finally {
    await sql.end()
  }
}

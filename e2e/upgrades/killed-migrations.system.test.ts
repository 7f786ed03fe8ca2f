import { copyFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sampleOf } from '@printyard/protocol/test/sample'
import { CopyConnection } from '@printyard/server/db/copy/copy-connection'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import { startEmbeddedPostgres } from '@printyard/server/db/embedded/embedded-postgres'
import { migrate, migrationsDirectory, readMigrations } from '@printyard/server/db/migrate'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { startNode } from '@printyard/server/test/run/child-node'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { copyInstallation, restoreFormerInstallations } from './former-installations.ts'

/** Migrates the database at an address by the files of a folder, in a process of its own. */
const migrateOnce = fileURLToPath(import.meta.resolve('@printyard/server/db/test-processes/migrate-once'))

const migrations = readMigrations(migrationsDirectory)
const installations = restoreFormerInstallations()

/** Held by the test; a migration that asks for it waits with all of its work done and nothing committed. */
const pauseKey = 4_711

/** The schema and every row of every table, as one digest for each part of the schema and each table. */
async function digest(connection: CopyConnection): Promise<Record<string, string>> {
  const schema = await connection.run(`
    select 'columns' as name, md5(string_agg(c::text, '|' order by c.table_name, c.ordinal_position)) as value
      from information_schema.columns c where c.table_schema = 'public'
    union all select 'indexes', md5(string_agg(indexdef, '|' order by indexdef)) from pg_indexes where schemaname = 'public'
    union all select 'constraints', md5(string_agg(conrelid::text || pg_get_constraintdef(oid), '|' order by conrelid, conname))
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'triggers', md5(string_agg(pg_get_triggerdef(oid), '|' order by pg_get_triggerdef(oid))) from pg_trigger
    union all select 'functions', md5(string_agg(pg_get_functiondef(oid), '|' order by oid)) from pg_proc
      where pronamespace = 'public'::regnamespace and prokind = 'f'`)
  const tables = await connection.run(`select tablename::text as name from pg_tables where schemaname = 'public'`)
  const digests = Object.fromEntries(schema.map(({ name, value }) => [`schema: ${name}`, String(value)]))
  for (const { name } of tables) {
    const [row] = await connection.run(
      `select count(*) || ' ' || coalesce(md5(string_agg(r, '|' order by r)), '') as value from (select t::text as r from "${name}" t) rows`,
    )
    digests[String(name)] = String(row?.value)
  }
  return digests
}

/** Waits until a question to the database is answered by a row; the bound is for a machine that does other work. */
async function untilTrue(connection: CopyConnection, question: string, what: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await wait(10)) {
    if ((await connection.run(question)).length > 0) return
  }
  throw new Error(`${what} did not happen in 30 s`)
}

/**
 * Plays these migrations one after another on a data directory, each killed by `kill -9` once before it is applied: all of its statements
 * are done then, and not committed.
 */
async function killInEach(dataDir: string, numbers: readonly number[]): Promise<void> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'test' })
  const server = await startEmbeddedPostgres({ claim, log: silentLog })
  const folder = temporaryDirectory()
  const { user, database, socketPath } = server.connection
  const url = `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(dirname(socketPath))}`
  const connection = await CopyConnection.open(server.connection, 'test')
  try {
    const pathOf = (file: string) => join(folder, file)
    for (const { number, file, text } of migrations) {
      if (number > Math.max(...numbers)) break
      if (!numbers.includes(number)) {
        copyFileSync(join(migrationsDirectory, file), pathOf(file))
        continue
      }
      // Those between two that are killed.
      await migrate({ target: server.connection, log: silentLog, directory: folder })
      const before = await digest(connection)
      await connection.run(`select pg_advisory_lock(${pauseKey})`)
      writeFileSync(pathOf(file), `${text}\n;select pg_advisory_xact_lock(${pauseKey});\n`)
      const migrator = startNode(migrateOnce, [url, folder])
      await untilTrue(
        connection,
        `select 1 from pg_locks where locktype = 'advisory' and objid = ${pauseKey} and not granted`,
        `${file} waiting`,
      )
      migrator.child.kill('SIGKILL')
      expect(await migrator.ended, file).toBe('signal SIGKILL')
      await connection.run(`select pg_advisory_unlock(${pauseKey})`)
      // The server notices that no one is there when it comes to the next statement.
      await untilTrue(
        connection,
        `select 1 where not exists (select from pg_stat_activity where application_name = 'printyard migrate')`,
        `the end of the killed session of ${file}`,
      )
      if (!('schema_migrations' in before)) {
        // A first start makes the list of what was applied before anything that it lists.
        expect(await connection.run('select number from schema_migrations')).toEqual([])
        await connection.run('drop table schema_migrations')
      }
      expect(await digest(connection), file).toEqual(before)
      copyFileSync(join(migrationsDirectory, file), pathOf(file))
      expect(await migrate({ target: server.connection, log: silentLog, directory: folder })).toEqual([file])
    }
  } finally {
    await connection.close()
    await server.stop()
    await claim.release()
  }
}

const numbersAfter = (level: number) => migrations.map(({ number }) => number).filter((number) => number > level)

test('a kill -9 in each migration of an upgrade leaves the data as before it, and the next start goes on', async () => {
  const levels = installations.map(({ level }) => level)
  for (const { level, dataDir: untouched } of installations) {
    const dataDir = join(temporaryDirectory(), 'data')
    copyInstallation(untouched, dataDir)
    // A later installation has a part of the same migrations before it, with other rows.
    const numbers = numbersAfter(level)
    await killInEach(dataDir, sampleOf(numbers, level === Math.min(...levels) ? 4 : 3))
  }
}, 300_000)

test('so does one in each migration of a first start', async () => {
  await killInEach(join(temporaryDirectory(), 'data'), sampleOf(numbersAfter(0), 10))
}, 300_000)

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNode } from '../test/run/child-node.ts'
import { temporaryDirectory } from '../test/run/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { listPendingMigrations, migrate } from './migrate.ts'
import { silentLog } from './setup/database-log.ts'

const script = join(import.meta.dirname, 'test-processes', 'migrate-once.ts')

let database: TestDatabase
let administration: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  administration = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
  await administration.close()
})

/** A directory with the given files, for a database that was never migrated. */
async function buildMigrations(files: Record<string, string>): Promise<string> {
  await database.sql`drop schema public cascade`
  await database.sql`create schema public`
  const directory = temporaryDirectory()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

const run = (directory: string, options = {}) =>
  migrate({ target: database.target, log: silentLog, directory, ...options })

test('files are applied in order, once', async () => {
  const directory = await buildMigrations({
    '0001-a.sql': 'create table a (id int); insert into a values (1);',
    '0002-b.sql': 'insert into a values (2);',
  })
  expect(await listPendingMigrations(database.sql, directory)).toEqual(['0001-a.sql', '0002-b.sql'])
  expect(await run(directory)).toEqual(['0001-a.sql', '0002-b.sql'])
  expect(await run(directory)).toEqual([])
  writeFileSync(join(directory, '0003-c.sql'), 'insert into a values (3);')
  expect(await run(directory)).toEqual(['0003-c.sql'])
  expect(await database.sql`select id from a order by id`).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
})

test('a first start tells of its tables in one line, an upgrade of each migration', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'select 1;', '0002-b.sql': 'select 2;' })
  const lines: { details: object; message: string }[] = []
  const log = { ...silentLog, info: (details: object, message: string) => lines.push({ details, message }) }
  await run(directory, { log })
  expect(lines).toEqual([{ details: { migrations: 2, took_ms: expect.any(Number) }, message: 'Made the tables' }])
  writeFileSync(join(directory, '0003-c.sql'), 'select 3;')
  await run(directory, { log })
  expect(lines[1]).toMatchObject({ details: { file: '0003-c.sql' }, message: 'Applied a migration' })
}, 30_000)

test('a file that fails leaves nothing of itself, is named with its line, and runs again when fixed', async () => {
  const directory = await buildMigrations({
    '0001-a.sql': 'create table a (id int);',
    '0002-b.sql': 'create table b (id int);\nalter table missing add column x int;',
  })
  const failed = run(directory)
  await expect(failed).rejects.toMatchObject({ code: 'MIGRATION_FAILED' })
  await expect(failed).rejects.toThrow(/0002-b\.sql.*relation "missing" does not exist/)
  expect(await listPendingMigrations(database.sql, directory)).toEqual(['0002-b.sql'])
  writeFileSync(join(directory, '0002-b.sql'), 'create table b (id int);')
  expect(await run(directory)).toEqual(['0002-b.sql'])
})

test('an error of syntax is placed on its line', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'create table a (id int);\n\ncreate tabel b (id int);' })
  await expect(run(directory)).rejects.toThrow('0001-a.sql, line 3, failed')
})

test('an applied file that was changed stops the start and is named', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'create table a (id int);', '0002-b.sql': 'select 1;' })
  await run(directory)
  writeFileSync(join(directory, '0001-a.sql'), 'create table a (id bigint);')
  await expect(run(directory)).rejects.toMatchObject({ code: 'MIGRATION_CHANGED' })
  await expect(run(directory)).rejects.toThrow('0001-a.sql')
})

test('a database newer than the code stops the start', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'select 1;', '0002-b.sql': 'select 1;' })
  await run(directory)
  rmSync(join(directory, '0002-b.sql'))
  await expect(run(directory)).rejects.toMatchObject({ code: 'MIGRATION_UNKNOWN' })
})

test('of many processes that start at once one migrates and the others wait for it', async () => {
  const directory = await buildMigrations({
    '0001-a.sql': 'create table a (id int); select pg_sleep(0.5);',
    '0002-b.sql': 'insert into a values (1); select pg_sleep(0.3);',
  })
  const children = Array.from({ length: 4 }, () => startNode(script, [database.url, directory]))
  const answers = await Promise.all(children.map((child) => child.nextMessage<{ applied: string[] }>()))
  expect(answers.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 2])
  expect(await database.sql`select id from a`).toEqual([{ id: 1 }])
})

test('a migrator killed half way leaves a database that the next one completes', async () => {
  const directory = await buildMigrations({
    '0001-a.sql': 'create table a (id int);',
    '0002-b.sql': 'insert into a values (1); select pg_sleep(20);',
  })
  const child = startNode(script, [database.url, directory])
  await expect.poll(() => listPendingMigrations(database.sql, directory), { timeout: 10_000 }).toEqual(['0002-b.sql'])
  child.child.kill('SIGKILL')
  await child.ended
  // The server notices the lost client when it next writes to it; end the sleep as that would.
  await administration.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database.name} and query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`
  writeFileSync(join(directory, '0002-b.sql'), 'insert into a values (2);')
  expect(await run(directory)).toEqual(['0002-b.sql'])
  expect(await database.sql`select id from a`).toEqual([{ id: 2 }])
})

test('a migration steps back from a table in use and succeeds when it is free', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'create table a (id int);' })
  await run(directory)
  writeFileSync(join(directory, '0002-b.sql'), 'alter table a add column name text;')
  let warnings = 0
  const log = {
    ...silentLog,
    warn: () => {
      warnings += 1
    },
  }
  let migrated: Promise<string[]> = Promise.resolve([])
  await database.begin(async (sql) => {
    await sql`lock table a in access share mode`
    migrated = migrate({ target: database.target, log, directory, lockTimeoutMs: 100 })
    await expect.poll(() => warnings, { timeout: 5_000 }).toBeGreaterThan(0)
    // While it has stepped back, others can read.
    await wait(10)
    expect(await sql`select count(*) as n from a`).toEqual([{ n: 0 }])
  })
  expect(await migrated).toEqual(['0002-b.sql'])
})

describe('a migration and a transaction that wait for one another', () => {
  // The migration has the table that the transaction asks for next, and waits for the one that it has.
  async function meet(options: { lockTimeoutMs?: number }) {
    const directory = await buildMigrations({ '0001-a.sql': 'create table a (id int); create table b (id int);' })
    await run(directory)
    writeFileSync(
      join(directory, '0002-b.sql'),
      'alter table a add column name text; alter table b add column name text;',
    )
    let migrated: Promise<string[]> = Promise.resolve([])
    await database.begin(async (sql) => {
      await sql`insert into b values (1)`
      migrated = run(directory, options)
      // That it fails is awaited below.
      migrated.catch(() => undefined)
      await expect
        .poll(
          () => administration.sql`
          select 1 from pg_stat_activity where datname = ${database.name} and wait_event_type = 'Lock'`,
        )
        .toHaveLength(1)
      await sql`insert into a values (1)`
    })
    expect(await migrated).toEqual(['0002-b.sql'])
    expect(await database.sql`select a.id, a.name, b.id as b from a, b`).toEqual([{ id: 1, name: null, b: 1 }])
  }

  test('both come to their end, the transaction first', () => meet({}))

  test('it begins again when the database ends it', () => meet({ lockTimeoutMs: 10_000 }))
})

test('a migrator that waits too long for another one says so', async () => {
  const directory = await buildMigrations({ '0001-a.sql': 'select pg_sleep(1);' })
  const first = run(directory)
  await wait(300)
  await expect(run(directory, { waitTimeoutMs: 200 })).rejects.toMatchObject({ code: 'MIGRATION_BUSY' })
  expect(await first).toEqual(['0001-a.sql'])
})

import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectDatabase } from '../../../db/connect-database.ts'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { claimDataDirectory } from '../../../db/embedded/data-directory.ts'
import { migrationsDirectory } from '../../../db/migrate.ts'
import { silentLog } from '../../../db/setup/database-log.ts'
import { openLocalContents } from '../../../file-store/local-file-store.ts'
import { type Config, readConfig } from '../../../kernel/config.ts'
import { type AccountId, newId } from '../../../kernel/ids.ts'
import { fillLists } from '../../../test/app/filled-lists.ts'
import { temporaryDirectory } from '../../../test/run/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../../test/run/test-database.ts'
import { insertAccount } from '../../people/accounts/accounts.queries.ts'
import { rollBack } from './roll-back.ts'
import { findRoomProblem, takeSnapshot } from './take-snapshot.ts'
import { UpgradeFailedError, UpgradeGuard } from './upgrade-guard.ts'
import { readUpgradeState, upgradesIn } from './upgrade-state.ts'

let database: TestDatabase
let config: Config
let accountId: AccountId
beforeEach(async () => {
  // Not by the name of the service, which a rollback refuses to work beside.
  database = await createTestDatabase({ applicationName: 'test' })
  onTestFinished(() => database.close())
  accountId = newId('account')
  await insertAccount(database.sql, { id: accountId, name: 'Farm', time_zone: 'UTC' })
  await fillLists(database.sql, accountId, 5)
  config = configWith({})
}, 60_000)

const configWith = (settings: Record<string, string>) =>
  readConfig({ DATABASE_URL: database.url, PRINTYARD_DATA_DIR: temporaryDirectory(), ...settings })

const guardOf = (version: string, of = config) => new UpgradeGuard(of, version, silentLog)

/** The migrations of this version and these, as a later version has them. */
function laterMigrations(...texts: string[]): string {
  const directory = temporaryDirectory()
  const files = readdirSync(migrationsDirectory).sort()
  for (const file of files) copyFileSync(join(migrationsDirectory, file), join(directory, file))
  for (const [index, text] of texts.entries()) {
    const number = String(files.length + 1 + index).padStart(4, '0')
    writeFileSync(join(directory, `${number}-later.sql`), text)
  }
  return directory
}

/** Starts on the database as a version with these migrations would. */
async function start(guard: UpgradeGuard, directory: string, of = config): Promise<void> {
  const { beforeUpgrade } = guard
  const more = { purpose: 'service', migrationsDirectory: directory, beforeUpgrade }
  try {
    const connected = await connectDatabase({ databaseUrl: of.databaseUrl, dataDir: of.dataDir, ...more }, silentLog)
    await connected.close()
  } catch (error) {
    throw await guard.explain(error)
  }
  await guard.cameUp()
}

const back = (more: { snapshot?: string; discardNewer?: boolean } = {}) =>
  rollBack({ config, version: '2.0.0', snapshot: undefined, discardNewer: false, log: silentLog, ...more })

/** Every row of every table, each table as one digest, and the last numbers of sequences. */
async function digest(): Promise<Record<string, string>> {
  const connection = await CopyConnection.open(database.target, 'test')
  try {
    const tables = await connection.run(`select tablename::text as name from pg_tables where schemaname = 'public'`)
    const digests: Record<string, string> = {}
    for (const { name } of tables) {
      const [row] = await connection.run(
        `select count(*) || ' ' || coalesce(md5(string_agg(r, '|' order by r)), '') as digest from (select t::text as r from "${name}" t) rows`,
      )
      digests[String(name)] = String(row?.digest)
    }
    const about = await connection.run(`
      select 'sequence ' || sequencename as name, coalesce(last_value, 0)::text as value from pg_sequences
      union all select 'functions', count(*)::text from pg_proc where pronamespace = 'public'::regnamespace
      union all select 'triggers', count(*)::text from pg_trigger where tgenabled = 'O'
      union all select 'keys', count(*)::text from pg_constraint where convalidated`)
    for (const { name, value } of about) digests[String(name)] = String(value)
    return digests
  } finally {
    await connection.close()
  }
}

const snapshots = async (of = config) =>
  (await readdir(upgradesIn(of.dataDir)).catch(() => [])).filter((name) => /^(snapshot|draft|removed)-/.test(name))

test('after a migration that fails, the message names the command that brings every row back', async () => {
  const before = await digest()
  await start(guardOf('1.0.0'), migrationsDirectory)
  expect(await snapshots()).toEqual([])
  const directory = laterMigrations(
    `alter table accounts add column later text; update accounts set later = 'x', updated_at = now(); insert into accounts (id, name) values ('acc_by_migration', 'x');`,
    'insert into accounts (missing) values (1);',
  )
  const failed = await start(guardOf('2.0.0'), directory).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(UpgradeFailedError)
  expect((failed as UpgradeFailedError).cause).toMatchObject({ code: 'MIGRATION_FAILED' })
  expect((failed as UpgradeFailedError).wayBack).toBe(
    `The upgrade to Printyard 2.0.0 has not come up. To go back to the data of before it, run \`npx printyard rollback --data-dir ${config.dataDir}\`, then start Printyard 1.0.0.`,
  )
  expect(await digest()).not.toEqual(before)
  // A supervisor starts it again and again.
  const [first] = await snapshots()
  for (const _ of [1, 2]) await expect(start(guardOf('2.0.0'), directory)).rejects.toThrow('printyard rollback')
  expect(await snapshots()).toEqual([first])

  // What migrations wrote is not lost work: no flag is needed.
  const done = await back()
  expect(done).toMatchObject({ discarded: [], version: '1.0.0', missing_files: [] })
  expect(await digest()).toEqual(before)
  expect(await readUpgradeState(config.dataDir)).toMatchObject({ pending: null, served_version: '1.0.0' })
  await start(guardOf('1.0.0'), migrationsDirectory)
}, 120_000)

test('a rollback says what was written since, keeps it aside when it is told to go on, and can be taken back', async () => {
  const before = await digest()
  await start(guardOf('2.0.0'), laterMigrations('create table later (id text primary key);'))
  await database.sql`drop table later`
  await database.sql`delete from schema_migrations where file like '%later%'`
  await insertAccount(database.sql, { id: newId('account'), name: 'Later', time_zone: 'UTC' })
  await database.sql`update accounts set name = 'Changed', updated_at = now() where id = ${accountId}`
  const newer = await digest()
  await expect(back()).rejects.toMatchObject({ code: 'ROLLBACK_WOULD_LOSE' })
  await expect(back()).rejects.toThrow(/2 in accounts.*--discard-newer/)
  expect(await digest()).toEqual(newer)

  const done = await back({ discardNewer: true })
  expect(done.discarded).toContainEqual({ table: 'accounts', rows: 2 })
  expect(await digest()).toEqual(before)
  await back({ snapshot: done.set_aside, discardNewer: true })
  expect(await digest()).toEqual(newer)
}, 120_000)

test('what the service itself wrote since is no lost work; what a person, a key, a hub or a rule did is', async () => {
  const before = await digest()
  await start(guardOf('2.0.0'), laterMigrations('create table later (id text primary key);'))
  await database.sql`drop table later`
  await database.sql`delete from schema_migrations where file like '%later%'`
  const happened = (type: string, actor: string) => database.sql`
    insert into events (account_id, id, type, subject_id, data, actor)
    values (${accountId}, ${newId('event')}, ${type}, 'wlt_1', '{}', ${actor})`
  await happened('worklist_task.created', 'system')
  await database.sql`
    insert into worklist_tasks (account_id, id, title, task_type, created_by)
    values (${accountId}, 'wlt_1', 'Make backups', 'maintenance', 'system')`
  const done = await back()
  expect(done.discarded).toEqual([])
  expect(await digest()).toEqual(before)

  for (const actor of ['user:usr_1', 'key:key_1', 'hub:hub_1', 'rule:arl_1']) {
    await happened('worklist_task.created', 'system')
    await happened('worklist_task.status_changed', actor)
    await expect(back()).rejects.toThrow(/lost: 1 in events\./)
    await database.sql`delete from events where account_id = ${accountId} and created_at > now() - interval '1 hour' and type like 'worklist_task.%'`
  }
}, 120_000)

test('a rollback refuses beside a service, and a snapshot that is damaged', async () => {
  await takeSnapshot(database.target, {
    kind: 'snapshot',
    folder: upgradesIn(config.dataDir),
    files: openLocalContents(join(config.dataDir, 'files')),
    version: '1.0.0',
  })
  const service = await CopyConnection.open(database.target, 'printyard')
  await expect(back()).rejects.toMatchObject({ code: 'ROLLBACK_IN_USE' })
  await service.close()
  const claim = await claimDataDirectory(config.dataDir, { purpose: 'service' })
  await expect(back()).rejects.toMatchObject({ code: 'DATA_DIRECTORY_IN_USE' })
  await claim.release()
  const [name = ''] = await snapshots()
  const before = await digest()
  await writeFile(join(upgradesIn(config.dataDir), name, 'database', 'accounts.copy.gz'), 'damaged')
  await expect(back()).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
  await rm(join(upgradesIn(config.dataDir), name), { recursive: true })
  await expect(back()).rejects.toMatchObject({ code: 'SNAPSHOT_NOT_FOUND' })
  expect(await digest()).toEqual(before)
}, 60_000)

test('the last snapshots stay; an upgrade that changed nothing and is tried again later takes a new one', async () => {
  const of = configWith({ PRINTYARD_UPGRADE_SNAPSHOTS: '2' })
  const fails = laterMigrations('select missing;')
  await expect(start(guardOf('2.0.0', of), fails, of)).rejects.toThrow()
  const [first] = await snapshots(of)
  await insertAccount(database.sql, { id: newId('account'), name: 'Since', time_zone: 'UTC' })
  await expect(start(guardOf('2.0.0', of), fails, of)).rejects.toThrow()
  const [second, ...none] = await snapshots(of)
  expect(none).toEqual([])
  expect(second).not.toBe(first)
  const texts = ['select 1;', 'select 2;', 'select 3;', 'select 4;']
  for (const [index] of texts.entries()) {
    await start(guardOf(`2.${index}.0`, of), laterMigrations(...texts.slice(0, index + 1)), of)
  }
  expect(await snapshots(of)).toHaveLength(2)
}, 120_000)

// Only root may mount a disk of its own.
test.skipIf(process.getuid?.() !== 0)(
  'without room for a snapshot nothing is migrated, unless the settings say to go without',
  async () => {
    const folder = upgradesIn(config.dataDir)
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder])
    onTestFinished(() => {
      execFileSync('umount', ['-l', folder])
    })
    const before = await digest()
    const directory = laterMigrations('create table later (id text primary key);')
    const failed = start(guardOf('2.0.0'), directory)
    await expect(failed).rejects.toMatchObject({ code: 'SNAPSHOT_FAILED' })
    await expect(failed).rejects.toThrow(
      /It needs .* MB in .*upgrades, where 8 MB are free.*PRINTYARD_UPGRADE_SNAPSHOTS=0/,
    )
    expect(await digest()).toEqual(before)

    const of = configWith({ PRINTYARD_UPGRADE_SNAPSHOTS: '0' })
    await start(guardOf('2.0.0', of), directory, of)
    expect(await digest()).toHaveProperty('later')
    expect(await snapshots(of)).toEqual([])
  },
  60_000,
)

test('a snapshot needs room for the database once more', () => {
  const mib = 1024 * 1024
  expect(findRoomProblem({ databaseBytes: 100 * mib, freeBytes: 164 * mib, folder: '/x' })).toBeUndefined()
  expect(findRoomProblem({ databaseBytes: 100 * mib, freeBytes: 164 * mib - 1, folder: '/x' })).toBe(
    'It needs 164 MB in /x, where 164 MB are free.',
  )
})

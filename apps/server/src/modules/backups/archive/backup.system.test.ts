import { createHash, randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { CopyConnection } from '../../../db/copy/copy-connection.ts'
import { claimDataDirectory } from '../../../db/embedded/data-directory.ts'
import { startEmbeddedPostgres } from '../../../db/embedded/embedded-postgres.ts'
import { silentLog } from '../../../db/setup/database-log.ts'
import { openLocalContents } from '../../../file-store/local-file-store.ts'
import { fingerprintOf } from '../../../kernel/secret-box.ts'
import { fillLists } from '../../../test/app/filled-lists.ts'
import { createTestApp, type TestApp } from '../../../test/app/test-app.ts'
import { temporaryDirectory } from '../../../test/run/temporary-directory.ts'
import { listBackups } from './backup-folder.ts'
import type { BackupProgress } from './backup-progress.ts'
import { compareTables } from './export-database.ts'
import { type BackupOptions, makeBackup } from './make-backup.ts'
import { readManifest } from './manifest.ts'
import { removeOldBackups } from './remove-old-backups.ts'
import { type RestoreOptions, restoreBackup } from './restore-backup.ts'

const secretKey = randomBytes(32).toString('hex')
const postgres = { account: { uid: 65534, gid: 65534 } }
const passphrase = 'correct horse battery staple'

let t: TestApp
let installation: string
let farmId: string
beforeAll(async () => {
  t = await createTestApp()
  const farm = await t.account()
  farmId = farm.id
  await fillLists(t.db.sql, farm.id, 30)
  const [row] = await t.db.sql<{ id: string }[]>`select installation_id as id from backup_schedule`
  installation = row?.id ?? ''
})
afterAll(() => t.close())

/** Where a test keeps files and backups. */
async function place() {
  const path = temporaryDirectory()
  const store = join(path, 'store')
  const addFile = async (content: Buffer) => {
    const sha256 = createHash('sha256').update(content).digest('hex')
    await mkdir(join(store, sha256.slice(0, 2)), { recursive: true })
    await writeFile(join(store, sha256.slice(0, 2), sha256), content)
    return sha256
  }
  const folder = join(path, 'backups')
  const source = {
    target: t.db.target,
    files: openLocalContents(store),
    installation,
    version: '1.2.3',
    secretKeyFingerprints: [fingerprintOf(secretKey)],
  }
  const back = (more: Partial<BackupOptions> = {}) =>
    makeBackup(source, { folder, passphrase: undefined, scratchParent: path, postgres, log: silentLog, ...more })
  const restore = (name: string, more: Partial<RestoreOptions> = {}) =>
    restoreBackup({
      from: join(folder, name),
      dataDir: join(path, 'restored'),
      files: openLocalContents(join(more.dataDir ?? join(path, 'restored'), 'files')),
      database: undefined,
      passphrase: undefined,
      secretKeyFile: undefined,
      secretKey,
      withoutSecretKey: false,
      postgres,
      log: silentLog,
      ...more,
    })
  return { path, store, folder, source, addFile, back, restore }
}

async function openRestored(dataDir: string): Promise<CopyConnection> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  onTestFinished(() => claim.release())
  const server = await startEmbeddedPostgres({ claim, log: silentLog })
  onTestFinished(() => server.stop())
  const connection = await CopyConnection.open(server.connection, 'printyard test')
  onTestFinished(() => connection.close())
  return connection
}

/** Each step goes up from what was done to all that there is, of which no step tells more. */
function expectProgress(told: readonly BackupProgress[], { bytes, rows }: { bytes: number; rows: number }): void {
  const steps = Map.groupBy(told, ({ step }) => step)
  expect(steps.get('files')?.at(-1)).toEqual({ step: 'files', done: bytes, total: bytes })
  if (steps.has('tables')) expect(steps.get('tables')?.at(-1)).toEqual({ step: 'tables', done: rows, total: null })
  for (const step of ['restore', 'check'] as const) {
    expect(steps.get(step)?.at(-1)).toEqual({ step, done: rows, total: rows })
  }
  for (const [, ofStep] of steps) {
    const done = ofStep.map((each) => each.done)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
  }
}

test('a backup holds every row and file, is restored as it was, and a second one copies only what is new', async () => {
  const { path, folder, addFile, back, restore } = await place()
  const contents = [randomBytes(200_000), randomBytes(10), Buffer.alloc(0)]
  const hashes = await Promise.all(contents.map(addFile))
  const told: BackupProgress[] = []
  const first = await back({ onProgress: (progress) => told.push(progress) })
  expectProgress(told, { bytes: 200_010, rows: first.rows })
  expect(first).toMatchObject({ files: 3, new_files: 3, is_encrypted: false })
  expect(first.rows).toBeGreaterThan(300)
  const another = await addFile(randomBytes(1_000))
  const second = await back()
  expect(second).toMatchObject({ files: 4, new_files: 1 })
  expect(second.new_bytes).toBeLessThan(first.new_bytes - 150_000)
  expect((await listBackups(folder)).map(({ name }) => name)).toEqual([second.name, first.name])

  const toldOfRestore: BackupProgress[] = []
  const restored = await restore(second.name, { onProgress: (progress) => toldOfRestore.push(progress) })
  expectProgress(toldOfRestore, { bytes: 201_010, rows: second.rows })
  expect(restored).toMatchObject({ files: 4, secret_key: 'from settings' })
  for (const sha256 of [...hashes, another]) {
    const content = await readFile(join(path, 'restored', 'files', sha256.slice(0, 2), sha256))
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
  const connection = await openRestored(join(path, 'restored'))
  await compareTables(connection, await readManifest(join(folder, second.name), undefined))
  // What migrations made beside tables is there, and the numbers go on.
  const [triggers] = await connection.run(
    `select count(*) filter (where tgenabled <> 'O') as off, count(*) as all from pg_trigger where not tgisinternal`,
  )
  expect(triggers).toMatchObject({ off: '0' })
  const count = `select count(*) as keys from pg_constraint where contype = 'f' and convalidated`
  const [keys] = await connection.run(count)
  expect([keys]).toEqual(
    await t.db.sql`select count(*)::text as keys from pg_constraint where contype = 'f' and convalidated`,
  )
  const sequences = 'select sequencename, last_value::text from pg_sequences order by 1'
  expect(await connection.run(sequences)).toEqual([
    ...(await t.db.sql`select sequencename, last_value::text from pg_sequences order by 1`),
  ])
}, 60_000)

test('an encrypted backup shows nothing of what it holds, and opens only by its passphrase', async () => {
  const { path, folder, addFile, back, restore } = await place()
  const marker = Buffer.from('a very private print file')
  const sha256 = await addFile(marker)
  const { name } = await back({ passphrase })
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(files.length).toBeGreaterThan(80)
  for (const file of files) {
    const bytes = await readFile(join(file.parentPath, file.name))
    for (const secret of [marker, Buffer.from(sha256), Buffer.from('Product 1')])
      expect(bytes.includes(secret)).toBe(false)
    expect(file.name).not.toContain(sha256)
  }
  await expect(restore(name)).rejects.toMatchObject({ code: 'BACKUP_LOCKED' })
  await expect(restore(name, { passphrase: `${passphrase}!` })).rejects.toMatchObject({ code: 'BACKUP_LOCKED' })
  expect(await readdir(path)).not.toContain('restored')
  const restored = await restore(name, { passphrase })
  expect(restored.files).toBe(1)
  expect(await readFile(join(path, 'restored', 'files', sha256.slice(0, 2), sha256))).toEqual(marker)
}, 60_000)

test('whatever is damaged in a backup is found before anything is written', async () => {
  const { path, folder, addFile, back, restore } = await place()
  const sha256 = await addFile(randomBytes(50_000))
  const { name } = await back()
  const victims = [
    join(folder, 'files', sha256.slice(0, 2), sha256),
    join(folder, name, 'database', 'events.copy.gz'),
    join(folder, name, 'manifest.json'),
    join(folder, name, 'files.list.gz'),
  ]
  for (const victim of victims) {
    const whole = await readFile(victim)
    const flipped = Buffer.from(whole)
    flipped[20] = (flipped[20] ?? 0) ^ 1
    await writeFile(victim, flipped)
    await expect(restore(name)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
    await truncate(victim, whole.length - 1)
    await expect(restore(name)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
    await rm(victim)
    await expect(restore(name)).rejects.toMatchObject({ code: 'BACKUP_DAMAGED' })
    await writeFile(victim, whole)
  }
  expect(await readdir(path)).not.toContain('restored')
  await restore(name)
}, 60_000)

test('nothing is overwritten, no stranger is taken for a backup, and the key must be the right one', async () => {
  const { path, folder, source, back, restore } = await place()
  const { name } = await back()
  await mkdir(join(path, 'full'))
  await writeFile(join(path, 'full', 'note.txt'), 'mine')
  await expect(restore(name, { dataDir: join(path, 'full') })).rejects.toMatchObject({ code: 'RESTORE_NOT_EMPTY' })
  await expect(restore(name, { database: t.db.target })).rejects.toMatchObject({ code: 'RESTORE_NOT_EMPTY' })
  await expect(restore('nothing')).rejects.toMatchObject({ code: 'BACKUP_NOT_FOUND' })
  await expect(restore('')).rejects.toThrow(name)
  await expect(restore(name, { from: 's3://bucket/x' })).rejects.toMatchObject({ code: 'BACKUP_TARGET_UNKNOWN' })

  const other = randomBytes(32).toString('hex')
  await expect(restore(name, { secretKey: other })).rejects.toMatchObject({ code: 'BACKUP_KEY_MISSING' })
  await expect(restore(name, { secretKey: undefined })).rejects.toMatchObject({ code: 'BACKUP_KEY_MISSING' })
  await writeFile(join(path, 'wrong.key'), other)
  await expect(restore(name, { secretKey: undefined, secretKeyFile: join(path, 'wrong.key') })).rejects.toMatchObject({
    code: 'BACKUP_KEY_MISSING',
  })
  await writeFile(join(folder, 'secret.key'), `${secretKey}\n`)
  expect(await restore(name, { secretKey: undefined })).toMatchObject({ secret_key: 'restored' })
  expect(await readFile(join(path, 'restored', 'secret.key'), 'utf8')).toBe(`${secretKey}\n`)

  await expect(back({ folder: join(path, 'full') })).rejects.toMatchObject({ code: 'BACKUP_TARGET_UNUSABLE' })
  const stranger = { ...source, installation: '11111111-1111-4111-8111-111111111111' }
  const options = { folder, passphrase: undefined, scratchParent: path, postgres, log: silentLog }
  await expect(makeBackup(stranger, options)).rejects.toMatchObject({ code: 'BACKUP_OF_ANOTHER' })
}, 60_000)

test('a backup that cannot be restored does not count', async () => {
  const { path, folder, back } = await place()
  // A row that no longer fits its foreign key, as a damaged index would let through.
  const { target } = t.db
  const connection = await CopyConnection.open(target, 'printyard test')
  await connection.run(`set session_replication_role = replica`)
  await connection.run(
    `insert into members (account_id, id, user_id, role) values ('acc_none', 'mem_none', 'usr_none', 'owner')`,
  )
  try {
    await expect(back()).rejects.toThrow('members')
    expect((await readdir(folder)).filter((name) => /^(backup|draft)/.test(name))).toEqual([])
    expect((await readdir(path)).filter((name) => name.startsWith('backup-check'))).toEqual([])
  } finally {
    await connection.run(`delete from members where id = 'mem_none'`)
    await connection.close()
  }
})

test('a file that is missing or damaged in the store is named, and does not stop the backup', async () => {
  const { store, addFile, back } = await place()
  const sha256 = await addFile(randomBytes(100))
  await writeFile(join(store, sha256.slice(0, 2), sha256), 'other bytes')
  const unknown = createHash('sha256').update('never stored').digest('hex')
  await t.db.sql`
    update print_file_versions set sha256 = ${unknown}
    where account_id = ${farmId} and id = (select min(id) from print_file_versions where account_id = ${farmId})`
  const made = await back()
  expect(made.files).toBe(0)
  expect(made.missing_files).toEqual([unknown])
})

test('old backups are removed by the rule, with the files that only they have', async () => {
  const { store, folder, addFile, back } = await place()
  const gone = await addFile(randomBytes(1_000))
  const kept = await addFile(randomBytes(1_000))
  const first = await back()
  await rm(join(store, gone.slice(0, 2), gone))
  const second = await back()
  expect(await removeOldBackups(folder, { daily: 1, weekly: 0, monthly: 0 }, undefined)).toEqual({
    backups: 1,
    files: 1,
  })
  const left = await readdir(folder, { recursive: true })
  expect(left).toContain(second.name)
  expect(left).not.toContain(first.name)
  expect(left.filter((name) => name.includes(gone))).toEqual([])
  expect(left.filter((name) => name.includes(kept))).toHaveLength(1)
}, 60_000)

test.skipIf(process.getuid?.() === 0)('a folder that cannot be written to is named', async () => {
  const { path, back } = await place()
  await mkdir(join(path, 'closed'))
  await chmod(join(path, 'closed'), 0o500)
  await expect(back({ folder: join(path, 'closed', 'b') })).rejects.toMatchObject({ code: 'BACKUP_TARGET_UNUSABLE' })
})

import { existsSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Memory } from '../../kernel/memory.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { temporaryDirectory } from '../../test/run/temporary-directory.ts'
import { isS3Installed, type S3Fault, startFaultyWay, startTestS3 } from '../../test/services/test-s3.ts'
import { makerOf, watchBackups } from './backups.service.ts'

let t: TestApp
let account: TestAccount
let owner: TestPerson
let dataDir: string
let now: Date
beforeEach(() => start())
afterEach(() => end())

async function start(settings: Partial<TestApp['context']['config']> = {}): Promise<void> {
  dataDir = temporaryDirectory()
  now = new Date()
  t = await createTestApp({
    context: { clock: { now: () => now } },
    config: { dataDir, backupDir: join(dataDir, 'elsewhere'), ...settings },
  })
  // The process that makes a backup connects by itself.
  Object.assign(t.context, { config: { ...t.context.config, databaseUrl: t.db.url } })
  account = await t.account()
  owner = await createTestPerson(t, account, 'owner')
}

async function end(): Promise<void> {
  await makerOf(t.context).stop()
  await t.close()
}

const show = async () => (await owner.request('GET', '/backups')).json().data
/** A backup starts a database of its own, which takes long on a busy machine. */
async function untilOver(): Promise<void> {
  for (const deadline = Date.now() + 60_000; (await show()).backups[0]?.ended_at === null; await wait(100)) {
    expect(Date.now()).toBeLessThan(deadline)
  }
}
interface Progress {
  step: string
  unit: string
  done: number
  total: number | null
}

/** How far the backup was each time that it was asked for, until it is over. */
async function watchProgress(): Promise<Progress[]> {
  const seen: Progress[] = []
  for (const deadline = Date.now() + 60_000; ; await wait(20)) {
    const [backup] = (await show()).backups
    if (backup.ended_at !== null) return seen
    if (backup.progress !== null) seen.push(backup.progress)
    expect(Date.now()).toBeLessThan(deadline)
  }
}
const backupTasks = async () =>
  (await account.request('GET', '/worklist?status=pending'))
    .json()
    .data.filter((task: { title: string }) => /backup/.test(task.title))

test('an owner sees that there is none, makes one, and sees it with its size', async () => {
  expect(await show()).toMatchObject({
    schedule: { is_enabled: false, hour: 2, keep_daily: 7, keep_weekly: 4, keep_monthly: 6, next_at: null },
    folder: join(dataDir, 'elsewhere'),
    is_in_data_folder: true,
    is_encrypted: false,
    backups: [],
  })
  const made = await owner.request('POST', '/backups')
  expect(made.statusCode, made.body).toBe(202)
  expect(made.json().data.backups).toMatchObject([{ status: 'running', cause: 'person', ended_at: null }])
  const second = await owner.request('POST', '/backups')
  expect(second.statusCode).toBe(409)
  expect(second.json().error).toMatchObject({ code: 'BACKUP_RUNNING' })
  const seen = await watchProgress()
  const { backups } = await show()
  // How far it was, by what was counted, while it was made; nothing of that afterwards.
  expect(seen.length).toBeGreaterThan(0)
  for (const { step, unit, done, total } of seen) {
    expect(unit).toBe(step === 'files' || step === 'copy' ? 'bytes' : 'rows')
    if (total !== null) expect(done).toBeLessThanOrEqual(total)
  }
  expect(backups).toMatchObject([
    { status: 'done', progress: null, is_encrypted: false, error: null, missing_file_count: 0 },
  ])
  expect(backups[0].row_count).toBeGreaterThan(10)
  expect(existsSync(join(dataDir, 'elsewhere', backups[0].name, 'manifest.json'))).toBe(true)
}, 90_000)

test.runIf(isS3Installed('moto'))(
  'a copy that failed is told with its reason and with the backup that is on the disk; the next one is told as the last copy',
  async () => {
    const s3 = await startTestS3('moto')
    let fault: S3Fault | undefined = { status: 403, code: 'AccessDenied' }
    const way = await startFaultyWay(s3.endpoint, () => fault)
    try {
      const { bucket, accessKey, secretAccessKey } = await s3.makeBucket()
      const copyTo = `s3://${bucket}/farm`
      expect((await show()).copies).toBeNull()
      await end()
      await start({
        backupCopyTo: copyTo,
        backupS3Endpoint: way.endpoint,
        backupS3AccessKeyId: accessKey,
        backupS3SecretAccessKey: secretAccessKey,
      })
      const none = { to: copyTo, last_name: null, last_copied_at: null, failed_at: null, error: null }
      expect((await show()).copies).toEqual(none)

      expect((await owner.request('POST', '/backups')).statusCode).toBe(202)
      await untilOver()
      const failed = await show()
      const [onDisk] = failed.backups
      expect(onDisk).toMatchObject({ status: 'failed', copy_to: copyTo, copied_at: null })
      expect(onDisk.copy_error).toContain('AccessDenied')
      expect(existsSync(join(dataDir, 'elsewhere', onDisk.name, 'manifest.json'))).toBe(true)
      expect(failed.copies).toEqual({ ...none, failed_at: onDisk.ended_at, error: onDisk.copy_error })
      await watchBackups(t.context)
      expect(await backupTasks()).toMatchObject([{ title: 'The last backup failed' }])

      fault = undefined
      expect((await owner.request('POST', '/backups')).statusCode).toBe(202)
      await untilOver()
      const { backups, copies } = await show()
      expect(backups[0]).toMatchObject({ status: 'done', copy_to: copyTo, copy_error: null })
      expect(copies).toEqual({ ...none, last_name: backups[0].name, last_copied_at: backups[0].copied_at })
    } finally {
      await way.close()
      await s3.close()
    }
  },
  150_000,
)

test('a backup of the schedule is made when it is due, once; one that fails is a task until one succeeds', async () => {
  await writeFile(join(dataDir, 'elsewhere'), 'a file in the place of the folder')
  const changed = await owner.request('PATCH', '/backups/schedule', {
    is_enabled: true,
    hour: now.getUTCHours(),
    keep_daily: 2,
  })
  expect(changed.json().data).toMatchObject({ is_enabled: true, keep_daily: 2, keep_weekly: 4 })
  await watchBackups(t.context)
  await untilOver()
  expect((await show()).backups).toMatchObject([{ status: 'failed', cause: 'schedule', name: null }])
  await watchBackups(t.context)
  await watchBackups(t.context)
  expect((await show()).backups).toHaveLength(1)
  expect(await backupTasks()).toMatchObject([
    { title: 'The last backup failed', priority: 'high', task_type: 'maintenance' },
  ])

  await rm(join(dataDir, 'elsewhere'))
  now = new Date(Date.now() + 3_601_000)
  await t.settled(async () => {
    await watchBackups(t.context)
    return (await show()).backups.length === 2
  })
  await untilOver()
  expect((await show()).backups[0]).toMatchObject({ status: 'done', cause: 'schedule' })
  await watchBackups(t.context)
  expect(await backupTasks()).toEqual([])
}, 150_000)

test('of two processes that find a backup due at the same moment one makes it', async () => {
  const other = { ...t.context, memory: new Memory() }
  onTestFinished(() => makerOf(other).stop())
  await owner.request('PATCH', '/backups/schedule', { is_enabled: true, hour: now.getUTCHours() })
  await Promise.all([watchBackups(t.context), watchBackups(other)])
  expect((await show()).backups).toMatchObject([{ cause: 'schedule' }])
  await untilOver()
  await Promise.all([watchBackups(other), watchBackups(t.context)])
  expect((await show()).backups).toMatchObject([{ status: 'done', cause: 'schedule' }])
}, 90_000)

test('a backup that is stopped with the service leaves nothing behind, and is told as broken off', async () => {
  expect((await owner.request('POST', '/backups')).statusCode).toBe(202)
  await makerOf(t.context).stop()
  // The server notices the end of a connection a moment later.
  await t.settled(async () => {
    await watchBackups(t.context)
    return (await show()).backups[0]?.status === 'failed'
  })
  await watchBackups(t.context)
  expect((await show()).backups).toMatchObject([{ status: 'failed', error: expect.stringContaining('broken off') }])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('backup-check'))).toEqual([])
  expect(await backupTasks()).toHaveLength(1)
}, 90_000)

test('bad numbers are refused; where several accounts share the service, none of them looks after it unless it is named', async () => {
  for (const body of [{}, { hour: 24 }, { keep_daily: 0 }, { keep_weekly: -1 }, { is_enabled: 'yes' }]) {
    expect((await owner.request('PATCH', '/backups/schedule', body)).statusCode).toBe(400)
  }
  const admin = await createTestPerson(t, account, 'admin')
  expect((await admin.request('GET', '/backups')).statusCode).toBe(200)
  const operator = await createTestPerson(t, account, 'operator')
  expect((await operator.request('GET', '/backups')).statusCode).toBe(403)

  const stranger = await createTestPerson(t, await t.account(), 'owner')
  for (const person of [owner, stranger]) {
    const refused = await person.request('POST', '/backups')
    expect(refused.statusCode).toBe(403)
    expect(refused.json().error).toMatchObject({ code: 'NOT_OPERATOR' })
    expect((await person.request('GET', '/backups')).statusCode).toBe(403)
    expect((await person.request('PATCH', '/backups/schedule', { hour: 1 })).statusCode).toBe(403)
  }
  expect(await t.db.sql`select hour from backup_schedule`).toMatchObject([{ hour: 2 }])
})

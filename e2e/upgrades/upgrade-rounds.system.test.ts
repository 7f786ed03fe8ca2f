import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isWhole, sampleOf, sampleSeed } from '@printyard/protocol/test/sample'
import { CopyConnection } from '@printyard/server/db/copy/copy-connection'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import { startEmbeddedPostgres } from '@printyard/server/db/embedded/embedded-postgres'
import { migrationsDirectory } from '@printyard/server/db/migrate'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { slowly } from '../backups/slow-commands.ts'
import { createRandom } from '../fault-runs/seeded-random.ts'
import { startCli } from '../test/run-cli.ts'
import { copyInstallation, restoreFormerInstallations } from './former-installations.ts'

/** `npm run upgrade-rounds -- --rounds 20` sets these. */
const rounds = Number(process.env.UPGRADE_ROUNDS ?? (isWhole ? 2 : 1))
const fromSeed = Number(process.env.UPGRADE_FROM_SEED ?? (isWhole ? 1 : sampleSeed))

const newest = readdirSync(migrationsDirectory).length

/** The rows of every table as text, with what the database itself keeps out. */
type Tables = Record<string, string[]>

const installations = restoreFormerInstallations((kept) => sampleOf(kept, 2))

async function readTables(dataDir: string): Promise<{ level: number; tables: Tables }> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'test' })
  const server = await startEmbeddedPostgres({ claim, log: silentLog })
  try {
    const connection = await CopyConnection.open(server.connection, 'test')
    const names = await connection.run(
      `select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`,
    )
    const tables: Tables = {}
    for (const { name } of names) {
      const rows = await connection.run(`select t::text as row from "${name}" t order by 1`)
      tables[String(name)] = rows.map(({ row }) => String(row))
    }
    const [row] = await connection.run('select max(number)::text as level from schema_migrations')
    await connection.close()
    return { level: Number(row?.level), tables }
  } finally {
    await server.stop()
    await claim.release()
  }
}

/** Starts this version on a data directory, and stops it when it serves. */
async function upgrade(dataDir: string): Promise<void> {
  const service = startCli(['serve', '--port', '0', '--data-dir', dataDir])
  expect(await service.nextLine()).toContain('Printyard is ready at')
  service.child.kill('SIGTERM')
  expect(await service.ended).toBe(0)
}

/** Begins the upgrade and ends it as a power cut would, at a moment of its start; answers whether it had come up. */
async function cutShort(dataDir: string, afterMs: number): Promise<boolean> {
  const service = startCli(['serve', '--port', '0', '--data-dir', dataDir])
  const cameUp = service.nextLine().then(
    () => true,
    () => false,
  )
  await Promise.race([wait(afterMs), service.ended])
  service.child.kill('SIGKILL')
  await service.ended
  return await cameUp
}

const rollBack = (dataDir: string) => slowly(['rollback', '--data-dir', dataDir, '--json'])

/** What a service removes once it is as old as it is kept: the data are of a day that only gets longer ago. */
const passing = new Set([
  'events',
  'hub_join_codes',
  'idempotency_keys',
  'invitations',
  'notifications',
  'password_resets',
  'printer_periods',
  'sessions',
  'uploads',
  'webhook_deliveries',
])

test('data of each former version is upgraded, and a rollback brings every row of it back', async () => {
  expect(installations.length).toBeGreaterThan(0)
  for (const { level, dataDir: untouched } of installations) {
    const dataDir = join(temporaryDirectory(), 'data')
    copyInstallation(untouched, dataDir)
    const before = await readTables(dataDir)
    expect(before.level).toBe(level)
    await upgrade(dataDir)
    const after = await readTables(dataDir)
    expect(after.level).toBe(newest)
    for (const [table, rows] of Object.entries(before.tables).filter(([each]) => !passing.has(each))) {
      expect(after.tables[table]?.length ?? 0, table).toBeGreaterThanOrEqual(rows.length)
    }
    const account = ['--name', 'Later', '--owner-email', 'later@example.com']
    expect((await slowly(['accounts', 'create', ...account, '--data-dir', dataDir])).exitCode).toBe(0)
    const refused = await rollBack(dataDir)
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('--discard-newer')])
    const done = await slowly(['rollback', '--data-dir', dataDir, '--discard-newer', '--json'])
    expect([done.exitCode, done.stderr]).toEqual([0, ''])
    expect(await readTables(dataDir)).toEqual(before)
  }
}, 240_000)

test(
  'an upgrade that is killed at any moment is finished by the next start, or taken back whole',
  async () => {
    for (let seed = fromSeed; seed < fromSeed + rounds; seed += 1) {
      const random = createRandom(seed)
      const { dataDir: untouched } = random.pick(installations)
      const dataDir = join(temporaryDirectory(), 'data')
      copyInstallation(untouched, dataDir)
      const before = await readTables(dataDir)
      let hasServed = false
      for (let kills = random.integer(1, 2); kills > 0; kills -= 1) {
        hasServed = (await cutShort(dataDir, random.integer(700, 3_000))) || hasServed
      }
      const { level } = await readTables(dataDir)
      expect(level, `seed ${seed}`).toBeGreaterThanOrEqual(before.level)
      if (!hasServed && level > before.level) {
        const done = await rollBack(dataDir)
        expect([done.exitCode, done.stderr], `seed ${seed}`).toEqual([0, ''])
        expect(await readTables(dataDir), `seed ${seed}`).toEqual(before)
      }
      await upgrade(dataDir)
      expect((await readTables(dataDir)).level, `seed ${seed}`).toBe(newest)
    }
  },
  60_000 + rounds * 120_000,
)

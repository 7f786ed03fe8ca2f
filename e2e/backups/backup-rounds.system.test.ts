import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDriver } from '@printyard/server/db/driver/open-driver'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import { startEmbeddedPostgres } from '@printyard/server/db/embedded/embedded-postgres'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../fault-runs/seeded-random.ts'
import { readSlicedFile, startTestFarm, type TestFarm, type TestHub } from '../test/test-farm.ts'
import { type Backup, backUp, slowly } from './slow-commands.ts'

/** `npm run backup-rounds -- --rounds 50` sets these. */
const rounds = Number(process.env.BACKUP_ROUNDS ?? 1)
const fromSeed = Number(process.env.BACKUP_FROM_SEED ?? 1)

type Random = ReturnType<typeof createRandom>
let farm: TestFarm
let hub: TestHub
let printers: string[]
beforeAll(async () => {
  farm = await startTestFarm({ hasOwnPostgres: true })
  hub = await farm.createHub('Hub')
  hub.start({ speed: 3_000 })
  printers = [await hub.addPrinter(), await hub.addPrinter(), await hub.addPrinter()]
  for (const id of printers) await farm.ask(200, 'PATCH', `/printers/${id}`, { auto_start: true, nozzle_size: 0.4 })
  await writeFile(join(farm.path, 'passphrase'), 'correct horse battery staple\n')
}, 120_000)
afterAll(() => farm?.end(), 60_000)

/** Lets the farm work until it is told to stop; answers what the service said yes to, with the time of its answer. */
function work(random: Random): { stop(): Promise<{ id: string; at: number }[]> } {
  const acknowledged: { id: string; at: number }[] = []
  const fileIds: string[] = []
  let isOver = false
  async function act(): Promise<void> {
    const choice = random.integer(1, 10)
    if (fileIds.length === 0 || choice <= 2) {
      const comment = Buffer.from(`\n; ${random.integer(0, 1e9)}\n`)
      fileIds.push(await farm.addFile(new Uint8Array(Buffer.concat([await readSlicedFile(), comment]))))
    } else if (choice <= 6) {
      const body = { print_file_id: random.pick(fileIds), number_of_units: random.integer(1, 2) }
      const { id } = await farm.ask<{ id: string }>(201, 'POST', '/jobs', body)
      acknowledged.push({ id, at: Date.now() })
    } else if (choice === 7 && acknowledged.length > 0) {
      await farm.request('POST', `/jobs/${random.pick(acknowledged).id}/cancel`)
    } else {
      await farm.request('POST', `/printers/${random.pick(printers)}/control`, { action: 'clear_bed' })
    }
  }
  async function goOn(): Promise<void> {
    while (!isOver) {
      try {
        await act()
      } catch (error) {
        // What the kill cut off was done or not; anything else is a failure of this test.
        if (!isOver) throw error
      }
      await wait(random.integer(5, 60))
    }
  }
  const workers = [goOn(), goOn()]
  return {
    async stop() {
      isOver = true
      await Promise.all(workers)
      return acknowledged
    },
  }
}

/** All rows of all tables but the runs of backups, each table as one digest, by a way of its own. */
async function digestTables(dataDir: string): Promise<Record<string, string>> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  const server = await startEmbeddedPostgres({ claim, log: silentLog })
  const sql = openDriver(server.connection, 'printyard test')
  try {
    const tables = await sql<{ name: string }[]>`
      select tablename::text as name from pg_tables where schemaname = 'public' and tablename <> 'backup_runs'`
    const digests: Record<string, string> = {}
    for (const { name } of tables) {
      const [row] = await sql.unsafe(
        `select count(*) || ' ' || coalesce(md5(string_agg(r, '|' order by r)), '') as digest from (select t::text as r from "${name}" t) rows`,
      )
      digests[name] = String(row?.digest)
    }
    const [sequences] = await sql.unsafe(
      `select string_agg(sequencename || ' ' || coalesce(last_value, 0), ', ' order by sequencename) as all from pg_sequences`,
    )
    return { ...digests, ' sequences': String(sequences?.all) }
  } finally {
    await sql.end()
    await server.stop()
    await claim.release()
  }
}

async function readJobs(dataDir: string): Promise<Set<string>> {
  const claim = await claimDataDirectory(dataDir, { purpose: 'service' })
  const server = await startEmbeddedPostgres({ claim, log: silentLog })
  const sql = openDriver(server.connection, 'printyard test')
  try {
    return new Set((await sql.unsafe('select id from jobs')).map((row) => String(row.id)))
  } finally {
    await sql.end()
    await server.stop()
    await claim.release()
  }
}

/** The files of a store, each with the hash of its content. */
async function hashFiles(dataDir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  const hashes: Record<string, string> = {}
  for (const entry of entries) {
    if (!entry.isFile() || entry.parentPath.endsWith('incoming')) continue
    const content = await readFile(join(entry.parentPath, entry.name))
    hashes[entry.name] = createHash('sha256').update(content).digest('hex')
  }
  return hashes
}

async function restore(backup: Backup, name: string): Promise<string> {
  const dataDir = join(farm.path, name)
  const secrets = ['--secret-key-file', join(farm.dataDir, 'secret.key')]
  const opens = ['--passphrase-file', join(farm.path, 'passphrase')]
  const answer = await slowly(['restore', backup.path, '--data-dir', dataDir, ...secrets, ...opens])
  expect(answer.stderr).toBe('')
  expect(answer.exitCode).toBe(0)
  return dataDir
}

async function playRound(seed: number): Promise<void> {
  const random = createRandom(seed)
  const form = random.chance(0.5) ? ['--passphrase-file', join(farm.path, 'passphrase')] : []
  const working = work(random)
  await wait(random.integer(100, 1_500))
  const startedAt = Date.now()
  const during = await backUp(farm.dataDir, join(farm.path, 'backups'), ...form)
  expect(during.missing_files).toEqual([])
  await wait(random.integer(0, 500))
  const killing = farm.service.kill()
  const acknowledged = await working.stop()
  await killing

  const middle = await restore(during, `middle-${seed}`)
  const jobs = await readJobs(middle)
  for (const { id, at } of acknowledged) if (at < startedAt) expect(jobs).toContain(id)
  const taken = new Date(during.taken_at).getTime()
  expect(taken).toBeGreaterThanOrEqual(startedAt)
  for (const [name, hash] of Object.entries(await hashFiles(middle))) expect(hash).toBe(name)

  const after = await backUp(farm.dataDir, join(farm.path, 'backups'), ...form)
  const end = await restore(after, `end-${seed}`)
  expect(await digestTables(end)).toEqual(await digestTables(farm.dataDir))
  const files = await hashFiles(farm.dataDir)
  expect(await hashFiles(end)).toEqual(files)
  for (const [name, hash] of Object.entries(files)) expect(hash).toBe(name)
  for (const dataDir of [middle, end]) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  await farm.startAgain()
}

test(
  'a farm at work, backed up, killed and restored elsewhere has every row and every file',
  async () => {
    for (let seed = fromSeed; seed < fromSeed + rounds; seed += 1) {
      const startedAt = performance.now()
      await playRound(seed)
      if (rounds > 2) console.log(`round of seed ${seed}: ${Math.round(performance.now() - startedAt)} ms`)
    }
    const starts = await Promise.all(printers.map((id) => hub.printerLog(id)))
    expect(starts.flat().filter(({ kind }) => kind === 'started').length).toBeGreaterThan(0)
  },
  60_000 + rounds * 180_000,
)

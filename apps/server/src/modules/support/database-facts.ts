import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../../db/database.ts'
import { listPendingMigrations, migrationsDirectory } from '../../db/migrate.ts'
import type { AttemptRow, BackupRunRow, JobRow, PrinterRow } from '../../db/rows.generated.ts'
import { numberOf } from './machine-facts.ts'
import { isKnownCode, isOwnId } from './redact-log.ts'
import { countWork, listFailedBackups, listHubAges, listTableSizes, readServer } from './support.queries.ts'

const failedBackups = 20

/** Answers what the database tells of itself, part by part: one that cannot be had says why and spoils no other. */
export async function readDatabaseFacts(sql: Sql): Promise<Record<string, unknown>> {
  const parts: Record<string, () => Promise<unknown>> = {
    server: async () => {
      const server = await readServer(sql)
      return server && { ...server, version: numberOf(server.version) }
    },
    migrations: () => readMigrationLevel(sql),
    tables: () => readTables(sql),
    work: () => readWork(sql),
    hubs: () => readHubs(sql),
    failed_backups: async () =>
      (await listFailedBackups(sql, failedBackups)).map((run) => ({
        ...run,
        cause: known(causes, run.cause),
        id: isOwnId(run.id) ? run.id : null,
        error_code: codeOf(run.error_code),
      })),
  }
  const facts: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(parts)) {
    try {
      facts[name] = await read()
    } catch (error) {
      facts[name] = { problem: problemOf(error) }
    }
  }
  return facts
}

/** The code of an error that says nothing but what kind it is. */
function problemOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return codeOf(typeof code === 'string' ? code : null) ?? 'failed'
}

const codeOf = (code: string | null) => (code !== null && isKnownCode(code) ? code : null)

async function readMigrationLevel(sql: Sql) {
  const [ledger] = await sql<{ level: number | null; count: number; last_at: Date | null }[]>`
    select max(number)::integer as level, count(*)::integer as count, max(applied_at) as last_at from schema_migrations`
  return { ...ledger, of_this_version: migrationFiles().length, pending: (await listPendingMigrations(sql)).length }
}

const migrationFiles = () => readdirSync(migrationsDirectory).filter((name) => name.endsWith('.sql'))

const statuses = [
  'queued',
  'processing',
  'printing',
  'paused',
  'completed',
  'failed',
  'cancelled',
] as const satisfies JobRow['status'][]
const phases = [
  'reserved',
  'transferring',
  'starting',
  'confirmed',
  'finished',
] as const satisfies AttemptRow['phase'][]
const families = [
  'virtual',
  'octoprint',
  'moonraker',
  'prusalink',
  'bambu',
  'elegoo',
  'creality',
] as const satisfies PrinterRow['connection_type'][]
const causes = ['schedule', 'person', 'command'] as const satisfies BackupRunRow['cause'][]

/** A word that the database should hold nothing else than, if it is one of them. */
function known(words: readonly string[], word: string): string {
  return words.includes(word) ? word : 'other'
}

async function readWork(sql: Sql) {
  const { jobs, attempts, printers, ...others } = await countWork(sql)
  return {
    jobs: jobs.map(({ status, count }) => ({ status: known(statuses, status), count })),
    attempts_under_way: attempts.map(({ phase, count }) => ({ phase: known(phases, phase), count })),
    printers: printers.map(({ connection_type, count }) => ({
      connection_type: known(families, connection_type),
      count,
    })),
    ...others,
  }
}

/** A server of the user's own may have tables of others: only ours are named. */
async function readTables(sql: Sql) {
  const text = migrationFiles()
    .map((name) => readFileSync(join(migrationsDirectory, name), 'utf8'))
    .join('\n')
  const ours = new Set([...text.matchAll(/\bcreate table (?:if not exists )?([a-z_]+)/gi)].map(([, name]) => name))
  ours.add('schema_migrations')
  const tables = await listTableSizes(sql)
  const others = tables.filter(({ name }) => !ours.has(name))
  return {
    ours: tables.filter(({ name }) => ours.has(name)),
    others: { count: others.length, bytes: others.reduce((sum, { bytes }) => sum + bytes, 0) },
  }
}

async function readHubs(sql: Sql) {
  const hubs = await listHubAges(sql)
  // What a hub says of its version is a text from the network.
  return hubs.map(({ id, firmware_version, ...hub }) => ({
    id: isOwnId(id) ? id : null,
    ...hub,
    version: numberOf(firmware_version),
  }))
}

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeadlock, isLockTimeout } from './database-errors.ts'
import type { DatabaseTarget } from './driver/database-target.ts'
import { type Driver, openDriver } from './driver/open-driver.ts'
import type { Sql } from './driver/statement.ts'
import type { DatabaseLog } from './setup/database-log.ts'
import { DatabaseSetupError, systemCodeOf } from './setup/database-setup-error.ts'

/** The migrations of this version of the service. */
export const migrationsDirectory = join(import.meta.dirname, '..', '..', 'migrations')

/** Any fixed number serves; it must only differ from those of other programs in the same database. */
export const migrationLock = 7_237_811_204
const lockAttempts = 30

/**
 * Less than the second after which PostgreSQL looks for a deadlock: of a migration and a running service that wait for one another's tables it
 * would end one, and that may be the request.
 */
const shortLockTimeoutMs = 900

interface Migration {
  number: number
  /** `0001-accounts.sql` */
  file: string
  text: string
  /** SHA-256 of the text with Unix line ends, in hex. */
  checksum: string
}

interface LedgerRow {
  number: number
  file: string
  checksum: string
}

/** What a database that holds data is about to be changed by. */
export interface PendingUpgrade {
  target: DatabaseTarget
  /** The last migration that it has. */
  level: number
  /** The migrations to come. */
  files: string[]
}

interface MigrateOptions {
  target: DatabaseTarget
  log: DatabaseLog
  /** Default: the migrations of this version. */
  directory?: string
  /** The last migration to apply, by its number. Default: all. */
  upTo?: number
  /** Time to wait for another process that is migrating. Default: 10 min. */
  waitTimeoutMs?: number
  /** Time that one migration may wait for the locks of running statements before it steps back. Default: 0.9 s. */
  lockTimeoutMs?: number
  /**
   * Called before the first change to a database that has migrations already, while no other process can migrate it. What it throws
   * ends the call with nothing changed.
   */
  beforeUpgrade?: (upgrade: PendingUpgrade) => Promise<void>
}

/**
 * Brings the database to the state of the migration files: each file in a transaction of its own, in order, once.
 * Of many processes that start at once one migrates and the others wait for it.
 *
 * @returns the files applied by this call.
 * @throws DatabaseSetupError `MIGRATION_FILES_WRONG`, `MIGRATION_CHANGED` (an applied file was edited),
 * `MIGRATION_UNKNOWN` (the database is newer than this code), `MIGRATION_BUSY`, `MIGRATION_FAILED`.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const migrations = readMigrations(options.directory ?? migrationsDirectory)
  const { upTo = migrations.length } = options
  const readState = async () => {
    const ledger = await readLedger(sql)
    return { ledger, pending: findPending(migrations, ledger).filter(({ number }) => number <= upTo) }
  }
  const sql = openDriver(options.target, 'printyard migrate')
  try {
    if ((await readState()).pending.length === 0) return []
    await takeTurn(sql, options)
    // The lock belongs to the session, so it ends with this connection even when the process is killed.
    await sql`
      create table if not exists schema_migrations (
        number integer primary key,
        file text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    const { ledger, pending } = await readState()
    const last = ledger.at(-1)
    if (last !== undefined && pending.length > 0) {
      const files = pending.map(({ file }) => file)
      await options.beforeUpgrade?.({ target: options.target, level: last.number, files })
    }
    // A first start would write as many lines as there are migrations, and hide where the service is.
    const tell = last === undefined ? options.log.debug : options.log.info
    const beganAt = performance.now()
    for (const migration of pending) {
      const startedAt = performance.now()
      await applyPatiently(sql, migration, options)
      const took_ms = Math.round(performance.now() - startedAt)
      tell.call(options.log, { file: migration.file, took_ms }, 'Applied a migration')
    }
    if (last === undefined) {
      const took_ms = Math.round(performance.now() - beganAt)
      options.log.info({ migrations: pending.length, took_ms }, 'Made the tables')
    }
    return pending.map(({ file }) => file)
  } finally {
    await sql.end()
  }
}

/** Answers which migration files the database has not seen yet; for readiness checks. Throws like `migrate`. */
export async function listPendingMigrations(sql: Sql, directory = migrationsDirectory): Promise<string[]> {
  return findPending(readMigrations(directory), await readLedger(sql)).map(({ file }) => file)
}

/** Reads and checks the numbered files of a directory. @throws DatabaseSetupError `MIGRATION_FILES_WRONG` */
export function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  return files.map((file, index) => {
    const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1])
    if (number !== index + 1) {
      const expected = String(index + 1).padStart(4, '0')
      throw new DatabaseSetupError(
        'MIGRATION_FILES_WRONG',
        `Migrations are numbered without gaps: expected ${expected}-….sql, found ${file}.`,
      )
    }
    const text = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n')
    if (
      /^\s*(begin|start\s+transaction|commit|end|rollback|abort)(\s+(work|transaction))?\s*;/im.test(
        withoutBodies(text),
      )
    ) {
      throw new DatabaseSetupError(
        'MIGRATION_FILES_WRONG',
        `${file} must not begin or end a transaction; it runs inside one.`,
      )
    }
    return { number, file, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

/** Without dollar-quoted function bodies, whose `begin` and `end` are another matter. */
function withoutBodies(text: string): string {
  return text.replace(/(\$\w*\$)[\s\S]*?\1/g, '')
}

/** Answers what is left to apply. @throws DatabaseSetupError `MIGRATION_CHANGED`, `MIGRATION_UNKNOWN` */
export function findPending(migrations: Migration[], ledger: LedgerRow[]): Migration[] {
  for (const applied of ledger) {
    const migration = migrations[applied.number - 1]
    if (migration === undefined) {
      throw new DatabaseSetupError(
        'MIGRATION_UNKNOWN',
        `The database has migration ${applied.file}, which this Printyard does not know: it was used by a newer version. Start that version.`,
      )
    }
    if (migration.checksum !== applied.checksum) {
      throw new DatabaseSetupError(
        'MIGRATION_CHANGED',
        `The migration ${migration.file} was changed after this database applied it. Restore the file, and write the change as a new migration.`,
      )
    }
  }
  const applied = new Set(ledger.map(({ number }) => number))
  return migrations.filter(({ number }) => !applied.has(number))
}

async function readLedger(sql: Sql): Promise<LedgerRow[]> {
  try {
    return await sql<LedgerRow[]>`select number, file, checksum from schema_migrations order by number`
  } catch (error) {
    // undefined_table: a database that was never migrated
    if (systemCodeOf(error) === '42P01') return []
    throw error
  }
}

async function takeTurn(sql: Driver, { log, waitTimeoutMs = 600_000 }: MigrateOptions): Promise<void> {
  const deadline = performance.now() + waitTimeoutMs
  let logAt = performance.now() + 5_000
  for (;;) {
    const [row] = await sql<{ has_lock: boolean }[]>`select pg_try_advisory_lock(${migrationLock}) as has_lock`
    if (row?.has_lock) return
    const now = performance.now()
    if (now > deadline) {
      throw new DatabaseSetupError(
        'MIGRATION_BUSY',
        `Another process is still migrating the database after ${waitTimeoutMs / 1000} s.`,
      )
    }
    if (now > logAt) {
      logAt = now + 5_000
      log.info({}, 'Waiting for another process that migrates the database')
    }
    await wait(100)
  }
}

/** A statement that waits for a lock makes all later users of the table wait behind it, so it steps back instead. */
async function applyPatiently(
  sql: Driver,
  migration: Migration,
  { log, lockTimeoutMs = shortLockTimeoutMs }: MigrateOptions,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sql.begin(async (transaction) => {
        await transaction`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`
        // First, so that a second migrator, should the lock ever fail us, collides here and not half way.
        await transaction`
          insert into schema_migrations ${transaction({ number: migration.number, file: migration.file, checksum: migration.checksum })}`
        await transaction.unsafe(migration.text)
      })
      return
    } catch (error) {
      if (!isLockTimeout(error) && !isDeadlock(error)) throw migrationFailed(migration, error)
      if (attempt === lockAttempts) {
        throw new DatabaseSetupError(
          'MIGRATION_BUSY',
          `${migration.file} could not get its locks in ${lockAttempts} attempts; something else uses its tables for long.`,
          { cause: error },
        )
      }
      log.warn({ file: migration.file, attempt }, 'The tables of a migration are in use; it is tried again')
      await wait(Math.min(200 * attempt, 2_000))
    }
  }
}

function migrationFailed(migration: Migration, error: unknown): DatabaseSetupError {
  const reason = error instanceof Error ? error.message : String(error)
  return new DatabaseSetupError('MIGRATION_FAILED', `${migration.file}${lineOf(migration, error)} failed: ${reason}`, {
    cause: error,
  })
}

function lineOf(migration: Migration, error: unknown): string {
  if (typeof error !== 'object' || error === null || !('position' in error)) return ''
  const position = Number(error.position)
  if (!Number.isInteger(position)) return ''
  return `, line ${migration.text.slice(0, position - 1).split('\n').length},`
}

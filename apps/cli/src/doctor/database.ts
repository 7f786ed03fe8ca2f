import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ConnectedDatabase, connectDatabase } from '@printyard/server/db/connect-database'
import type { Sql } from '@printyard/server/db/database'
import { mayGoUnencrypted } from '@printyard/server/db/driver/database-target'
import { postgresOf } from '@printyard/server/db/embedded/postgres-choice'
import { listPendingMigrations } from '@printyard/server/db/migrate'
import type { Config } from '@printyard/server/kernel/config'
import { numberOf } from '@printyard/server/modules/support/machine-facts'
import { shareable, tell } from '@printyard/server/modules/support/tell'
import { commandLog } from '../command-log.ts'
import { explainFailure } from '../failure.ts'
import { checkBackups } from './backups.ts'
import type { ClockReadings } from './clock.ts'
import { explained, type Finding, ok, problem, warning } from './finding.ts'
import { checkUpgrade } from './upgrade.ts'

/** A patient would not wait longer for the answer that something is wrong. */
const waitTimeoutMs = 5_000

interface DatabaseFindings {
  findings: Finding[]
  readings: Pick<ClockReadings, 'databaseNow' | 'latestRecord'>
}

/** Looks at the database without changing it: no cluster is made, no migration is run. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'))) {
    return { findings: [ok('database', tell`There is none yet; the first start makes it.`)], readings: {} }
  }
  let connected: ConnectedDatabase
  try {
    connected = await connectDatabase(
      {
        databaseUrl: config.databaseUrl,
        dataDir: config.dataDir,
        purpose: 'doctor',
        shouldMigrate: false,
        postgres: postgresOf(config),
        waitTimeoutMs,
      },
      commandLog(),
    )
  } catch (error) {
    return {
      findings: [problem('database', explained(explainFailure(error).text, error)), ...checkEncryption(config)],
      readings: {},
    }
  }
  try {
    const { sql } = connected.database
    const [server] = await sql<{ version: string; now: Date }[]>`
      select current_setting('server_version') as version, clock_timestamp() as now`
    const places = {
      external: tell`the server of DATABASE_URL`,
      embedded: tell`started for this look`,
      'beside-service': tell`beside the running service`,
    }
    return {
      findings: [
        ok(
          'database',
          tell`PostgreSQL ${shareable(numberOf(server?.version ?? '') ?? '')} answers (${places[connected.kind]}).`,
        ),
        ...checkEncryption(config),
        await checkMigrations(sql, connected.kind),
        ...(await checkUpgrade(config)),
        ...(await checkBackups(sql, server?.now ?? new Date())),
      ],
      readings: { databaseNow: server?.now, latestRecord: await readLatestRecord(sql) },
    }
  } catch (error) {
    return {
      findings: [problem('database', explained(explainFailure(error).text, error))],
      readings: {},
    }
  } finally {
    await connected.close()
  }
}

function checkEncryption({ databaseUrl }: Config): Finding[] {
  if (databaseUrl === undefined || !URL.canParse(databaseUrl) || !mayGoUnencrypted(databaseUrl)) return []
  const message = tell`The connection to the server of DATABASE_URL may be unencrypted: its password and all data can be read.`
  return [warning('database encryption', message, tell`Add sslmode=verify-full to the address, and TLS to the server.`)]
}

async function checkMigrations(sql: Sql, kind: ConnectedDatabase['kind']): Promise<Finding> {
  try {
    const pending = await listPendingMigrations(sql)
    if (pending.length === 0) return ok('migrations', tell`The tables are those of this version.`)
    const start = kind === 'beside-service' ? tell`Restart the service` : tell`Start the service`
    return warning(
      'migrations',
      tell`Not applied yet: ${shareable(pending.join(', '))}.`,
      tell`${start}, which applies them.`,
    )
  } catch (error) {
    return problem('migrations', explained(explainFailure(error).text, error))
  }
}

/** The latest time in tables that stay small. Undefined before the first start. */
async function readLatestRecord(sql: Sql): Promise<Date | undefined> {
  const [table] = await sql<{ name: string | null }[]>`select to_regclass('schema_migrations')::text as name`
  if (!table?.name) return undefined
  const [latest] = await sql<{ at: Date | null }[]>`select max(applied_at) as at from schema_migrations`
  return latest?.at ?? undefined
}

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, openDatabase, type Sql } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { type AccountId, type JobId, newId, type PrinterId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { insertAccount } from '@printyard/server/modules/people/accounts/accounts.queries'
import { createApiKey } from '@printyard/server/modules/people/api-keys/api-keys.service'
import { systemWork } from '@printyard/server/test/app/system-work'
import { ensureProgram } from '../../../scripts/toolchain.mjs'
import { type Child, startChild } from '../harness/child.ts'
import { fetchOk } from '../harness/fetch-ok.ts'

const commandLine: string = await ensureProgram(process.execPath)

/** A data directory that is gone again when the scope ends. */
export async function makeDataDirectory(scope: AsyncDisposableStack): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'printyard-bench-'))
  scope.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  // As root, PostgreSQL runs as another user who must be able to pass.
  await chmod(directory, 0o711)
  return directory
}

/** The service as users start it, on a free port, with a limit of requests that nothing here reaches. */
export async function startService(
  scope: AsyncDisposableStack,
  dataDir: string,
  {
    onStart,
    logLevel = 'warn',
    databaseUrl = '',
    settings = {},
  }: {
    onStart?: (pid: number) => void
    logLevel?: string
    databaseUrl?: string
    settings?: Record<string, string>
  } = {},
): Promise<{ process: Child; url: string }> {
  const process = startChild(commandLine, ['serve'], {
    PRINTYARD_DATA_DIR: dataDir,
    PRINTYARD_HOST: '127.0.0.1',
    PRINTYARD_PORT: '0',
    PRINTYARD_RATE_LIMIT_PER_MINUTE: '10000000',
    PRINTYARD_LOG_LEVEL: logLevel,
    // More than wait in any benchmark.
    PRINTYARD_QUOTA_JOBS: '1000000',
    DATABASE_URL: databaseUrl,
    // As scripts/start.mjs runs it.
    NODE_OPTIONS: '--max-semi-space-size=4',
    ...settings,
  })
  onStart?.(process.pid)
  scope.defer(() => process.stop())
  return { process, url: await process.lineMatching(/^Printyard is ready at (http\S+)/, 60_000) }
}

/** Printers that the hub of `startHub` simulates. */
export const virtualPrinters = 8

interface FarmWithHub {
  process: Child
  /** An API key of the hub's account, with all scopes. */
  key: string
  printerIds: string[]
}

/** A hub of a new account with virtual printers, started as users start it; resolves when all of them are idle. */
export async function startHub(
  scope: AsyncDisposableStack,
  serviceUrl: string,
  serviceDataDir: string,
  hubDataDir: string,
): Promise<FarmWithHub> {
  const { key, hub } = await insertIntoDatabase(serviceDataDir, async (sql) => {
    const account = await insertAccountWithKey(sql)
    return { key: account.key, hub: await createHubWithToken(systemWork(sql, account.id), 'Hub') }
  })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const printerIds: string[] = []
  for (let number = 1; number <= virtualPrinters; number += 1) {
    const printer = { name: `Virtual ${number}`, model: 'MK4S', hub_id: hub.id, connection_type: 'virtual' }
    const init = { method: 'POST', body: JSON.stringify(printer) }
    printerIds.push(JSON.parse(await fetchOk(`${serviceUrl}/public/v1/printers`, headers, init)).data.id)
  }
  const process = startChild(commandLine, [
    'hub',
    'run',
    '--url',
    serviceUrl,
    '--token',
    hub.token,
    '--data-dir',
    hubDataDir,
  ])
  scope.defer(() => process.stop())
  for (let tries = 0; tries < 100; tries += 1) {
    const idle = JSON.parse(await fetchOk(`${serviceUrl}/public/v1/printers?status=idle`, headers))
    if (idle.meta.count === virtualPrinters) return { process, key, printerIds }
    await wait(200)
  }
  throw new Error('The virtual printers of the hub did not become idle')
}

export interface SeededFarm {
  accountId: AccountId
  key: string
  printerIds: PrinterId[]
  jobIds: JobId[]
  /** The one print file of all jobs, and its version. */
  fileId: string
  versionId: string
}

/**
 * Fills the database of a running service: one account with 200 printers and these jobs, one a minute back from now. All
 * but 100 are finished, whatever their number.
 */
export async function seedFarm(dataDir: string, jobs = 10_000): Promise<SeededFarm> {
  return await insertIntoDatabase(dataDir, (sql) => fillFarm(sql, jobs))
}

/** The same by a connection to its database. */
export async function fillFarm(sql: Sql, jobs = 10_000): Promise<SeededFarm> {
  const { id: accountId, key } = await insertAccountWithKey(sql)
  const printerIds = await insertPrinters(sql, accountId, 200)
  const { jobIds, fileId, versionId } = await insertJobs(sql, accountId, printerIds, jobs)
  await sql`vacuum analyze`
  return { accountId, key, printerIds, jobIds, fileId, versionId }
}

/** Works on the database of a running service, beside it. */
export async function insertIntoDatabase<T>(
  dataDir: string,
  insert: (sql: Sql, database: Database) => Promise<T>,
): Promise<T> {
  const { connection, close } = embeddedConnection(dataDir)
  const database = openDatabase({ target: connection, statementTimeoutMs: 60_000 })
  try {
    return await insert(database.sql, database)
  } finally {
    await database.close()
    close()
  }
}

/** An account with a key of all scopes and hubs that may connect with their tokens. */
export async function insertAccountWithHubs(
  sql: Sql,
  count: number,
): Promise<{ accountId: AccountId; key: string; hubs: { id: string; token: string }[] }> {
  const { id: accountId, key } = await insertAccountWithKey(sql)
  const hubs: { id: string; token: string }[] = []
  for (let number = 1; number <= count; number += 1) {
    hubs.push(await createHubWithToken(systemWork(sql, accountId), `Hub ${number}`))
  }
  return { accountId, key, hubs }
}

/** An account with a key of all scopes. */
export async function insertAccountWithKey(sql: Sql): Promise<{ id: AccountId; key: string }> {
  const id = newId('account')
  await insertAccount(sql, { id, name: 'Benchmark farm', time_zone: 'UTC' })
  const { key } = await createApiKey(systemWork(sql, id), {
    name: 'benchmark',
    scopes: ['read', 'write', 'control'],
    expiresAt: null,
  })
  return { id, key }
}

async function insertPrinters(sql: Sql, accountId: AccountId, count: number): Promise<PrinterId[]> {
  const ids = Array.from({ length: count }, () => newId('printer'))
  const hubId = newId('hub')
  await sql`insert into hubs (account_id, id, name) values (${accountId}, ${hubId}, 'Hub')`
  await sql`
    insert into printers (account_id, id, hub_id, name, model, manufacturer, location, connection_type,
      connection_sealed, nozzle_size, plate_state)
    select ${accountId}, id, ${hubId}, 'Printer ' || lpad(number::text, 3, '0'), 'MK4S', 'Prusa Research', 'Rack 1',
      'virtual', '\\x00'::bytea, 0.4, 'clear'
    from unnest(${ids}::text[]) with ordinality as printer (id, number)`
  return ids
}

async function insertJobs(sql: Sql, accountId: AccountId, printerIds: PrinterId[], count: number) {
  const fileId = newId('printFile')
  const versionId = newId('fileVersion')
  await sql`insert into print_files (account_id, id, name) values (${accountId}, ${fileId}, 'clip.gcode')`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    values (${accountId}, ${versionId}, ${fileId}, 1, true, 'clip.gcode', ${'0'.repeat(64)}, 1000, 'gcode', true, '{}')`
  const ids: JobId[] = []
  while (ids.length < count) {
    const batch = Array.from({ length: Math.min(count - ids.length, jobsPerStatement) }, () => newId('job'))
    await insertJobBatch(sql, { accountId, fileId, versionId, printerIds }, ids.length, batch)
    ids.push(...batch)
  }
  return { jobIds: ids, fileId, versionId }
}

/** A statement with more would reach the limit of time on a slow machine. */
const jobsPerStatement = 25_000

/** The jobs after the first `before`. Every hundredth of the first 10,000 is still queued. */
async function insertJobBatch(
  sql: Sql,
  of: { accountId: string; fileId: string; versionId: string; printerIds: string[] },
  before: number,
  ids: string[],
): Promise<void> {
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, printer_id, product_name, sku_name,
      file_name, color, filament_type, material_type, number_of_units, quantity_per_print, plates_total, plates_done,
      progress_percentage, estimated_print_time_minutes, actual_print_time_minutes, filament_needed_grams, created_by,
      time_submitted, time_started, time_completed, created_at)
    select ${of.accountId}, id, case when is_queued then 'queued' else 'completed' end, ${of.fileId}, ${of.versionId},
      (${of.printerIds}::text[])[1 + number % ${of.printerIds.length}], 'Cable clip', 'Black PETG', 'clip.gcode', 'Black',
      'PETG', 'PETG', 4, 4, 1, case when is_queued then 0 else 1 end, case when is_queued then null else 100 end,
      95, 97, 41.5, 'system', submitted,
      case when is_queued then null else submitted + interval '1 minute' end,
      case when is_queued then null else submitted + interval '98 minutes' end, submitted
    from (
      select id, number, number % 100 = 0 and number <= 10000 as is_queued,
             now() - (98 + number) * interval '1 minute' as submitted
      from (
        select id, ${before}::integer + place as number
        from unnest(${ids}::text[]) with ordinality as job (id, place)
      ) numbered
    ) job`
}

import type { PrinterState } from '@printyard/protocol/printer-state'
import { unknownPrinterState } from '@printyard/protocol/unknown-printer-state'
import { type DatabaseTarget, openDatabase, type Sql } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { connectTestHub, type TestHub } from '@printyard/server/test/farm/test-hub'
import { fetchOk } from '../harness/fetch-ok.ts'
import { until } from '../harness/until.ts'
import { insertAccountWithHubs, makeDataDirectory, startService } from './farm.ts'
import { insertPrintHistory } from './print-history.ts'

export const fleetPrinters = 1_000
export const fleetJobs = 10_000

/** As many as one hub may run. */
const mostPerHub = 500
const requestsAtOnce = 16
/** Of 1.5 s. */
const calmTransactions = 50

/** A farm of 1,000 printers, unless told otherwise, that start by themselves, and 10,000 queued jobs. Its hubs do as they are told. */
export interface Fleet {
  url: string
  headers: Record<string, string>
  jobIds: string[]
  hubs: { hub: TestHub; printerIds: string[] }[]
  /** Clears the plates of all printers, which are idle: the scheduler has its way with them. */
  clearPlates(): Promise<void>
}

/** Connects the hubs; their printers are idle, with plates that are not clear. */
export async function startFleet(
  scope: AsyncDisposableStack,
  { printers = fleetPrinters, jobs = fleetJobs }: { printers?: number; jobs?: number } = {},
): Promise<Fleet> {
  const dataDir = await makeDataDirectory(scope)
  const { url } = await startService(scope, dataDir)
  const { connection, close } = embeddedConnection(dataDir)
  scope.defer(close)
  return furnishFleet(scope, url, connection, { printers, jobs, printersPerHub: mostPerHub })
}

/** The same at a service that runs on this database. */
export async function furnishFleet(
  scope: AsyncDisposableStack,
  url: string,
  target: DatabaseTarget,
  { printers = fleetPrinters, jobs, printersPerHub }: { printers?: number; jobs: number; printersPerHub: number },
): Promise<Fleet> {
  const database = openDatabase({ target, statementTimeoutMs: 60_000 })
  scope.defer(() => database.close())
  const { sql } = database
  const { accountId, key, hubs } = await insertAccountWithHubs(sql, printers / printersPerHub)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const printerIds = await addPrinters(url, headers, hubs, printers, printersPerHub)
  await sql`update printers set plate_state = 'occupied' where account_id = ${accountId}`
  const jobIds = await insertQueue(sql, accountId, jobs)
  await database.begin((work) => insertPrintHistory(work, accountId))
  /** Of what is changed beside it the service hears by the next event. */
  async function tellService(): Promise<void> {
    const init = { method: 'PATCH', body: JSON.stringify({ location: newId('event') }) }
    await fetchOk(`${url}/public/v1/printers/${printerIds[0]?.[0]}`, headers, init)
  }
  await tellService()
  await untilForecast(sql, accountId, jobs)
  await sql`vacuum analyze`
  const connected: Fleet['hubs'] = []
  for (const [index, { token }] of hubs.entries()) {
    const hub = await connectTestHub(url, token)
    scope.defer(() => hub.close())
    connected.push({ hub, printerIds: printerIds[index] ?? [] })
  }
  for (const hub of connected) reportAll(hub, { status: 'idle' })
  await untilIdle(url, headers, printers)
  await untilToldOnline(sql, accountId)
  await untilCalm(sql)
  return {
    url,
    headers,
    jobIds,
    hubs: connected,
    async clearPlates() {
      await sql`update printers set plate_state = 'clear' where account_id = ${accountId}`
      await tellService()
    },
  }
}

/** Printers in one frame of a report. */
const printersPerReport = 50

/** Reports the same state of all printers of a hub, some in each frame. */
function reportAll({ hub, printerIds }: Fleet['hubs'][number], state: Partial<PrinterState>): void {
  const full = { ...unknownPrinterState(''), status_reason: null, ...state }
  for (let from = 0; from < printerIds.length; from += printersPerReport) {
    const some = printerIds.slice(from, from + printersPerReport)
    hub.send('telemetry', { printers: some.map((printer_id) => ({ printer_id, full: true, state: full })) })
  }
}

/** What was asked for by all that came before is done: PostgreSQL has next to nothing to do. */
async function untilCalm(sql: Sql): Promise<void> {
  let before = Number.NEGATIVE_INFINITY
  async function isCalm(): Promise<boolean> {
    const [row] = await sql<{ count: number }[]>`select sum(xact_commit)::int8 as count from pg_stat_database`
    const [last, count] = [before, row?.count ?? 0]
    before = count
    return count - last < calmTransactions
  }
  // Back ends tell what they did at least this often.
  await until('PostgreSQL being calm', isCalm, { everyMs: 1_500, mostMs: 120_000 })
}

/** The events of all printers say that they are in reach. */
async function untilToldOnline(sql: Sql, accountId: AccountId): Promise<void> {
  await until('events of all printers being in reach', async () => {
    const rows = await sql`select 1 from printers where account_id = ${accountId} and told_offline limit 1`
    return rows.length === 0
  })
}

/** All printers are known to be idle. */
async function untilIdle(url: string, headers: Record<string, string>, printers: number): Promise<void> {
  const last = `${url}/public/v1/printers?status=idle&limit=1&offset=${printers - 1}`
  await until('all printers being idle', async () => JSON.parse(await fetchOk(last, headers)).meta.count === 1)
}

/** A queue that has waited has its forecasts: they are no part of what is measured. */
async function untilForecast(sql: Sql, accountId: AccountId, jobs: number): Promise<void> {
  await until('forecasts of all jobs', async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from job_forecasts where account_id = ${accountId}`
    return (row?.count ?? 0) >= jobs
  })
}

/** Through the API, because what a hub is told of a printer is encrypted by the service. */
async function addPrinters(
  url: string,
  headers: Record<string, string>,
  hubs: { id: string }[],
  printers: number,
  printersPerHub: number,
): Promise<string[][]> {
  const byHub: string[][] = hubs.map(() => [])
  let next = 0
  async function addSome(): Promise<void> {
    while (next < printers) {
      const number = next++
      const index = Math.floor(number / printersPerHub)
      const printer = {
        name: `Printer ${number}`,
        model: number % 4 === 0 ? 'P1S' : 'MK4S',
        hub_id: hubs[index]?.id,
        connection_type: 'virtual',
        auto_start: true,
        nozzle_size: 0.4,
        current_filament_type: number % 3 === 0 ? 'PLA' : 'PETG',
      }
      const body = await fetchOk(`${url}/public/v1/printers`, headers, {
        method: 'POST',
        body: JSON.stringify(printer),
      })
      byHub[index]?.push(JSON.parse(body).data.id)
    }
  }
  await Promise.all(Array.from({ length: requestsAtOnce }, addSome))
  return byHub
}

/** Files for two models and two materials; every twentieth job asks for a filament that is nowhere loaded. */
async function insertQueue(sql: Sql, accountId: AccountId, jobs: number): Promise<string[]> {
  const files = ['MK4S', 'P1S'].map((model) => ({ model, fileId: newId('printFile'), versionId: newId('fileVersion') }))
  for (const { model, fileId, versionId } of files) {
    await sql`insert into print_files (account_id, id, name) values (${accountId}, ${fileId}, ${model})`
    await sql`
      insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version,
        original_name, sha256, file_size_bytes, format, is_sliced, printer_model, nozzle_diameter, print_time_seconds,
        metadata)
      values (${accountId}, ${versionId}, ${fileId}, 1, true, 'clip.gcode', ${'0'.repeat(64)}, 1000, 'gcode', true,
        ${model}, 0.4, 3600, '{}')`
  }
  const ids = Array.from({ length: jobs }, () => newId('job'))
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, filament_type,
      number_of_units, quantity_per_print, plates_total, estimated_print_time_minutes, filament_needed_grams,
      created_by, priority, due_date)
    select ${accountId}, id, 'queued', (${files.map(({ fileId }) => fileId)}::text[])[1 + (number % 4 = 0)::integer],
      (${files.map(({ versionId }) => versionId)}::text[])[1 + (number % 4 = 0)::integer], 'clip.gcode',
      case when number % 20 = 0 then 'TPU' when number % 3 = 0 then 'PLA' else 'PETG' end, 1, 1, 1, 60, 41.5, 'system',
      (array['normal', 'normal', 'high', 'low'])[1 + number % 4],
      case when number % 5 = 0 then now() + number * interval '1 minute' end
    from unnest(${ids}::text[]) with ordinality as job (id, number)`
  return ids
}

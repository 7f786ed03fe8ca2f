import type { Database, Sql } from '@printyard/server/db/database'
import { type AccountId, newId } from '@printyard/server/kernel/ids'
import { createHubWithToken } from '@printyard/server/modules/hubs/hubs.service'
import { systemWork } from '@printyard/server/test/app/system-work'

/** How much a large farm has of everything that grows. */
const fullFarm = {
  hubs: 6,
  printers: 300,
  files: 1_500,
  queuedJobs: 2_000,
  runningJobs: 200,
  finishedJobs: 1_000_000,
  /** Of the jobs that ended, the latest so many have their events; older ones are beyond what is shown. */
  jobsWithEvents: 100_000,
  openTasks: 400,
  members: 30,
  spools: 240,
} as const

/** A statement with more would reach the limit of time on a slow machine. */
const rowsPerStatement = 100_000
/** From one job that ended to the next, in s: so many in a year. */
const secondsBetweenEnds = 30

interface FullFarm {
  hubs: { id: string; token: string; printerIds: string[] }[]
  printerIds: string[]
}

type Account = { sql: Sql; accountId: string }

/**
 * Fills an account as a large farm has it after some years: names that are long, names that have no space to break at,
 * many filaments, failures, and work for many hands. Printers are added by `addPrinter`, which answers the ID: what a
 * hub is told of them is sealed by the service.
 */
export async function fillFullFarm(
  database: Pick<Database, 'sql' | 'begin'>,
  accountId: AccountId,
  addPrinter: (printer: object) => Promise<string>,
): Promise<FullFarm> {
  const { sql } = database
  const account = { sql, accountId }
  const hubs: FullFarm['hubs'] = []
  for (let number = 1; number <= fullFarm.hubs; number += 1) {
    const { id, token } = await createHubWithToken(systemWork(sql, accountId), hubName(number))
    hubs.push({ id, token, printerIds: [] })
  }
  for (let number = 1; number <= fullFarm.printers; number += 1) {
    const hub = hubs[number % hubs.length]
    if (hub) hub.printerIds.push(await addPrinter(printerOf(number, hub.id)))
  }
  const printerIds = hubs.flatMap((hub) => hub.printerIds)
  await sql`
    update printers set plate_state = (array['clear', 'clear', 'occupied', 'unknown'])[1 + abs(hashtext(id)) % 4]
    where account_id = ${accountId}`
  const userIds = await insertMembers(account)
  const fileIds = await insertFiles(account)
  await insertSpools(account, printerIds)
  // The settings of a small board write a checkpoint every few seconds of this.
  await sql`alter system set max_wal_size = '4GB'`
  await sql`select pg_reload_conf()`
  await database.begin((transaction) =>
    insertFinishedJobs({ sql: transaction, accountId }, { fileIds, printerIds, hubs }),
  )
  await sql`alter system reset max_wal_size`
  await sql`select pg_reload_conf()`
  await insertOpenJobs(account, { fileIds, printerIds })
  await insertTasks(account, { printerIds, userIds })
  await sql`vacuum analyze`
  return { hubs, printerIds }
}

const hubName = (number: number) =>
  number === 1 ? 'Hub of the long hall behind the loading dock, second cabinet from the left' : `Hall ${number}`

const models = ['MK4S', 'P1S', 'X1 Carbon', 'Prusa XL', 'Ender-3 V3 SE', 'Centauri Carbon']
const filaments = ['PLA', 'PETG', 'ASA', 'TPU', 'PA12-CF', 'PLA Silk Rainbow']
const colors = [
  'Black',
  'Galaxy Silver',
  'Signal Orange',
  'Translucent Natural with blue glitter',
  'White',
  'Jade Green',
]
const oneOf = <Value>(values: readonly Value[], number: number) => values[number % values.length]

function printerOf(number: number, hubId: string): object {
  const name = `Machine ${String(number).padStart(3, '0')}`
  return {
    name: number % 25 === 0 ? `${name} – the one by the window that must not print ASA in winter, ask first` : name,
    model: oneOf(models, number),
    hub_id: hubId,
    connection_type: 'virtual',
    location: number % 40 === 0 ? 'Extension building, upper floor, rack 17, shelf B' : `Rack ${1 + (number % 20)}`,
    nozzle_size: 0.4,
    current_filament_type: oneOf(filaments, number),
    current_color: oneOf(colors, number),
  }
}

/** 200 characters, without a place to break the line at. */
const longFileName = `${'bracket_left_v2_final_'.repeat(9)}.gcode`.slice(-200)

const fileName = (number: number) =>
  number % 30 === 0 ? longFileName : `${oneOf(['clip', 'shelf-bracket', 'cable-duct', 'knob'], number)}_${number}.gcode`

/** Rows of which a column is a list of texts, one each. */
const numbered = (sql: Sql, ids: readonly string[]) => sql`unnest(${[...ids]}::text[]) with ordinality as row (id, n)`

const idsOf = (kind: Parameters<typeof newId>[0], count: number) => Array.from({ length: count }, () => newId(kind))

async function insertMembers({ sql, accountId }: Account): Promise<string[]> {
  const ids = idsOf('user', fullFarm.members - 1)
  await sql`
    insert into users (id, email, name)
    select id, 'colleague-' || n || '@example.com',
      case when n % 7 = 0 then 'Colleague of the late shift with a rather long name ' || n else 'Colleague ' || n end
    from ${numbered(sql, ids)}`
  const memberIds = idsOf('member', ids.length)
  await sql`
    insert into members (account_id, id, user_id, role)
    select ${accountId}, id, (${ids}::text[])[n], (array['operator', 'operator', 'viewer', 'admin'])[1 + n % 4]
    from ${numbered(sql, memberIds)}`
  return ids
}

async function insertFiles({ sql, accountId }: Account): Promise<string[]> {
  const ids = idsOf('printFile', fullFarm.files)
  const names = ids.map((_, number) => fileName(number))
  await sql`
    insert into print_files (account_id, id, name, created_at, updated_at)
    select ${accountId}, id, (${names}::text[])[n], now() - n * interval '5 hours', now() - n * interval '5 hours'
    from ${numbered(sql, ids)}`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, print_time_seconds, filament_weight_grams, filament_type,
      filament_color, printer_model, nozzle_diameter, layer_count, metadata)
    select ${accountId}, 'ver_' || substr(id, 5), id, 1, true, (${names}::text[])[n], lpad(n::text, 64, '0'),
      1000000 + n * 1000, 'gcode', true, 3600 + n * 10, 20 + n % 300, (${filaments}::text[])[1 + n % 6],
      (${colors}::text[])[1 + n % 6], (${models}::text[])[1 + n % 6], 0.4, 200 + n % 100, '{}'
    from ${numbered(sql, ids)}`
  return ids
}

async function insertSpools({ sql, accountId }: Account, printerIds: readonly string[]): Promise<void> {
  await sql`
    insert into materials (account_id, id, kind, type, color, brand, diameter, remaining, low_threshold, spool_weight,
      status, location, printer_id, slot, loaded_at)
    select ${accountId}, id, 'filament', (${filaments}::text[])[1 + n % 6], (${colors}::text[])[1 + n % 6],
      'Maker of filament ' || n % 9, 1.75, case when n % 20 = 0 then 50000 else 700000 end, 100000, 1000000,
      case when n % 20 = 0 then 'low' else 'in_stock' end, 'Shelf ' || n % 12,
      case when n % 2 = 0 then (${[...printerIds]}::text[])[n] end, case when n % 2 = 0 then 0 end,
      case when n % 2 = 0 then now() end
    from ${numbered(sql, idsOf('material', fullFarm.spools))}`
}

interface Printed {
  fileIds: readonly string[]
  printerIds: readonly string[]
}

const jobColumns = (sql: Sql) => sql`
  account_id, id, print_file_id, file_version_id, product_name, file_name, color, filament_type, material_type,
  number_of_units, quantity_per_print, plates_total, estimated_print_time_minutes, filament_needed_grams, created_by,
  time_submitted, created_at, status, printer_id, plates_done, progress_percentage, time_started, time_completed,
  actual_print_time_minutes, failure_reason, priority, due_date`

/** What a job has whatever became of it; `row.n` counts from 1, `submitted` is when it was made. */
const jobStart = (sql: Sql, accountId: string, fileIds: readonly string[], submitted: ReturnType<Sql>) => {
  const file = sql`(${[...fileIds]}::text[])[1 + n % ${fileIds.length}]`
  const names = fileIds.map((_, number) => fileName(number))
  return sql`
    ${accountId}, id, ${file}, 'ver_' || substr(${file}, 5), case when n % 3 = 0 then 'Cable clip for desks' end,
    (${names}::text[])[1 + n % ${fileIds.length}], (${colors}::text[])[1 + n % 6], (${filaments}::text[])[1 + n % 6],
    (${filaments}::text[])[1 + n % 6], 1 + n % 12, 1, 1 + n % 12, 60 + n % 700, 41.5, 'system', ${submitted}, ${submitted}`
}

/**
 * One after another back from now, each with its try, and the latest with their events. Foreign keys are not looked at: what they name was
 * added just before, and a look for each would double the time.
 */
async function insertFinishedJobs(
  { sql, accountId }: Account,
  { fileIds, printerIds, hubs }: Printed & Pick<FullFarm, 'hubs'>,
): Promise<void> {
  await sql`set local session_replication_role = replica`
  // Joined, because a place in the middle of a long array of texts is found by walking there.
  await sql`
    create temporary table file_of_job on commit drop as
    select n - 1 as place, id, name from unnest(${[...fileIds]}::text[], ${fileIds.map((_, number) => fileName(number))}::text[])
      with ordinality as file (id, name, n)`
  const hubIds = printerIds.map((id) => hubs.find((hub) => hub.printerIds.includes(id))?.id ?? '')
  await sql`
    create temporary table printer_of_job on commit drop as
    select n - 1 as place, id, hub_id from unnest(${[...printerIds]}::text[], ${hubIds}::text[]) with ordinality as printer (id, hub_id, n)`
  await sql`analyze file_of_job, printer_of_job`
  // The oldest first, so that tables and indexes grow at their ends, as they do in years of work.
  for (let left = fullFarm.finishedJobs; left > 0; left -= rowsPerStatement) {
    const end = sql`now() - n * ${secondsBetweenEnds}::integer * interval '1 second'`
    const rows = sql`
      from generate_series(${left}::integer, ${Math.max(left - rowsPerStatement, 0) + 1}::integer, -1) n
      cross join lateral (select
        -- As long as other IDs, and before those that are made now.
        lpad((${fullFarm.finishedJobs}::integer - n)::text, 26, '0') as id, ${end} as ended,
        n % 12 = 0 as has_failed, n % ${fileIds.length}::integer as file_place, n % ${printerIds.length}::integer as printer_place) row
      join file_of_job file on file.place = file_place
      join printer_of_job printer on printer.place = printer_place`
    await sql`
      insert into jobs (${jobColumns(sql)})
      select ${accountId}, 'job_' || row.id, file.id, 'ver_' || substr(file.id, 5), case when n % 3 = 0 then 'Cable clip for desks' end,
        file.name, (${colors}::text[])[1 + n % 6], (${filaments}::text[])[1 + n % 6], (${filaments}::text[])[1 + n % 6],
        1 + n % 12, 1, 1 + n % 12, 60 + n % 700, 41.5, 'system', ended - interval '3 hours', ended - interval '3 hours',
        case when has_failed then 'failed' when n % 31 = 0 then 'cancelled' else 'completed' end, printer.id,
        case when has_failed then 0 else 1 end, 100, ended - interval '90 minutes', ended, 90,
        case when has_failed then 'The nozzle reached 180 °C and did not become hotter: the heater or its sensor may be loose' end,
        'normal', null
      ${rows}`
    await sql`
      insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase,
        outcome, actor, reserved_at, confirmed_at, finished_at)
      select ${accountId}, 'att_' || row.id, 'job_' || row.id, 1, printer.id, printer.hub_id, 'ver_' || substr(file.id, 5), -n,
        'finished', case when has_failed then 'failed' else 'done' end, 'system', ended - interval '90 minutes',
        ended - interval '88 minutes', ended
      ${rows}`
    await sql`
      insert into print_failures (account_id, id, job_id, attempt_id, printer_id, type, occurred_at, updated_at)
      select ${accountId}, 'flr_' || row.id, 'job_' || row.id, 'att_' || row.id, printer.id, 'thermal', ended, ended
      ${rows} where has_failed`
    await sql`
      insert into events (account_id, id, type, subject_id, data, actor, created_at)
      select ${accountId}, 'evt_' || step || substr(row.id, 2), type, 'job_' || row.id,
        jsonb_build_object('printer_id', printer.id), 'system', ended
      ${rows}
      cross join unnest(array['job.created', 'job.started', 'job.completed']) with ordinality as happened (type, step)
      where n <= ${fullFarm.jobsWithEvents}::integer`
  }
}

async function insertOpenJobs({ sql, accountId }: Account, { fileIds, printerIds }: Printed): Promise<void> {
  await sql`
    insert into jobs (${jobColumns(sql)})
    select ${jobStart(sql, accountId, fileIds, sql`now() - n * interval '2 minutes'`)}, 'queued',
      case when n % 10 = 0 then (${[...printerIds]}::text[])[1 + n % ${printerIds.length}] end, 0, null, null, null, null, null,
      (array['normal', 'normal', 'high', 'low', 'urgent'])[1 + n % 5],
      case when n % 6 = 0 then now() + (n - 300) * interval '10 minutes' end
    from ${numbered(sql, idsOf('job', fullFarm.queuedJobs))}`
  await sql`
    insert into jobs (${jobColumns(sql)})
    select ${jobStart(sql, accountId, fileIds, sql`now() - interval '5 hours'`)}, 'printing',
      (${[...printerIds]}::text[])[n], 0, n % 100, now() - interval '1 hour', null, null, null, 'normal', null
    from ${numbered(sql, idsOf('job', fullFarm.runningJobs))}`
}

async function insertTasks(
  { sql, accountId }: Account,
  { printerIds, userIds }: { printerIds: readonly string[]; userIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into worklist_tasks (account_id, id, title, subtitle, description, task_type, priority, status, printer_id,
      assigned_to, started_at, due_date, created_by, created_at)
    select ${accountId}, id,
      (array['Put together 12 desk organisers for the order of Monday morning, then pack them in twos', 'Change the filament',
        'Oil the rods', 'Look at the first layer', 'Clear the plate'])[1 + n % 5], '', 'What is to be done. ' || n,
      (array['assembly', 'filament_change', 'maintenance', 'quality_check', 'collection'])[1 + n % 5],
      (array['low', 'medium', 'high'])[1 + n % 3], case when n % 9 = 0 then 'in_progress' else 'pending' end,
      case when n % 5 > 0 then (${[...printerIds]}::text[])[1 + n % ${printerIds.length}] end,
      case when n % 2 = 0 then (${[...userIds]}::text[])[1 + n % ${userIds.length}] end,
      case when n % 9 = 0 then now() - interval '5 minutes' end,
      case when n % 8 = 0 then now() + (n - 100) * interval '10 minutes' end, 'system', now() - n * interval '3 minutes'
    from ${numbered(sql, idsOf('worklistTask', fullFarm.openTasks))}`
}

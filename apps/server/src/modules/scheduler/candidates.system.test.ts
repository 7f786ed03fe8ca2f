import type { FilamentSlot, PrinterState } from '@printyard/protocol/printer-state'
import { FILAMENT_MAP_CAPABILITY } from '@printyard/protocol/version'
import { beforeAll, describe, expect, test } from 'vitest'
import { type JobId, newId, type PrinterId } from '../../kernel/ids.ts'
import { farmForAllTests } from '../../test/app/app-hooks.ts'
import { fleetOf, insertFile } from '../../test/farm/test-fleet.ts'
import { type JobFacts, type PrinterFacts, waysOf } from '../matching/farm-facts.ts'
import { canStart, hasFailed, judge } from '../matching/judge.ts'
import { type LoadedFarm, loadFarm } from '../matching/load-farm.ts'
import { findJobForRules, listFreePrinters, listPrintersForRules } from '../matching/matching.queries.ts'
import type { RuleName } from '../matching/rules.ts'
import { explainJob } from './explain-job.ts'
import { candidatesFor } from './match-jobs.ts'
import { listQueueOfPrinter } from './printer-queue.ts'
import { listCandidates, listFileModels } from './scheduler.queries.ts'
import { startWaitingJobs } from './start-waiting-jobs.ts'
import { explainWaiting } from './waiting-jobs.ts'

// Statements leave out what could not match before the rules are asked. What the rules accept, they must never leave out.

interface Pair {
  rule: RuleName
  what: string
  /** Fields of the printer, what it shows, and the materials of the spools on it. */
  printer?: Record<string, string | number | boolean | null>
  shows?: Partial<PrinterState>
  spools?: string[]
  /** Fields of the job's file, of the job, and of the file of another way to print it. */
  file?: Record<string, unknown>
  job?: Record<string, string | number | boolean | null>
  otherWay?: { file?: Record<string, unknown>; filament_type?: string }
  /** The printer that the job has. */
  to?: 'this' | 'another'
}

const slot = (number: number, filament_type: string | null, more: Partial<FilamentSlot> = {}): FilamentSlot => ({
  slot: number,
  name: `slot ${number}`,
  filament_type,
  filament_color_hex: null,
  remaining_percent: null,
  is_empty: false,
  is_active: number === 0,
  ...more,
})
const filament = (index: number, type: string | null) => ({ index, type, color: null, preset_id: null, grams: null })
const pla = { filament_type: 'PLA' }

/** Pairs that every rule accepts, by the loosest reading of one of them. */
const accepted: Pair[] = [
  { rule: 'assigned_here', what: 'a person gave it to this printer', to: 'this' },
  {
    rule: 'assigned_here',
    what: 'given to this one, whose material is not known',
    to: 'this',
    printer: { current_filament_type: '' },
  },
  { rule: 'assigned_here', what: 'the scheduler had given it to another', to: 'another', job: { auto_assigned: true } },
  { rule: 'model_matches', what: 'the file names no model', file: { printer_model: null } },
  { rule: 'model_matches', what: 'the file names the maker too', file: { printer_model: 'Original Prusa MK4S' } },
  { rule: 'model_matches', what: 'the file names it in another case', file: { printer_model: ' mk4s ' } },
  { rule: 'model_matches', what: 'the file names the nozzle too', file: { printer_model: 'Prusa MK4S 0.4 nozzle' } },
  {
    rule: 'model_matches',
    what: 'the file has the code of the model',
    printer: { model: 'Bambu Lab P1S' },
    file: { printer_model: 'C12' },
  },
  {
    rule: 'model_matches',
    what: 'the printer is known by no catalogue',
    printer: { model: 'Own Build' },
    file: { printer_model: 'own-build' },
  },
  { rule: 'model_matches', what: 'another way is for this model', file: { printer_model: 'XL' }, otherWay: {} },
  {
    rule: 'model_matches',
    what: 'another way names no model',
    file: { printer_model: 'XL' },
    otherWay: { file: { printer_model: null } },
  },
  { rule: 'filament_type_matches', what: 'the job asks for none', job: { filament_type: '' } },
  { rule: 'filament_type_matches', what: 'none is asked for, none is known', printer: { current_filament_type: '' } },
  { rule: 'filament_type_matches', what: 'nothing but spaces is asked for', job: { filament_type: '  ' } },
  { rule: 'filament_type_matches', what: 'in another case, with spaces', job: { filament_type: ' pla ' } },
  { rule: 'filament_type_matches', what: 'with other white space', job: { filament_type: '\tPLA\u00a0\n' } },
  {
    rule: 'filament_type_matches',
    what: 'the printer has it in another case',
    printer: { current_filament_type: ' pLa' },
    job: pla,
  },
  {
    rule: 'filament_type_matches',
    what: 'beyond ASCII',
    printer: { current_filament_type: 'HOLZGEFÜLLT' },
    job: { filament_type: 'holzgefüllt' },
  },
  {
    rule: 'filament_type_matches',
    what: 'the printer reports it',
    printer: { current_filament_type: 'ABS' },
    shows: { filament_type: 'PLA' },
    job: pla,
  },
  {
    rule: 'filament_type_matches',
    what: 'the last of several slots has it',
    shows: { slots: [slot(0, 'ABS'), slot(1, null), slot(2, 'pla')] },
    job: pla,
  },
  {
    rule: 'filament_type_matches',
    what: 'none is asked for, no slot knows its own',
    shows: { slots: [slot(0, null), slot(1, null)] },
  },
  {
    rule: 'filament_type_matches',
    what: 'a spool has it',
    printer: { current_filament_type: 'ABS' },
    spools: ['ABS', 'PLA'],
    file: { filaments: [filament(1, 'PLA')] },
    job: pla,
  },
  {
    rule: 'filament_type_matches',
    what: 'a file with several says more than its job',
    shows: { slots: [slot(0, 'PLA'), slot(1, 'ABS')] },
    file: { filaments: [filament(0, 'PLA'), filament(1, 'ABS')] },
    job: { filament_type: 'PLA;ABS' },
  },
  {
    rule: 'filament_type_matches',
    what: 'a file with one says something else',
    file: { filaments: [filament(0, 'PETG')] },
    job: pla,
  },
  {
    rule: 'filament_type_matches',
    what: 'another way is in this material',
    job: { filament_type: 'ABS' },
    otherWay: { filament_type: 'pla ' },
  },
  {
    rule: 'filament_type_matches',
    what: 'another way asks for none',
    job: { filament_type: 'ABS' },
    otherWay: { filament_type: '' },
  },
  {
    rule: 'filament_type_matches',
    what: 'another way asks for nothing but spaces',
    job: { filament_type: 'ABS' },
    otherWay: { filament_type: ' ' },
  },
  {
    rule: 'filament_type_matches',
    what: 'another way has several filaments',
    shows: { slots: [slot(0, 'PLA'), slot(1, 'ABS')] },
    job: { filament_type: 'PA' },
    otherWay: { filament_type: 'PLA;ABS', file: { filaments: [filament(0, 'PLA'), filament(1, 'ABS')] } },
  },
  {
    rule: 'filament_color_matches',
    what: 'any colour will do',
    printer: { current_color: 'Red' },
    job: { color: 'Black', any_color: true },
  },
  {
    rule: 'filament_color_matches',
    what: 'the account has a name for it',
    printer: { current_color: '', current_color_hex: '#F26B21' },
    job: { color: 'orange', any_color: false },
  },
  {
    rule: 'filament_color_matches',
    what: 'a value near to it',
    printer: { current_color_hex: '#000000' },
    job: { color: '#1A1A1A', any_color: false },
  },
  {
    rule: 'filament_color_matches',
    what: 'none is asked for, none is known',
    printer: { current_color: '' },
    job: { color: '', any_color: false },
  },
  { rule: 'nozzle_matches', what: 'the file names none, none is entered', printer: { nozzle_size: null } },
  {
    rule: 'nozzle_matches',
    what: 'as near as people measure',
    printer: { nozzle_size: 0.41 },
    file: { nozzle_diameter: 0.4 },
  },
  { rule: 'build_plate_matches', what: 'that of the printer is not known', file: { bed_type: 'Cool Plate' } },
  {
    rule: 'file_fits_printer',
    what: 'larger than most, where the size is not known',
    printer: { model: 'Own Build' },
    file: { printer_model: null, metadata: { maxZMm: 900 } },
  },
  { rule: 'enough_filament', what: 'what is left is not known', job: { ...pla, filament_needed_grams: 900 } },
]

const { t, farm } = farmForAllTests({ context: { isDraining: () => isFurnished } })
/** Nothing starts by itself from then on. */
let isFurnished = false
const printerOf = new Map<Pair, PrinterId>()
const jobOf = new Map<Pair, JobId>()

async function ask(method: 'POST' | 'PATCH', path: string, body: object) {
  const answer = await farm.account.request(method, path, body)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.json().data
}

const isJson = (value: unknown) => typeof value === 'object' && value !== null

async function addFile(fields: Pair['file'] = {}) {
  const print_file_id = await insertFile(t, farm.account.id, { printer_model: 'MK4S' })
  const change = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isJson(value) ? t.db.sql.json(value) : value]),
  )
  if (Object.keys(change).length > 0) {
    await t.db.sql`update print_file_versions set ${t.db.sql(change)}
      where account_id = ${farm.account.id} and print_file_id = ${print_file_id}`
  }
  const [version] = await t.db.sql<{ id: string }[]>`
    select id from print_file_versions where account_id = ${farm.account.id} and print_file_id = ${print_file_id}`
  return { print_file_id, file_version_id: version?.id ?? '', file_name: 'x.gcode' }
}

async function show(printerId: PrinterId, state: Partial<PrinterState>): Promise<void> {
  farm.hub.telemetry(printerId, { status: 'idle', ...state })
  await t.settled(() => {
    const shown = t.context.printers.find(printerId)?.state
    return Object.entries(state).every(
      ([field, value]) => JSON.stringify(shown?.[field as keyof PrinterState]) === JSON.stringify(value),
    )
  })
}

/** A printer that could take any job, but for what is told. */
async function addPrinter(name: string, { printer = {}, shows, spools = [] }: Partial<Pair>): Promise<PrinterId> {
  const id = await fleetOf(t, farm).addPrinter(name, { nozzle_size: 0.4, current_filament_type: 'PLA' })
  if (Object.keys(printer).length > 0) {
    await t.db.sql`update printers set ${t.db.sql(printer)} where account_id = ${farm.account.id} and id = ${id}`
  }
  for (const [slot, type] of spools.entries()) {
    const spool = await ask('POST', '/materials/filament', { type, hex_code: '#112233', remaining_grams: 900 })
    await ask('PATCH', `/materials/filament/${spool.id}`, { printer_id: id, slot })
  }
  if (shows) await show(id, shows)
  return id
}

/** A job that asks for nothing, but for what is told, for the printer with this ID or for any. */
async function addJob({ file, job = {}, otherWay }: Partial<Pair>, printerId: PrinterId | null): Promise<JobId> {
  const id = newId('job')
  const account_id = farm.account.id
  const counts = { quantity_per_print: 1, plates_total: 1 }
  const wishes = { filament_type: '', color: '', any_color: true, material_type: '' }
  const option = otherWay && { option_position: 0 }
  await t.db.sql`
    insert into jobs ${t.db.sql({
      account_id,
      id,
      status: 'queued',
      ...(await addFile(file)),
      number_of_units: 1,
      ...counts,
      created_by: 'system',
      printer_id: printerId,
      ...wishes,
      ...option,
      ...job,
    })}`
  if (otherWay) {
    const { file: otherFile, ...other } = otherWay
    await t.db.sql`
      insert into job_options ${t.db.sql({ account_id, job_id: id, position: 1, ...(await addFile(otherFile)), ...counts, ...wishes, ...other })}`
  }
  return id
}

beforeAll(async () => {
  await farm.reconnect(undefined, [FILAMENT_MAP_CAPABILITY])
  isFurnished = true
  await ask('POST', '/colors', { color_name: 'Orange', hex_code: '#F26B21', filament_type: 'PLA' })
  for (const [index, pair] of accepted.entries()) {
    const printerId = await addPrinter(`P${index}`, pair)
    printerOf.set(pair, printerId)
    const given = { this: printerId, another: farm.printerId, none: null }[pair.to ?? 'none']
    jobOf.set(pair, await addJob(pair, given))
  }
}, 120_000)

const load = () => loadFarm(t.context, t.db.sql, farm.account.id)

async function printerFacts(printerId: PrinterId, loaded: LoadedFarm): Promise<PrinterFacts> {
  const [row] = await listPrintersForRules(t.db.sql, farm.account.id, printerId)
  if (!row) throw new Error('no printer')
  return loaded.printerFacts(row)
}

async function jobFacts(jobId: JobId, loaded: LoadedFarm): Promise<JobFacts> {
  const row = await findJobForRules(t.db.sql, farm.account.id, jobId)
  if (!row) throw new Error('no job')
  return loaded.jobFacts(row)
}

/** The jobs that a round of the scheduler reads for this printer alone. */
async function readFor(printer: PrinterFacts, { farm: facts }: LoadedFarm): Promise<Set<JobId>> {
  const fileModels = await listFileModels(t.db.sql, farm.account.id)
  const wanted = { printerIds: [printer.id as PrinterId], ...candidatesFor([printer], fileModels, facts) }
  const jobs = await listCandidates(t.db.sql, farm.account.id, { ...wanted, limit: 1_000, after: undefined })
  return new Set(jobs.map(({ id }) => id))
}

describe('the statement that reads the queue for printers', () => {
  test.each(accepted)('keeps a pair by $rule: $what', async (pair) => {
    const loaded = await load()
    const [printerId, jobId] = [printerOf.get(pair) as PrinterId, jobOf.get(pair) as JobId]
    const printer = await printerFacts(printerId, loaded)
    const job = await jobFacts(jobId, loaded)
    expect(waysOf(job).some((way) => canStart(printer, way, loaded.farm))).toBe(true)
    expect(await readFor(printer, loaded)).toContain(jobId)
    const queue = await listQueueOfPrinter(t.context, farm.account.id, printerId)
    expect(queue.filter(({ failing }) => failing.length === 0).map((each) => each.job.id)).toContain(jobId)
  })

  test('drops no job, of all that are here, that the rules accept at any of the printers', async () => {
    const loaded = await load()
    const jobs = await Promise.all([...jobOf.values()].map((id) => jobFacts(id, loaded)))
    let pairs = 0
    for (const printerId of printerOf.values()) {
      const printer = await printerFacts(printerId, loaded)
      const read = await readFor(printer, loaded)
      const fitting = jobs.filter((job) => waysOf(job).some((way) => canStart(printer, way, loaded.farm)))
      expect(fitting.map(({ id }) => id).filter((id) => !read.has(id))).toEqual([])
      pairs += fitting.length
    }
    expect(pairs).toBeGreaterThan(5 * accepted.length)
  })

  test.each<Pair>([
    { rule: 'assigned_here', what: 'a person gave it to another', to: 'another' },
    { rule: 'model_matches', what: 'another model', file: { printer_model: 'XL' } },
    { rule: 'filament_type_matches', what: 'another material', job: { filament_type: 'PEEK' } },
  ])('leaves out by $rule: $what', async (pair) => {
    const loaded = await load()
    const jobId = await addJob(pair, pair.to === 'another' ? farm.printerId : null)
    const [first] = printerOf.values()
    expect(await readFor(await printerFacts(first as PrinterId, loaded), loaded)).not.toContain(jobId)
  })
})

test('why a job waits is the same in the list of those that wait and in its explanation', async () => {
  const { id: accountId } = farm.account
  const rows = await Promise.all(
    [...jobOf.values()].map(async (id) => (await findJobForRules(t.db.sql, accountId, id)) ?? []),
  )
  const waiting = await explainWaiting(t.context, accountId, rows.flat())
  for (const id of jobOf.values()) {
    const { reason, sentence, remedy } = await explainJob(t.context, accountId, id)
    expect(reason).toBe('starts_now')
    expect(waiting.get(id)).toMatchObject({ reason, sentence, remedy })
  }
})

describe('the printers that a round looks at', () => {
  const kept: Partial<Pair>[] = [
    { what: 'as it is' },
    {
      what: 'nothing is known of its equipment',
      printer: { nozzle_size: null, current_filament_type: '', current_color: '', model: 'Own Build' },
    },
    { what: 'it has printed for long', printer: { total_print_seconds: 1_000_000_000 } },
    { what: 'it reports no mark of what was printed', shows: { run_mark: null } },
  ]
  const left: (Partial<Pair> & { rule: RuleName; isRead?: true })[] = [
    { rule: 'printer_active', printer: { is_active: false } },
    { rule: 'in_service', printer: { in_maintenance: true } },
    { rule: 'auto_start', printer: { auto_start: false } },
    { rule: 'hub_online', printer: { hub_id: null } },
    { rule: 'plate_clear', printer: { plate_state: 'occupied' } },
    { rule: 'plate_clear', printer: { plate_state: 'unknown' } },
    { rule: 'reachable', shows: { status: 'offline' }, isRead: true },
    { rule: 'idle', shows: { status: 'error' }, isRead: true },
    { rule: 'idle', shows: { status: 'maintenance' }, isRead: true },
  ]

  test('are all that the rules let start something, and those are started', async () => {
    await t.db.sql`update jobs set status = 'cancelled' where account_id = ${farm.account.id}`
    await t.db.sql`update printers set auto_start = false where account_id = ${farm.account.id}`
    const idsOf = new Map<Partial<Pair>, PrinterId>()
    for (const [index, each] of [...kept, ...left].entries()) {
      const id = await addPrinter(`R${index}`, each)
      idsOf.set(each, id)
      await addJob({ file: { printer_model: null } }, id)
    }
    const loaded = await load()
    const job = await jobFacts(await addJob({ file: { printer_model: null } }, null), loaded)
    const failing = new Map<Partial<Pair>, RuleName[]>()
    for (const [each, id] of idsOf) {
      const failed = judge(await printerFacts(id, loaded), job, loaded.farm).filter(hasFailed)
      failing.set(
        each,
        failed.map(({ rule }) => rule.name),
      )
    }
    for (const each of kept) expect(failing.get(each), each.what).toEqual([])
    for (const each of left) expect(failing.get(each)).toContain(each.rule)
    const ids = (some: readonly Partial<Pair>[]) => some.map((each) => idsOf.get(each)).sort()
    const free = (await listFreePrinters(t.db.sql, farm.account.id)).map(({ id }) => id)
    expect(free.sort()).toEqual(ids([...kept, ...left.filter(({ isRead }) => isRead)]))
    const started = await startWaitingJobs(t.context, farm.account.id)
    await Promise.all(started.map(({ isOver }) => isOver))
    expect(started.map(({ printerId }) => printerId).sort()).toEqual(ids(kept))
    // Each is held by its attempt now: the last rule that the statement restates.
    const stillFree = (await listFreePrinters(t.db.sql, farm.account.id)).map(({ id }) => id)
    expect(stillFree.filter((id) => ids(kept).includes(id))).toEqual([])
  })
})

import { readProblem } from '@printyard/protocol/connection-problems'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { ReportedProblem } from '@printyard/protocol/reported-problem'
import { FILAMENT_MAP_CAPABILITY } from '@printyard/protocol/version'
import type { Sql } from '../../db/database.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { blocksStarts } from '../../live/health-entries.ts'
import type { ConnectedHubs } from '../../live/hubs.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import type { LivePrinters } from '../../live/printers.ts'
import { buildVolumeOf } from '../printers/models/printer-models.ts'
import {
  type Catalogue,
  type Equipment,
  type FarmFacts,
  type HeatingGroup,
  type JobFacts,
  type PrinterFacts,
  type Refusals,
  rememberDistances,
  rememberModels,
} from './farm-facts.ts'
import { isWarmingUp } from './heating.ts'
import {
  type GroupMember,
  type JobForRules,
  listGroupMembers,
  listRefusals,
  listSpools,
  type PrinterForRules,
  type RefusalRow,
  readAccountForRules,
  type SpoolForRules,
} from './matching.queries.ts'
import { type FilamentAsked, readPlaces } from './places.ts'
import { plateNeedOf } from './plate-need.ts'
import { isCauseGone } from './refusal-cause.ts'
import { refusalMemoryMs } from './refusal-pause.ts'
import type { Bound } from './rules.ts'
import type { SpoolFacts } from './spools.ts'
import { readWorkingHours } from './working-hours.ts'

/** Where nothing shows whether a printer is hot already, it counts as heating for this long after it was seen printing. */
const assumedHeatingMs = 5 * 60_000

/** What matching needs of the service besides the database. */
export interface MatchingContext {
  hubs: Pick<ConnectedHubs, 'find'>
  printers: Pick<LivePrinters, 'find'>
  clock: Clock
}

/** The farm as the rules see it, and how to see its printers and jobs. */
export interface LoadedFarm {
  farm: FarmFacts
  printerFacts(row: PrinterForRules): PrinterFacts
  jobFacts(row: JobForRules): JobFacts
}

/**
 * Reads in at most three statements what the rules need of an account besides printers and jobs; for `anybody` in one, which leaves
 * out what binds only the scheduler.
 */
export async function loadFarm(
  context: MatchingContext,
  sql: Sql,
  accountId: AccountId,
  asker: Bound = 'scheduler',
  { withSpools = false }: { /** Names the spools that would do; one more statement. */ withSpools?: boolean } = {},
): Promise<LoadedFarm> {
  const now = context.clock.now()
  const [account, refused, spools] = await Promise.all([
    readAccountForRules(sql, accountId),
    asker === 'anybody' ? [] : listRefusals(sql, accountId, new Date(now.getTime() - refusalMemoryMs)),
    withSpools ? listSpools(sql, accountId) : null,
  ])
  const asked = account?.filament ?? undefined
  const settings = account?.settings ?? null
  const staggersHeating =
    asker === 'scheduler' &&
    settings !== null &&
    (settings.heating_at_once !== null || settings.heating_gap_seconds !== null)
  const members = staggersHeating ? await listGroupMembers(sql, accountId) : []
  const refusals = refused.filter((row) => {
    const { hub_id, printer_id: id } = row
    return !isCauseGone(row, context.hubs.find(hub_id), findOwnLive(context, accountId, { id, hub_id }).live)
  })
  const refusalsOfPrinter = countRefusals(
    refusals.filter((row) => !row.printer_recovered),
    'printer_id',
  )
  const refusalsOfJob = countRefusals(
    refusals.filter((row) => !row.job_recovered),
    'job_id',
  )
  return {
    farm: {
      now,
      workingHours: readWorkingHours(settings, account?.time_zone ?? 'UTC'),
      heatingAtOnce: settings?.heating_at_once ?? null,
      heatingGapSeconds: settings?.heating_gap_seconds ?? null,
      heatingGroups: groupHeating(context, accountId, members, now),
      colorHexByName: new Map(Object.entries(account?.colors ?? {})),
      isSameModel: rememberModels(),
      colorDistance: rememberDistances(),
      spools: spools === null ? null : spools.map((spool) => presentSpool(spool, asked?.filament_margin ?? 0)),
    },
    printerFacts: (row) => presentPrinter(context, accountId, row, refusalsOfPrinter.get(row.id), asked),
    jobFacts: (row) => presentJob(row, refusalsOfJob.get(row.id)),
  }
}

/** The colours and models that the rules about pairs look at, without the rest of the farm. */
export async function loadCatalogue(sql: Sql, accountId: AccountId): Promise<Catalogue> {
  const account = await readAccountForRules(sql, accountId)
  return {
    colorHexByName: new Map(Object.entries(account?.colors ?? {})),
    isSameModel: rememberModels(),
    colorDistance: rememberDistances(),
    spools: null,
  }
}

function presentSpool(row: SpoolForRules, margin: number): SpoolFacts {
  const { id, type, color, hex_code, brand, location, printer_id, printer_name } = row
  return {
    id,
    type,
    color,
    color_hex: hex_code,
    brand,
    location,
    grams: Math.max(0, row.remaining - row.reserved - margin) / 1_000,
    printer: printer_id === null ? null : { id: printer_id, name: printer_name ?? '' },
  }
}

function presentPrinter(
  context: Pick<MatchingContext, 'hubs' | 'printers'>,
  accountId: AccountId,
  row: PrinterForRules,
  refusals: Refusals | undefined,
  asked: FilamentAsked | undefined,
): PrinterFacts {
  const { hubOnline, live } = findOwnLive(context, accountId, row)
  return {
    ...row,
    ...equipmentOf(context, row, live?.state, asked),
    hub_online: hubOnline,
    status: live?.state.status ?? null,
    remaining_minutes: live?.state.remaining_time_minutes ?? null,
    blocking_problem: blockingProblem(live?.state.problems),
    refusals,
  }
}

/** Answers what a printer is equipped with: by its latest report, else as people entered it. */
function equipmentOf(
  { hubs }: Pick<MatchingContext, 'hubs' | 'printers'>,
  row: PrinterForRules,
  state: PrinterState | undefined,
  asked: FilamentAsked | undefined,
): Equipment {
  const isTold = row.hub_id !== null && hubs.find(row.hub_id)?.capabilities?.has(FILAMENT_MAP_CAPABILITY) === true
  return {
    id: row.id,
    model: row.model,
    nozzle_size: row.nozzle_size,
    build_plate: row.current_build_plate,
    ...readPlaces(row, state, isTold, asked),
    volume_mm: buildVolumeOf(row.model),
  }
}

/** By the latest report: nothing is to be started in the seconds before a problem counts as lasting. */
function blockingProblem(problems: readonly ReportedProblem[] = []): string | null {
  const blocking = problems.find(blocksStarts)
  if (!blocking) return null
  const { message, remedy } = readProblem(blocking)
  return `${message} ${remedy}`
}

function presentJob(row: JobForRules, refusals: Refusals | undefined): JobFacts {
  const { options, ...rest } = row
  return {
    ...presentWay(row, refusals),
    alternatives: (options ?? []).map(({ position, ...way }) =>
      presentWay({ ...rest, ...way, option_position: position }, refusals),
    ),
  }
}

/** A job in one of its ways. */
function presentWay(row: Omit<JobForRules, 'options'>, refusals: Refusals | undefined): JobFacts {
  return {
    option: row.option_position,
    alternatives: [],
    ...plateNeedOf(row),
    id: row.id,
    file_version_id: row.file_version_id,
    plates_done: row.plates_done,
    plate_seconds: row.print_time_seconds,
    priority_rank: row.priority_rank,
    due_date: row.due_date,
    queue_position: row.queue_position,
    refusals,
  }
}

/** The rows come with the latest first. */
function countRefusals(rows: readonly RefusalRow[], by: 'printer_id' | 'job_id'): Map<string, Refusals> {
  const counts = new Map<string, Refusals>()
  for (const row of rows) {
    const known = counts.get(row[by])
    if (known) known.count += 1
    else counts.set(row[by], { count: 1, lastAt: row.finished_at, reason: row.reason_code ?? 'UNKNOWN' })
  }
  return counts
}

function groupHeating(
  context: Pick<MatchingContext, 'hubs' | 'printers'>,
  accountId: AccountId,
  members: readonly GroupMember[],
  now: Date,
): Map<string, HeatingGroup> {
  const groups = new Map<string, HeatingGroup>()
  for (const member of members) {
    const group = groups.get(member.power_group) ?? { heating: 0, lastStartAt: null }
    const last = member.last_start_at
    groups.set(member.power_group, {
      heating: group.heating + (isHeating(context, accountId, member, now) ? 1 : 0),
      lastStartAt: last && (group.lastStartAt === null || last > group.lastStartAt) ? last : group.lastStartAt,
    })
  }
  return groups
}

/** A printer heats from its reservation until its heaters are near what they are to reach. */
function isHeating(
  context: Pick<MatchingContext, 'hubs' | 'printers'>,
  accountId: AccountId,
  member: GroupMember,
  now: Date,
): boolean {
  if (member.phase !== null && member.phase !== 'confirmed') return true
  const state = findOwnLive(context, accountId, member).live?.state
  if (state && (state.target_nozzle_temp !== null || state.target_bed_temp !== null)) {
    return isWarmingUp(state)
  }
  return member.confirmed_at !== null && now.getTime() - member.confirmed_at.getTime() < assumedHeatingMs
}

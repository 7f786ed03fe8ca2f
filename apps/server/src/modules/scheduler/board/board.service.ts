import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../../context/context.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { type FarmFacts, type JobFacts, type PrinterFacts, waysOf } from '../../matching/farm-facts.ts'
import { type FailedVerdict, failuresFor, hasFailed, judge } from '../../matching/judge.ts'
import { loadFarm } from '../../matching/load-farm.ts'
import { listPrintersForRules } from '../../matching/matching.queries.ts'
import type { RemedyKind, RuleName } from '../../matching/rules.ts'
import { type ListedJob, listWaiting } from '../waiting-jobs.queries.ts'
import { listPictured, listPrinting, type PrintingRow } from './board.queries.ts'

/** Jobs at the front of the queue that are looked at; what comes later is not next anywhere. */
const mostJobs = 100

export interface BoardPlace {
  printer: PrinterFacts
  printing: PrintingRow | undefined
  /** Time when the file of its print changed last; undefined where that has no picture. */
  picturedAt: Date | undefined
  next: ListedJob | undefined
}

/** Answers what each printer prints, what is loaded on it and what it would print next, in a few statements for the whole farm. */
export async function readBoard(context: Context, accountId: AccountId): Promise<BoardPlace[]> {
  const { sql } = context.db
  const { farm, printers, jobs } = await loadQueue(context, accountId)
  const printing = await listPrinting(sql, accountId)
  const pictured = await listPictured(
    sql,
    accountId,
    printing.map(({ print_file_id }) => print_file_id),
  )
  const pictureOf = new Map(pictured.map(({ id, updated_at }) => [id, updated_at]))
  const places: BoardPlace[] = []
  for (const printer of printers) {
    const now = printing.find(({ printer_id }) => printer_id === printer.id)
    const next = jobs.find(({ row, facts }) => isFor(printer, facts, farm) && row.status === 'queued')
    places.push({ printer, printing: now, picturedAt: now && pictureOf.get(now.print_file_id), next: next?.row })
    await nextTurn()
  }
  return places
}

/** A person gave it to the printer, or it fits as the printer is equipped. */
function isFor(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): boolean {
  if (job.assigned_printer_id !== null) return job.assigned_printer_id === printer.id
  return waysOf(job).some((way) =>
    judge(printer, way, farm).every((verdict) => verdict.rule.about !== 'pair' || !hasFailed(verdict)),
  )
}

export interface RemedyGroup {
  rule: RuleName
  remedy: RemedyKind
  printers: { id: PrinterId; name: string }[]
  jobs: number
  /** What the jobs ask for, where a person is to enter it; undefined where they differ. */
  nozzle: number | undefined
}

/** What a person can do at a printer or in its settings; the rest passes by itself, or helps nothing. */
const byPerson: readonly RemedyKind[] = [
  'auto_start',
  'enter_equipment',
  'clear_plate',
  'load_filament',
  'change_build_plate',
  'change_nozzle',
  'look_at_printer',
]

/**
 * Waiting jobs with the idle printers that only one thing keeps from starting them, together by that thing: the one that most jobs
 * wait for first. Of the first hundred jobs.
 */
export async function groupByRemedy(context: Context, accountId: AccountId): Promise<RemedyGroup[]> {
  const { farm, printers, jobs } = await loadQueue(context, accountId)
  const idle = printers.filter(({ status, has_live_attempt }) => status === 'idle' && !has_live_attempt)
  const groups = new Map<
    RuleName,
    { remedy: RemedyKind; printers: Set<PrinterFacts>; jobs: Set<string>; nozzles: Set<number> }
  >()
  for (const { facts } of jobs) {
    for (const printer of idle) {
      for (const way of waysOf(facts)) {
        const only = onlyFailure(failuresFor('scheduler', printer, way, farm))
        if (!only || !byPerson.includes(only.failure.remedy)) continue
        const { name } = only.rule
        const group = groups.get(name) ?? {
          remedy: only.failure.remedy,
          printers: new Set(),
          jobs: new Set(),
          nozzles: new Set(),
        }
        groups.set(name, group)
        group.printers.add(printer)
        group.jobs.add(facts.id)
        if (way.nozzle_diameter !== null) group.nozzles.add(way.nozzle_diameter)
      }
    }
    await nextTurn()
  }
  return [...groups]
    .map(([rule, group]) => ({
      rule,
      remedy: group.remedy,
      printers: [...group.printers].map(({ id, name }) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name)),
      jobs: group.jobs.size,
      nozzle: group.nozzles.size === 1 ? [...group.nozzles][0] : undefined,
    }))
    .sort((a, b) => b.jobs - a.jobs || b.printers.length - a.printers.length)
}

/** The one thing in the way; undefined where there is none, or more than one. */
function onlyFailure(failures: readonly FailedVerdict[]): FailedVerdict | undefined {
  return failures.length === 1 ? failures[0] : undefined
}

async function loadQueue(context: Context, accountId: AccountId) {
  const { sql } = context.db
  const [rows, { farm, printerFacts, jobFacts }, listed] = await Promise.all([
    listPrintersForRules(sql, accountId),
    loadFarm(context, sql, accountId),
    listWaiting(sql, accountId, { limit: mostJobs, offset: 0, after: undefined }),
  ])
  return { farm, printers: rows.map(printerFacts), jobs: listed.map((row) => ({ row, facts: jobFacts(row) })) }
}

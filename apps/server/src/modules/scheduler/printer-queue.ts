import type { Context } from '../../context/context.ts'
import type { PageBounds } from '../../db/page-bounds.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, JobId, PrinterId } from '../../kernel/ids.ts'
import { type FarmFacts, type JobFacts, type PrinterFacts, waysOf } from '../matching/farm-facts.ts'
import { judge } from '../matching/judge.ts'
import { loadFarm } from '../matching/load-farm.ts'
import { type JobForRules, listPrintersForRules } from '../matching/matching.queries.ts'
import type { RuleName } from '../matching/rules.ts'
import { candidatesFor } from './match-jobs.ts'
import { listCandidates, listFileModels } from './scheduler.queries.ts'

/** Jobs of the queue that are looked at: what comes later is not for today. */
const mostCandidates = 1_000

export interface QueuedForPrinter {
  job: JobForRules
  /** What keeps it from this printer as things are: only of a job that a person gave to the printer. */
  failing: RuleName[]
  /** Plates still to print, in the way that fits the printer, and how long they take. */
  platesLeft: number
  minutes: number | null
  estimatedStart: Date | null
}

/**
 * The jobs that would print on a printer, in order: those that a person gave it, and those that any printer may take and
 * that fit this one. Another printer may be faster to take one of the latter. Starts are estimated as if every plate were
 * cleared as soon as it is done.
 */
export async function listQueueOfPrinter(
  context: Context,
  accountId: AccountId,
  printerId: PrinterId,
): Promise<QueuedForPrinter[]> {
  const { sql } = context.db
  const [[row], { farm, printerFacts, jobFacts }, allModels] = await Promise.all([
    listPrintersForRules(sql, accountId, printerId),
    loadFarm(context, sql, accountId),
    listFileModels(sql, accountId),
  ])
  if (!row) throw notFound('printer')
  const printer = printerFacts(row)
  const jobs = await listCandidates(sql, accountId, {
    printerIds: [printerId],
    ...candidatesFor([printer], allModels, farm),
    limit: mostCandidates,
    after: undefined,
  })
  let start = freeAt(printer, farm)
  const queue: QueuedForPrinter[] = []
  for (const job of jobs) {
    const { way, failing } = bestWay(printer, jobFacts(job), farm)
    if (failing.length > 0 && job.assigned_printer_id !== printerId) continue
    const platesLeft = platesOf(job, way) - job.plates_done
    const minutes = way.plate_seconds === null ? null : Math.ceil((way.plate_seconds * platesLeft) / 60)
    queue.push({ job, failing, platesLeft, minutes, estimatedStart: failing.length === 0 ? start : null })
    // Behind a job that cannot start, the next one that can goes first.
    if (failing.length === 0) start = start && minutes !== null ? new Date(start.getTime() + minutes * 60_000) : null
  }
  return queue
}

/** A part of the queue. A walk goes on behind the job where it stopped, or from its place when that job has left the queue. */
export function pageOfQueue(
  queue: readonly QueuedForPrinter[],
  { after, offset, limit }: PageBounds,
): { page_key: string; id: JobId; entry: QueuedForPrinter }[] {
  const stoppedAt = after ? queue.findIndex(({ job }) => job.id === after.id) : -1
  const start = after ? (stoppedAt >= 0 ? stoppedAt + 1 : Number(after.key)) : offset
  return queue
    .slice(start, start + limit)
    .map((entry, index) => ({ page_key: String(start + index), id: entry.job.id, entry }))
}

/** Answers when the printer could take its next plate if this one is cleared at once; null when it cannot be told. */
function freeAt(printer: PrinterFacts, { now }: FarmFacts): Date | null {
  if (!printer.is_active || printer.in_maintenance || !printer.hub_online) return null
  if (printer.status === 'printing' && printer.remaining_minutes !== null) {
    return new Date(now.getTime() + printer.remaining_minutes * 60_000)
  }
  return printer.status === 'idle' && printer.plate_state === 'clear' && !printer.has_live_attempt ? now : null
}

/** The way in which the printer lacks least for a job, the preferred one of several, with what it lacks. */
function bestWay(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): { way: JobFacts; failing: RuleName[] } {
  const [first, ...others] = waysOf(job).map((way) => ({
    way,
    failing: judge(printer, way, farm).flatMap(({ rule, failure }) =>
      failure && rule.about === 'pair' ? [rule.name] : [],
    ),
  }))
  if (!first) throw new Error('a job without a way to print it')
  return others.reduce((best, each) => (each.failing.length < best.failing.length ? each : best), first)
}

/** Plates of a job in one of its ways. */
export function platesOf(job: JobForRules, { option }: JobFacts): number {
  return job.options?.find(({ position }) => position === option)?.plates_total ?? job.plates_total
}

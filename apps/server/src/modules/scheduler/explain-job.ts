import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import { type FarmFacts, type JobFacts, type PrinterFacts, waysOf } from '../matching/farm-facts.ts'
import { type FailedVerdict, failuresFor, hasFailed, judge, type Verdict } from '../matching/judge.ts'
import { loadFarm } from '../matching/load-farm.ts'
import { findJobForRules, type JobForRules, listPrintersForRules } from '../matching/matching.queries.ts'
import { effortOf, hardestOf, remedySentence } from '../matching/remedy.ts'
import { type RemedyKind, type RuleName, rules } from '../matching/rules.ts'
import { countJobsBefore } from './scheduler.queries.ts'

/** Reason why a job waits, in one word: a rule, or one of these. */
export const otherReasons = ['starts_now', 'not_queued', 'no_printers'] as const
export type WaitingReason = RuleName | (typeof otherReasons)[number]

/** What a person can do so that a job starts soonest. */
export interface Remedy {
  kind: RemedyKind
  printer: Pick<PrinterFacts, 'id' | 'name'>
}

/** Distance of a printer from starting a job. */
interface Standing {
  printer: PrinterFacts
  /** In the way in which the printer is nearest to it. */
  job: JobFacts
  failures: FailedVerdict[]
  /** Distance of the printer from a start. */
  effort: number
  /** Null when a person must act first, or it cannot be told. */
  earliestStart: Date | null
}

export interface PrinterVerdict extends Standing {
  rules: Verdict[]
}

export interface JobExplanation {
  job: JobForRules
  jobsBefore: number
  reason: WaitingReason
  sentence: string
  /** Null where nothing is in the way, or nothing is to be done. */
  remedy: Remedy | null
  earliestStart: Date | null
  printersTotal: number
  printersReady: number
  failing: { name: RuleName; printers: number }[]
  /** The nearest to a start first. */
  verdicts: PrinterVerdict[]
}

/** Answers why a job waits: every rule on every printer, from a few statements whatever the size of the farm. */
export async function explainJob(
  context: Context,
  accountId: AccountId,
  jobId: JobId,
  sql: Sql = context.db.sql,
): Promise<JobExplanation> {
  const job = await findJobForRules(sql, accountId, jobId)
  if (!job) throw notFound('job')
  if (job.status !== 'queued') return explainOther(job)
  const [rows, { farm, printerFacts, jobFacts }, jobsBefore] = await Promise.all([
    listPrintersForRules(sql, accountId),
    loadFarm(context, sql, accountId, 'scheduler', { withSpools: true }),
    countJobsBefore(sql, accountId, job),
  ])
  const facts = jobFacts(job)
  const verdicts = rows
    .map(printerFacts)
    .map((printer) =>
      nearestOf(
        waysOf(facts).map((way): PrinterVerdict => {
          const judged = judge(printer, way, farm)
          return { rules: judged, ...standingOf(printer, way, judged.filter(hasFailed), farm.now) }
        }),
      ),
    )
    .sort(compareStandings)
  return {
    job,
    jobsBefore,
    ...summarize(verdicts[0], farm),
    earliestStart: earliestOf(verdicts),
    printersTotal: verdicts.length,
    printersReady: verdicts.filter(({ failures }) => failures.length === 0).length,
    failing: countFailing(verdicts),
    verdicts,
  }
}

/** Answers what the explanation of a job says first, without the rest of it. */
export function nearestVerdict(
  printers: readonly PrinterFacts[],
  job: JobFacts,
  farm: FarmFacts,
): Pick<JobExplanation, 'reason' | 'sentence' | 'remedy' | 'earliestStart'> {
  const standings = printers.map((printer) =>
    nearestOf(
      waysOf(job).map((way) => standingOf(printer, way, failuresFor('scheduler', printer, way, farm), farm.now)),
    ),
  )
  const nearest = standings.length === 0 ? undefined : nearestOf(standings)
  return { ...summarize(nearest, farm), earliestStart: earliestOf(standings) }
}

/** The one that is nearest to a start, the first of several. */
function nearestOf<Some extends Standing>(standings: readonly Some[]): Some {
  const [first, ...others] = standings
  if (!first) throw new Error('there is nothing to compare')
  let nearest = first
  for (const standing of others) if (compareStandings(standing, nearest) < 0) nearest = standing
  return nearest
}

function earliestOf(verdicts: readonly Standing[]): Date | null {
  const starts = verdicts.flatMap(({ earliestStart }) => earliestStart ?? [])
  return starts.length === 0 ? null : new Date(Math.min(...starts.map(Number)))
}

function explainOther(job: JobForRules): JobExplanation {
  return {
    job,
    jobsBefore: 0,
    reason: 'not_queued',
    sentence: `The job does not wait: it is ${job.status}.`,
    remedy: null,
    earliestStart: null,
    printersTotal: 0,
    printersReady: 0,
    failing: [],
    verdicts: [],
  }
}

function standingOf(printer: PrinterFacts, job: JobFacts, failures: FailedVerdict[], now: Date): Standing {
  const times = failures.map(({ failure }) => failure.passesAt)
  return {
    printer,
    job,
    failures,
    effort: effortOf(failures),
    earliestStart: times.some((time) => time === null) ? null : new Date(Math.max(Number(now), ...times.map(Number))),
  }
}

/**
 * First what takes least effort: a printer that is free and lacks a spool comes before one that prints, and that before one that could
 * never print the job. Then what lacks least, then what is free first.
 */
function compareStandings(a: Standing, b: Standing): number {
  return (
    a.effort - b.effort ||
    a.failures.length - b.failures.length ||
    Number(a.earliestStart ?? Number.MAX_VALUE) - Number(b.earliestStart ?? Number.MAX_VALUE) ||
    a.printer.name.localeCompare(b.printer.name)
  )
}

/** The reason is that of the printer which is nearest to starting the job: what to do about it helps soonest. */
function summarize(
  nearest: Standing | undefined,
  farm: FarmFacts,
): Pick<JobExplanation, 'reason' | 'sentence' | 'remedy'> {
  if (!nearest) return { reason: 'no_printers', sentence: 'There are no printers.', remedy: null }
  const { printer, job, failures } = nearest
  const hardest = hardestOf(failures)
  if (!hardest) {
    const sentence = `${printer.name} is ready: the job starts there as soon as it is its turn.`
    return { reason: 'starts_now', sentence, remedy: null }
  }
  const { remedy: kind } = hardest.failure
  return {
    reason: hardest.rule.name,
    sentence: remedySentence(hardest, printer, job, farm),
    remedy: kind === 'none' ? null : { kind, printer: { id: printer.id, name: printer.name } },
  }
}

function countFailing(verdicts: readonly PrinterVerdict[]): { name: RuleName; printers: number }[] {
  const counts = new Map<RuleName, number>()
  for (const { failures } of verdicts) {
    for (const { rule } of failures) counts.set(rule.name, (counts.get(rule.name) ?? 0) + 1)
  }
  return rules.flatMap(({ name }) => ({ name, printers: counts.get(name) ?? 0 })).filter(({ printers }) => printers > 0)
}

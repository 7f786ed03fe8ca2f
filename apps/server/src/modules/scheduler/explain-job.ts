import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, JobId } from '../../kernel/ids.ts'
import { type FarmFacts, type JobFacts, type PrinterFacts, waysOf } from '../matching/farm-facts.ts'
import {
  type FailedVerdict,
  failuresFor,
  failuresOfAssignment,
  failuresOfJob,
  failuresOfKind,
  failuresOfPrinter,
  hasFailed,
  isMeantFor,
  judge,
  type Verdict,
} from '../matching/judge.ts'
import { rememberKinds } from '../matching/likeness.ts'
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
  distance: Distance
  /** Null when a person must act first, or it cannot be told. */
  earliestStart: Date | null
}

/** How far from a start failures keep a printer, or a job. */
interface Distance {
  /** Of the failure that takes most of it: 0 where nothing is in the way. */
  effort: number
  failures: number
  /** When all will be over by themselves, in ms since 1970; infinite when a person must act first, or it cannot be told. */
  startMs: number
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
  const verdicts = verdictsOn(rows.map(printerFacts), jobFacts(job), farm)
  return {
    job,
    jobsBefore,
    ...firstOf(verdicts, farm),
    printersTotal: verdicts.length,
    printersReady: verdicts.filter(({ failures }) => failures.length === 0).length,
    failing: countFailing(verdicts),
    verdicts,
  }
}

/** What every rule says of the job on each printer, the nearest to a start first. */
export function verdictsOn(printers: readonly PrinterFacts[], job: JobFacts, farm: FarmFacts): PrinterVerdict[] {
  return printers
    .map((printer) =>
      nearestOf(
        waysOf(job).map((way): PrinterVerdict => {
          const judged = judge(printer, way, farm)
          return { rules: judged, ...standingOf(printer, way, judged.filter(hasFailed), farm.now) }
        }),
      ),
    )
    .sort(compareStandings)
}

/** What an explanation says first, by all its verdicts. */
export function firstOf(verdicts: readonly PrinterVerdict[], farm: FarmFacts): NearestVerdict {
  const earliestMs = Math.min(...verdicts.map(({ distance }) => distance.startMs))
  return { ...summarize(verdicts[0], farm), earliestStart: dateOf(earliestMs) }
}

type NearestVerdict = Pick<JobExplanation, 'reason' | 'sentence' | 'remedy' | 'earliestStart'>

/**
 * The same without the rest of it, for many jobs of a farm: each printer is judged once, and each kind of printer once with each kind of
 * plate. Only the printer that is nearest to a start is asked every rule, for the sentence.
 */
export function nearestVerdicts(printers: readonly PrinterFacts[], farm: FarmFacts): (job: JobFacts) => NearestVerdict {
  // Of printers that are as near the first by name counts.
  const byName = printers.toSorted((a, b) => a.name.localeCompare(b.name))
  const measure = (failures: readonly FailedVerdict[]) => distanceOf(failures, farm.now)
  const known = byName.map((printer) => ({ printer, byItself: measure(failuresOfPrinter(printer, farm)) }))
  const ofKind = rememberKinds((equipment, plate) => measure(failuresOfKind(equipment, plate, farm)), farm)
  const nothing = measure([])
  return (job) => {
    const ways = waysOf(job).map((way) => ({ way, byItself: measure(failuresOfJob(way, farm)) }))
    let nearest: { printer: PrinterFacts; way: JobFacts; distance: Distance } | undefined
    let earliestMs = Number.POSITIVE_INFINITY
    for (const { printer, byItself } of known) {
      let nearestHere: typeof nearest
      for (const { way, byItself: ofJob } of ways) {
        const isMeant = isMeantFor(printer, way, farm)
        const assignment = isMeant ? nothing : measure(failuresOfAssignment(printer, way, farm))
        const distance = sumOf(byItself, ofJob, assignment, ofKind(printer, way))
        if (!nearestHere || compareDistances(distance, nearestHere.distance) < 0) {
          nearestHere = { printer, way, distance }
        }
      }
      if (!nearestHere) continue
      earliestMs = Math.min(earliestMs, nearestHere.distance.startMs)
      if (!nearest || compareDistances(nearestHere.distance, nearest.distance) < 0) nearest = nearestHere
    }
    const standing =
      nearest &&
      standingOf(nearest.printer, nearest.way, failuresFor('scheduler', nearest.printer, nearest.way, farm), farm.now)
    return { ...summarize(standing, farm), earliestStart: dateOf(earliestMs) }
  }
}

/** The one that is nearest to a start, the first of several. */
function nearestOf<Some extends Standing>(standings: readonly Some[]): Some {
  const [first, ...others] = standings
  if (!first) throw new Error('there is nothing to compare')
  let nearest = first
  for (const standing of others) if (compareStandings(standing, nearest) < 0) nearest = standing
  return nearest
}

const dateOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms) : null)

function distanceOf(failures: readonly FailedVerdict[], now: Date): Distance {
  let startMs = now.getTime()
  for (const { failure } of failures) {
    startMs = Math.max(startMs, failure.passesAt?.getTime() ?? Number.POSITIVE_INFINITY)
  }
  return { effort: effortOf(failures), failures: failures.length, startMs }
}

/** The distance of what all of them keep from a start. */
function sumOf(a: Distance, b: Distance, c: Distance, d: Distance): Distance {
  return {
    effort: Math.max(a.effort, b.effort, c.effort, d.effort),
    failures: a.failures + b.failures + c.failures + d.failures,
    startMs: Math.max(a.startMs, b.startMs, c.startMs, d.startMs),
  }
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
  const distance = distanceOf(failures, now)
  return { printer, job, failures, distance, earliestStart: dateOf(distance.startMs) }
}

/**
 * First what takes least effort: a printer that is free and lacks a spool comes before one that prints, and that before one that could
 * never print the job. Then what lacks least, then what is free first.
 */
function compareDistances(a: Distance, b: Distance): number {
  if (a.effort !== b.effort) return a.effort - b.effort
  if (a.failures !== b.failures) return a.failures - b.failures
  return a.startMs === b.startMs ? 0 : a.startMs - b.startMs
}

/** Of those that are as far the first by name. */
function compareStandings(a: Standing, b: Standing): number {
  return compareDistances(a.distance, b.distance) || a.printer.name.localeCompare(b.printer.name)
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

import type { Context } from '../../context/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { FarmFacts, JobFacts, PrinterFacts } from './farm-facts.ts'
import { loadFarm } from './load-farm.ts'
import { type Failure, judge, type RuleName, rules } from './rules.ts'
import { countJobsBefore, findJobForRules, type JobForRules, listPrintersForRules } from './scheduler.queries.ts'

/** Why a job waits, in one word: a rule, or one of these. */
export const otherReasons = ['starts_now', 'not_queued', 'no_printers'] as const
export type WaitingReason = RuleName | (typeof otherReasons)[number]

export interface PrinterVerdict {
  printer: PrinterFacts
  rules: { name: RuleName; asks: string; failure: Failure | undefined }[]
  failures: { name: RuleName; failure: Failure }[]
  /** Rules of the pair that fail: the job would never print there as things are. */
  misfits: number
  /** Null when a person must act first, or nobody can tell. */
  earliestStart: Date | null
}

export interface JobExplanation {
  job: JobForRules
  jobsBefore: number
  reason: WaitingReason
  sentence: string
  earliestStart: Date | null
  printersTotal: number
  printersReady: number
  failing: { name: RuleName; printers: number }[]
  /** The nearest to a start first. */
  verdicts: PrinterVerdict[]
}

/** Why a job waits: every rule on every printer, from a few statements whatever the size of the farm. */
export async function explainJob(context: Context, accountId: string, jobId: string): Promise<JobExplanation> {
  const { sql } = context.db
  const job = await findJobForRules(sql, accountId, jobId)
  if (!job) throw notFound('job')
  if (job.status !== 'queued') return explainOther(job)
  const [rows, { farm, printerFacts, jobFacts }, jobsBefore] = await Promise.all([
    listPrintersForRules(sql, accountId),
    loadFarm(context, sql, accountId),
    countJobsBefore(sql, accountId, job),
  ])
  const facts = jobFacts(job)
  const verdicts = rows
    .map((row) => verdictOf(printerFacts(row), judge(printerFacts(row), facts, farm), farm.now))
    .sort(compareVerdicts)
  return {
    job,
    jobsBefore,
    ...summarize(verdicts[0]),
    earliestStart: earliestOf(verdicts),
    printersTotal: verdicts.length,
    printersReady: verdicts.filter(({ failures }) => failures.length === 0).length,
    failing: countFailing(verdicts),
    verdicts,
  }
}

/** What the explanation of a job says first, without the rest of it. */
export function nearestVerdict(
  printers: readonly PrinterFacts[],
  job: JobFacts,
  farm: FarmFacts,
): Pick<JobExplanation, 'reason' | 'sentence' | 'earliestStart'> {
  const verdicts = printers.map((printer) => verdictOf(printer, judge(printer, job, farm), farm.now))
  let nearest = verdicts[0]
  for (const verdict of verdicts) if (nearest && compareVerdicts(verdict, nearest) < 0) nearest = verdict
  return { ...summarize(nearest), earliestStart: earliestOf(verdicts) }
}

function earliestOf(verdicts: readonly PrinterVerdict[]): Date | null {
  const starts = verdicts.flatMap(({ earliestStart }) => earliestStart ?? [])
  return starts.length === 0 ? null : new Date(Math.min(...starts.map(Number)))
}

function explainOther(job: JobForRules): JobExplanation {
  return {
    job,
    jobsBefore: 0,
    reason: 'not_queued',
    sentence: `The job does not wait: it is ${job.status}.`,
    earliestStart: null,
    printersTotal: 0,
    printersReady: 0,
    failing: [],
    verdicts: [],
  }
}

function verdictOf(printer: PrinterFacts, judged: ReturnType<typeof judge>, now: Date): PrinterVerdict {
  const failures = judged.flatMap(({ rule, failure }) => (failure ? [{ name: rule.name, failure, rule }] : []))
  const times = failures.map(({ failure }) => failure.passesAt)
  return {
    printer,
    rules: judged.map(({ rule, failure }) => ({ name: rule.name, asks: rule.asks, failure })),
    failures,
    misfits: failures.filter(({ rule }) => rule.appliesTo === 'pair').length,
    earliestStart: times.some((time) => time === null) ? null : new Date(Math.max(Number(now), ...times.map(Number))),
  }
}

/** First what could print the job at all, then what lacks least, then what is free first. */
function compareVerdicts(a: PrinterVerdict, b: PrinterVerdict): number {
  return (
    a.misfits - b.misfits ||
    a.failures.length - b.failures.length ||
    Number(a.earliestStart ?? Number.MAX_VALUE) - Number(b.earliestStart ?? Number.MAX_VALUE) ||
    a.printer.name.localeCompare(b.printer.name)
  )
}

/** The reason is that of the printer which is nearest to starting the job: what to do about it helps soonest. */
function summarize(nearest: PrinterVerdict | undefined): Pick<JobExplanation, 'reason' | 'sentence'> {
  if (!nearest) return { reason: 'no_printers', sentence: 'There are no printers.' }
  const { name } = nearest.printer
  const misfit = nearest.failures.find((failing) => isMisfit(failing.name))
  const first = misfit ?? nearest.failures[0]
  if (!first)
    return { reason: 'starts_now', sentence: `${name} is ready: the job starts there as soon as it is its turn.` }
  return { reason: first.name, sentence: `${name}: ${first.failure.sentence}` }
}

const misfitNames = new Set<RuleName>(rules.filter((rule) => rule.appliesTo === 'pair').map((rule) => rule.name))
const isMisfit = (name: RuleName) => misfitNames.has(name)

function countFailing(verdicts: readonly PrinterVerdict[]): { name: RuleName; printers: number }[] {
  const counts = new Map<RuleName, number>()
  for (const { failures } of verdicts) {
    for (const { name } of failures) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return rules.flatMap(({ name }) => ({ name, printers: counts.get(name) ?? 0 })).filter(({ printers }) => printers > 0)
}

import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { AccountId, AttemptId, HubId } from '../../../kernel/ids.ts'
import type { AttemptReport } from '../../../live/hub-messages.ts'
import { applyReport } from '../../attempts/attempt-state.ts'
import {
  type AttemptRow,
  type ClaimEvidence,
  findAttempt,
  lockAttempt,
  updateAttempt,
} from '../../attempts/attempts.queries.ts'
import { findStopperOf } from '../../commands/commands.queries.ts'
import { type Work, workIn } from '../../events/work.ts'
import { recordReport } from '../../hubs/hubs.queries.ts'
import { beginReported } from '../../hubs/state/begin-reported.ts'
import { bookPrintedFilament } from '../../materials/book-usage.ts'
import { findKnownPlate } from '../../printers/plate/plate.queries.ts'
import { reportedMark } from '../../printers/plate/plate-judgement.ts'
import { recordUnseenPrint } from '../../timeline/unseen-print.queries.ts'
import { closeFarmTask } from '../../worklist/farm-tasks.ts'
import { askAboutFate } from './ask-about-fate.ts'
import { applyEffect } from './attempt-effects.ts'
import { followPrinter } from './follow-printer.ts'
import { type ReportTime, timeIfLate, timeOfReport } from './report-time.ts'
import { takeBack } from './take-back.ts'

/** Reason why the fate of an attempt is unknown: the journal of its hub, which alone could tell, is gone. */
export const journalLost = 'JOURNAL_LOST'

/** Reason why the fate of an attempt is unknown: the service was restored from a backup, and its hub remembers it no more. */
export const serviceRestored = 'SERVICE_RESTORED'

/** The reason and the words of a print that was stopped as a person or key asked. */
export const stopped = 'STOPPED'
export const stoppedDetail = 'Stopped on request'

/** A claim about an attempt, from its hub, from a command that showed its effect, or from a person who looked. */
type AttemptClaim = Pick<AttemptReport, 'phase' | 'outcome' | 'reason_code' | 'with_ejection' | 'run_mark'> & {
  evidence: ClaimEvidence
  /** Time when it happened; left out, now. */
  happened?: ReportTime
  /** With the outcome `unknown`: when its fate was last known, if that was before now. */
  unknownSince?: Date
}

/**
 * Applies a claim to an attempt, its job and its printer in one transaction. Repeated, late and contradictory claims
 * change nothing. False when it changed nothing.
 */
export async function settleAttempt(
  context: Context,
  accountId: AccountId,
  attemptId: AttemptId,
  { actor, ...claim }: AttemptClaim & { /** Actor that says so, as in `Actor.label`. */ actor: string },
): Promise<boolean> {
  const isSettled = await context.db.beginForFarm(accountId, (sql) =>
    settleAttemptIn(context, workIn(sql, { accountId, actor, now: context.clock.now() }), attemptId, claim),
  )
  if (isSettled && claim.phase === 'finished') await lookAtPlate(context, accountId, attemptId)
  return isSettled
}

/** As `settleAttempt`, inside a transaction of the caller. */
export async function settleAttemptIn(
  context: Context,
  work: Work,
  attemptId: AttemptId,
  claim: AttemptClaim,
): Promise<boolean> {
  const { sql, accountId, actor, now: at } = work
  const attempt = await lockAttempt(sql, accountId, attemptId)
  if (!attempt) {
    context.log.warn({ attempt_id: attemptId, actor }, 'a report about an unknown attempt was ignored')
    return false
  }
  const change = applyReport(attempt, claim)
  if (change.kind === 'ignored') {
    if (change.why === 'contradictory') {
      context.log.warn({ attempt_id: attemptId, from: attempt, to: claim }, 'a contradictory report was ignored')
    }
    return false
  }
  const happened = claim.happened ?? { at, note: null }
  if (change.effect === 'taken_back' && !(await takeBack(work, attempt))) return false
  await updateAttempt(work, attemptId, {
    ...change.to,
    reason_code: claim.reason_code,
    evidence: claim.evidence,
    happened,
    unknownSince: claim.unknownSince,
  })
  if (attempt.outcome === 'unknown' && change.to.outcome !== 'unknown') {
    await closeFarmTask(work, { source: 'unknown_fate', subjectId: attempt.printer_id })
  }
  const isEjected = attempt.ejection === 'ordered' && change.effect === 'plate_done'
  const run_mark = claim.run_mark ?? (isEjected ? await markOfRun(context, sql, accountId, attempt) : null)
  const wasSeenRunning = change.to.phase === 'confirmed'
  await applyEffect(work, attempt, change.effect, { ...claim, run_mark, wasSeenRunning }, happened)
  // What was seen running may be good, and its plate waits: a person is asked at once.
  if (change.effect === 'fate_unknown' && change.to.phase === 'confirmed') {
    await askAboutFate(work, attemptId)
  }
  await bookPrintedFilament(context, work, attempt, {
    effect: change.effect,
    endedAt: happened.at,
    happenedAt: timeIfLate(happened, at),
  })
  if (claim.happened?.note === null && change.to.phase === 'finished' && attempt.confirmed_at) {
    await recordUnseenPrint(sql, accountId, attempt, { from: attempt.confirmed_at, to: happened.at })
  }
  return true
}

/**
 * Answers what the printer says by itself of the run of an attempt, where the report of its end does not. Of a hub of an older version
 * that shows no run any more, the last one that it showed.
 */
async function markOfRun(
  context: Context,
  sql: Sql,
  accountId: AccountId,
  { id, printer_id }: AttemptRow,
): Promise<string | null> {
  const state = context.printers.find(printer_id)?.state
  if (!state) return null
  const run = state.run ?? state.last_result?.run
  if (run) return run.attempt_id === id ? reportedMark(state, null) : null
  if (state.run_mark !== undefined) return null
  return (await findKnownPlate(sql, accountId, printer_id))?.run_mark ?? null
}

/**
 * A report from a hub. One about an attempt of another hub is the hub's mistake and changes nothing. With the ID of its
 * message the hub's journal is compared with it from then on.
 */
export async function recordAttemptReport(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  report: AttemptReport,
  { messageId, hubAheadMs = 0 }: { messageId?: string | undefined; hubAheadMs?: number } = {},
): Promise<void> {
  const isSettled = await beginReported(context, { accountId, hubId }, async (sql) => {
    // The hub is locked before its attempts, as where its journal is compared.
    if (messageId !== undefined) await recordReport(sql, accountId, hubId, messageId)
    const attempt = await lockAttempt(sql, accountId, report.attempt_id)
    if (attempt && (attempt.hub_id !== hubId || attempt.fence !== report.fence)) {
      context.log.warn({ hub_id: hubId, report, attempt }, 'a report about an attempt of another command was ignored')
      return false
    }
    // The hub that was given the command lost its journal since, or has forgotten it: that it knows nothing of it proves nothing.
    if (
      (attempt?.reason_code === journalLost || attempt?.reason_code === serviceRestored) &&
      report.outcome === 'not_started' &&
      report.evidence.kind === 'journal'
    ) {
      return false
    }
    const now = context.clock.now()
    const happened = attempt && timeInLife(attempt, report, { now, hubAheadMs })
    const claim = {
      ...(attempt?.phase === 'confirmed' ? asSeenRunning(report) : report),
      ...(happened && { happened }),
    }
    const stopper = claim.outcome === 'cancelled' ? await findStopperOf(sql, accountId, claim.attempt_id) : undefined
    const work = workIn(sql, { accountId, actor: stopper ?? `hub:${hubId}`, now })
    return settleAttemptIn(context, work, report.attempt_id, withStopper(claim, stopper))
  })
  // A printer may have shown that it paused, or that something else runs, before it was known what ran there.
  const isSeen = report.phase === 'confirmed' || report.phase === 'finished'
  if (isSettled && isSeen) await followPrinter(context, report.printer_id)
}

/**
 * Answers when the print of an attempt began or ended, as its hub tells. What never began has no such time: its job is queued again when
 * the service learns of it.
 */
function timeInLife(
  { reserved_at, confirmed_at, seen_at }: AttemptRow,
  { phase, outcome, happened_at }: AttemptReport,
  clocks: { now: Date; hubAheadMs: number },
): ReportTime | undefined {
  if (phase === 'confirmed' && outcome === null) return timeOfReport(happened_at, { ...clocks, notBefore: reserved_at })
  if (outcome !== 'done' && outcome !== 'failed' && outcome !== 'cancelled') return undefined
  const known = [reserved_at, confirmed_at, seen_at].map((at) => at?.getTime() ?? 0)
  return timeOfReport(happened_at, { ...clocks, notBefore: new Date(Math.max(...known)) })
}

/**
 * Says why a print was cancelled where the hub that reports it does not: `stopper` asked for it, whose command the hub answers later. A print
 * that was cancelled without a command was stopped at the printer.
 */
function withStopper(claim: AttemptClaim, stopper: string | undefined): AttemptClaim {
  if (claim.outcome !== 'cancelled') return claim
  const saying = (code: string, sentence: string) => ({
    reason_code: claim.reason_code ?? code,
    evidence: { ...claim.evidence, detail: claim.evidence.detail ?? sentence },
  })
  if (stopper !== undefined) return { ...claim, ...saying(stopped, stoppedDetail) }
  if (claim.evidence.kind !== 'telemetry') return claim
  return { ...claim, ...saying('STOPPED_AT_PRINTER', 'Stopped at the printer, not by this service') }
}

/**
 * What was seen running did begin. A hub whose journal knows nothing of it, because it was lost or is that of another machine,
 * cannot tell how it ends: its fate is unknown, and evidence or a person settles it.
 */
function asSeenRunning(report: AttemptReport): AttemptReport {
  // Of a hub that was seen to have lost its journal, the claim is in doubt already.
  const isDoubt = report.outcome === 'unknown' && report.reason_code === journalLost
  if (report.evidence.kind !== 'journal' || (report.outcome !== 'not_started' && !isDoubt)) return report
  return {
    ...report,
    phase: 'confirmed',
    outcome: 'unknown',
    reason_code: journalLost,
    evidence: {
      kind: 'journal',
      run_id: null,
      detail: 'The print was seen running, and the hub has no record of it any more; how it ended is not known',
    },
  }
}

/**
 * While an attempt holds a printer, a run that is not known to be ours is not judged, because it may turn out to be. Now
 * that the attempt is over, whatever still runs there lies on the plate too.
 */
async function lookAtPlate(context: Context, accountId: AccountId, attemptId: AttemptId): Promise<void> {
  const attempt = await findAttempt(context.db.sql, accountId, attemptId)
  if (attempt) await followPrinter(context, attempt.printer_id)
}

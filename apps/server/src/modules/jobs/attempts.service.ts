import type { AttemptReport } from '@printyard/protocol/attempt'
import type { Context } from '../../context.ts'
import type { Sql } from '../../db/database.ts'
import { recordEvent } from '../events/events.queries.ts'
import { creditJobUnits } from '../inventory/stock-ledger.ts'
import { type AttemptEffect, applyReport, leavesPlateOccupied } from './attempt-state.ts'
import {
  type AttemptRow,
  addPrintTime,
  lockAttempt,
  lockJobOfAttempt,
  noteJobReason,
  occupyPlate,
  updateAttempt,
  updateJobProgress,
} from './attempts.queries.ts'
import { jobProgress } from './job-state.ts'

/** Why the fate of an attempt is unknown: the journal of its hub, which alone could tell, is gone. */
export const journalLost = 'JOURNAL_LOST'

/** A claim about an attempt, from its hub or from an order that showed its effect. */
export type AttemptClaim = Pick<AttemptReport, 'phase' | 'outcome' | 'evidence' | 'reason_code'> & {
  /** Who says so, as in `Actor.label`. */
  actor: string
}

/**
 * Applies a claim to an attempt, its job and its printer in one transaction. Repeated, late and contradictory claims
 * change nothing. False when it changed nothing.
 */
export async function settleAttempt(
  context: Context,
  accountId: string,
  attemptId: string,
  claim: AttemptClaim,
): Promise<boolean> {
  return context.db.begin((sql) => settleAttemptIn(context, sql, accountId, attemptId, claim))
}

/** As `settleAttempt`, inside a transaction of the caller. */
export async function settleAttemptIn(
  context: Context,
  sql: Sql,
  accountId: string,
  attemptId: string,
  claim: AttemptClaim,
): Promise<boolean> {
  const attempt = await lockAttempt(sql, accountId, attemptId)
  if (!attempt) {
    context.log.warn({ attempt_id: attemptId, actor: claim.actor }, 'a report about an unknown attempt was ignored')
    return false
  }
  const change = applyReport(attempt, claim)
  if (change.kind === 'ignored') {
    if (change.why === 'contradictory') {
      context.log.warn({ attempt_id: attemptId, from: attempt, to: claim }, 'a contradictory report was ignored')
    }
    return false
  }
  const at = context.clock.now()
  await updateAttempt(sql, accountId, attemptId, {
    ...change.to,
    reason_code: claim.reason_code,
    evidence: claim.evidence,
    at,
  })
  await applyEffect(sql, accountId, attempt, change.effect, claim, at)
  return true
}

/** A report from a hub. One about an attempt of another hub is the hub's mistake and changes nothing. */
export async function recordAttemptReport(
  context: Context,
  accountId: string,
  hubId: string,
  report: AttemptReport,
): Promise<void> {
  await context.db.begin(async (sql) => {
    const attempt = await lockAttempt(sql, accountId, report.attempt_id)
    if (attempt && (attempt.hub_id !== hubId || attempt.fence !== report.fence)) {
      context.log.warn({ hub_id: hubId, report, attempt }, 'a report about an attempt of another order was ignored')
      return
    }
    // The hub that was given the order lost its journal since: that the present one knows nothing of it proves nothing.
    if (
      attempt?.reason_code === journalLost &&
      report.outcome === 'not_started' &&
      report.evidence.kind === 'journal'
    ) {
      return
    }
    await settleAttemptIn(context, sql, accountId, report.attempt_id, { ...report, actor: `hub:${hubId}` })
  })
}

async function applyEffect(
  sql: Sql,
  accountId: string,
  attempt: AttemptRow,
  effect: AttemptEffect,
  claim: AttemptClaim,
  at: Date,
): Promise<void> {
  if (effect === 'none') return
  const job = await lockJobOfAttempt(sql, accountId, attempt.job_id)
  if (!job) throw new Error(`attempt ${attempt.id} has no job`)
  const note = (type: string, data: Record<string, unknown> = {}) =>
    recordEvent(sql, accountId, {
      type,
      subjectId: attempt.job_id,
      data: { printer_id: attempt.printer_id, attempt_id: attempt.id, plate: attempt.plate_number, ...data },
      actor: claim.actor,
    })
  if (effect === 'fate_unknown') {
    // The job stays where it is; whoever looks at it should see why nothing moves.
    await noteJobReason(sql, accountId, attempt.job_id, claim.evidence.detail ?? claim.reason_code, at)
    return note('job.fate_unknown', { detail: claim.evidence.detail })
  }

  if (effect === 'print_confirmed' || leavesPlateOccupied(attempt.phase, claim.outcome ?? 'failed')) {
    await occupyPlate(sql, accountId, attempt.printer_id, {
      jobId: attempt.job_id,
      reason: 'print_started',
      by: claim.actor,
      at: attempt.confirmed_at ?? at,
    })
  }
  const startedAt = job.time_started ?? at
  const unchanged = {
    plates_done: job.plates_done,
    progress_percentage: jobProgress(job.plates_done, job.plates_total, 0),
    failure_reason: null,
    time_started: job.time_started,
    time_completed: null,
    actual_print_time_minutes: null,
  }
  if (effect === 'print_confirmed') {
    await updateJobProgress(sql, accountId, attempt.job_id, {
      ...unchanged,
      status: 'printing',
      time_started: startedAt,
    })
    return note('job.started')
  }
  if (attempt.confirmed_at) {
    const seconds = Math.max(0, Math.round((at.getTime() - attempt.confirmed_at.getTime()) / 1000))
    await addPrintTime(sql, accountId, attempt.printer_id, seconds)
  }
  const ended = {
    ...unchanged,
    time_completed: at,
    actual_print_time_minutes: job.time_started
      ? Math.ceil((at.getTime() - job.time_started.getTime()) / 60_000)
      : null,
  }
  const reason = claim.evidence.detail ?? claim.reason_code
  switch (effect) {
    case 'back_to_queue':
      await updateJobProgress(sql, accountId, attempt.job_id, {
        ...unchanged,
        status: 'queued',
        failure_reason: reason,
      })
      return note('job.not_started', { reason })
    case 'print_cancelled':
      await updateJobProgress(sql, accountId, attempt.job_id, { ...ended, status: 'cancelled', failure_reason: reason })
      return note('job.cancelled', { reason })
    case 'print_failed':
      await updateJobProgress(sql, accountId, attempt.job_id, { ...ended, status: 'failed', failure_reason: reason })
      return note('job.failed', { reason, reason_code: claim.reason_code })
    case 'plate_done': {
      const platesDone = job.plates_done + 1
      const isLast = platesDone >= job.plates_total
      await updateJobProgress(sql, accountId, attempt.job_id, {
        ...(isLast ? ended : unchanged),
        status: isLast ? 'completed' : 'queued',
        plates_done: platesDone,
        progress_percentage: jobProgress(platesDone, job.plates_total, 0),
        time_started: startedAt,
      })
      if (isLast && job.product_sku_id) {
        await creditJobUnits(sql, accountId, {
          jobId: attempt.job_id,
          skuId: job.product_sku_id,
          units: job.number_of_units,
          requiresAssembly: job.requires_assembly,
          actor: claim.actor,
        })
      }
      return note(isLast ? 'job.completed' : 'job.plate_completed', { plates_done: platesDone })
    }
  }
}

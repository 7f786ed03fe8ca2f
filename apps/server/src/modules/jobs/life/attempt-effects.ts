import { newId } from '../../../kernel/ids.ts'
import { type AttemptEffect, leavesPlateOccupied } from '../../attempts/attempt-state.ts'
import {
  type AttemptRow,
  type ClaimEvidence,
  type JobOfAttempt,
  lockJobOfAttempt,
} from '../../attempts/attempts.queries.ts'
import { type Work, workBy } from '../../events/work.ts'
import { failureTypeOf } from '../../failures/failure-type.ts'
import { insertFailure } from '../../failures/failures.queries.ts'
import { pictureWantedUntil } from '../../failures/picture-moment.ts'
import { occupyPlate } from '../../printers/plate/plate.queries.ts'
import { addPrintTime } from '../../printers/state/printer-state.queries.ts'
import { type JobStatus, jobProgress } from '../job-state.ts'
import { claimStatus } from '../jobs.queries.ts'
import { ejectPlate } from '../plates/ejected-plate.ts'
import { askForMaintenanceWhenDue } from '../plates/maintenance-due.ts'
import { askToClearPlate, doubtPlate } from '../plates/plate.ts'
import { type JobProgressChange, updateJobProgress, updateJobReason, withNotes } from '../state/job-progress.queries.ts'
import { creditJob, creditPlatesDone } from './credit-job.ts'
import { type ReportTime, timeIfLate } from './report-time.ts'
import { refusalSentences } from './request-ejection.ts'

interface Cause {
  outcome: string | null
  with_ejection?: boolean
  evidence: ClaimEvidence
  reason_code: string | null
  /** Mark that stands for everything printed on the printer, this run included; null when that is not known. */
  run_mark: string | null
  /** The attempt is confirmed now, whether by this change or before. */
  wasSeenRunning: boolean
}

/** The hub saw that something was printed since the plate was cleared. */
const plateChanged = 'PLATE_CHANGED'

/** What a change of an attempt means for its job, its printer, the stock and the people, in the transaction of the change. */
export async function applyEffect(
  work: Work,
  attempt: AttemptRow,
  effect: AttemptEffect,
  cause: Cause,
  happened: ReportTime,
): Promise<void> {
  const { sql, accountId, now: at } = work
  if (effect === 'none') return
  const job = await lockJobOfAttempt(sql, accountId, attempt.job_id)
  if (!job) throw new Error(`attempt ${attempt.id} has no job`)
  const ofAttempt = { printer_id: attempt.printer_id, attempt_id: attempt.id, plate: attempt.plate_number }
  if (effect === 'fate_unknown') {
    // The job stays where it is; anyone who looks at it should see why nothing moves.
    await updateJobReason(work, attempt.job_id, cause.evidence.detail ?? cause.reason_code)
    // Nothing shows any more that its printer has paused. A run that was seen, and lost before this was reported, did start.
    const from: JobStatus[] = cause.wasSeenRunning ? ['paused', 'processing'] : ['paused']
    await claimStatus(sql, accountId, attempt.job_id, from, 'printing', at)
    if (cause.wasSeenRunning && !attempt.confirmed_at) {
      const seen = { jobId: attempt.job_id, at: happened.at, reason: 'print_started' } as const
      await occupyPlate(work, attempt.printer_id, seen)
    }
    const { detail } = cause.evidence
    return work.record({ type: 'job.fate_unknown', subjectId: attempt.job_id, data: { ...ofAttempt, detail } })
  }
  const outcome = outcomes[effect]
  const isBegun = effect === 'print_confirmed' || effect === 'taken_back'
  const isPlateUsed = isBegun || leavesPlateOccupied(attempt.phase, outcome)
  const timed = timedData(at, happened)
  if (isPlateUsed) {
    await occupyPlate(work, attempt.printer_id, {
      jobId: attempt.job_id,
      ...(isBegun
        ? { at: attempt.confirmed_at ?? happened.at, reason: 'print_started' }
        : { at: happened.at, reason: plateReasons[outcome] }),
    })
  }
  if (isBegun) {
    const started = { ...unchanged(job), status: 'printing', time_started: job.time_started ?? happened.at } as const
    await updateJobProgress(work, attempt.job_id, started)
    const data = { ...ofAttempt, ...(effect === 'taken_back' && { taken_back: true }), ...timed }
    return work.record({ type: 'job.started', subjectId: attempt.job_id, data })
  }
  await recordPrintTime(work, attempt, happened.at)
  const reason = cause.evidence.detail ?? cause.reason_code
  const notes = 'notes' in cause.evidence ? cause.evidence.notes : undefined
  const end = endOf(effect, job, withNotes(reason, notes), happened.at)
  await updateJobProgress(work, attempt.job_id, end.change)
  if (end.change.status === 'completed') {
    await creditJob(work, attempt.job_id, timeIfLate(happened, at))
  } else if (end.change.status === 'cancelled' || end.change.status === 'failed') {
    await creditPlatesDone(work, attempt.job_id, end.change.plates_done, timeIfLate(happened, at))
  }
  if (isEjected(attempt, effect, cause)) {
    // A mark that no printer tells: the next report is another one, and a person looks.
    const mark = cause.run_mark ?? `ejected ${attempt.id}`
    await ejectPlate(work, attempt, mark)
  } else if (outcome === 'not_started' && cause.reason_code === plateChanged) {
    const sentence = reason ?? 'Something else was printed'
    await doubtPlate(work, attempt.printer_id, { reason: 'plate_changed', sentence })
  } else if (isPlateUsed) {
    const what = job.product_name ? [job.product_name, job.sku_name].filter(Boolean).join(', ') : job.file_name
    const kind = outcome === 'done' ? 'done' : 'failed'
    await askToClearPlate(work, attempt.printer_id, { kind, what, note: noteOf(attempt) })
  }
  if (isPlateUsed && (outcome === 'failed' || outcome === 'cancelled')) {
    const told = outcome === 'cancelled' ? attempt.stop_type : null
    await insertFailure(sql, accountId, {
      id: newId('printFailure', at.getTime()),
      job_id: attempt.job_id,
      attempt_id: attempt.id,
      printer_id: attempt.printer_id,
      type: told ?? failureTypeOf(outcome, cause.reason_code),
      typed_by_person: told !== null,
      reason_code: cause.reason_code,
      reason,
      notes: notes ?? '',
      occurred_at: happened.at,
      picture_wanted_until: pictureWantedUntil(happened.at, at),
    })
  }
  // A cancel that waited for the hub ends the job whatever the hub reports.
  const canceller = end.event === 'job.cancelled' ? job.cancel_requested_by : null
  const { plates_done } = end.change
  await workBy(work, canceller ?? work.actor).record({
    type: end.event,
    subjectId: attempt.job_id,
    data: { ...ofAttempt, reason, reason_code: cause.reason_code, plates_done, ...timed },
  })
}

/**
 * Only a print whose command has its ejection, that the hub says it has sent so, and whose own run the printer was seen
 * to have ended well, has pushed itself off. The word of a person counts for the units, not for the plate.
 */
function isEjected(attempt: AttemptRow, effect: AttemptEffect, cause: Cause): boolean {
  return (
    effect === 'plate_done' &&
    attempt.ejection === 'ordered' &&
    cause.with_ejection === true &&
    cause.evidence.kind === 'telemetry'
  )
}

function noteOf({ ejection }: AttemptRow): string | undefined {
  if (ejection === null) return undefined
  return ejection === 'ordered' ? 'The print did not end by its own ejection.' : refusalSentences[ejection]
}

const plateReasons = {
  done: 'print_done',
  failed: 'print_failed',
  cancelled: 'print_cancelled',
  not_started: 'print_started',
} as const

type EndEffect = Exclude<AttemptEffect, 'none' | 'fate_unknown' | 'print_confirmed' | 'taken_back'>

const outcomes = {
  print_confirmed: 'done',
  taken_back: 'done',
  plate_done: 'done',
  print_failed: 'failed',
  print_cancelled: 'cancelled',
  back_to_queue: 'not_started',
} as const

type EndEvent = 'job.cancelled' | 'job.failed' | 'job.not_started' | 'job.completed' | 'job.plate_completed'

/** Answers where the job stands after its attempt. A cancel that was asked for wins over everything but the end of the whole job. */
function endOf(
  effect: EndEffect,
  job: JobOfAttempt,
  reason: string | null,
  at: Date,
): { change: JobProgressChange; event: EndEvent } {
  const rest = unchanged(job)
  const ended = { ...rest, ...endTimes(job, at), failure_reason: reason }
  const isCancelled = job.cancel_requested_at !== null
  const cancelled = { change: { ...ended, status: 'cancelled' as const }, event: 'job.cancelled' as const }
  switch (effect) {
    case 'print_cancelled':
      return cancelled
    case 'print_failed':
      if (isCancelled) return cancelled
      return {
        change: { ...ended, status: 'failed', failure_reason: reason ?? 'The printer gave no reason' },
        event: 'job.failed',
      }
    case 'back_to_queue':
      if (isCancelled) return cancelled
      return { change: { ...rest, status: 'queued', failure_reason: reason }, event: 'job.not_started' }
    case 'plate_done': {
      const platesDone = job.plates_done + 1
      const done = {
        plates_done: platesDone,
        progress_percentage: jobProgress(platesDone, job.plates_total, 0),
        time_started: job.time_started ?? at,
      }
      if (platesDone >= job.plates_total) {
        return { change: { ...ended, ...done, failure_reason: null, status: 'completed' }, event: 'job.completed' }
      }
      if (isCancelled) return { ...cancelled, change: { ...cancelled.change, ...done } }
      return { change: { ...rest, ...done, status: 'queued' }, event: 'job.plate_completed' }
    }
  }
}

function unchanged(job: JobOfAttempt) {
  return {
    plates_done: job.plates_done,
    progress_percentage: jobProgress(job.plates_done, job.plates_total, 0),
    failure_reason: null,
    time_started: job.time_started,
    time_completed: null,
    actual_print_time_minutes: null,
  }
}

/** Answers when a job ended, and how long that was after its first start; minutes are rounded up. */
export function endTimes(job: Pick<JobOfAttempt, 'time_started'>, at: Date) {
  return {
    time_completed: at,
    actual_print_time_minutes: job.time_started
      ? Math.ceil((at.getTime() - job.time_started.getTime()) / 60_000)
      : null,
  }
}

/** Data of an event that is recorded later than what it tells of: when that was, or why the time of the hub was not taken. */
function timedData(at: Date, happened: ReportTime): { happened_at?: string; time_note?: string } {
  if (happened.note !== null) return { time_note: happened.note }
  const late = timeIfLate(happened, at)
  return late === null ? {} : { happened_at: late.toISOString() }
}

async function recordPrintTime(work: Work, attempt: AttemptRow, endedAt: Date): Promise<void> {
  if (!attempt.confirmed_at) return
  const seconds = Math.max(0, Math.round((endedAt.getTime() - attempt.confirmed_at.getTime()) / 1000))
  await addPrintTime(work.sql, work.accountId, attempt.printer_id, seconds)
  await askForMaintenanceWhenDue(work, attempt.printer_id)
}

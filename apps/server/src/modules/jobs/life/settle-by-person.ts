import type { Context } from '../../../context/context.ts'
import type { Begin } from '../../../http/idempotency.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { JobId } from '../../../kernel/ids.ts'
import {
  type AttemptRow,
  findLiveAttemptOfJob,
  lockAttempt,
  lockJobOfAttempt,
} from '../../attempts/attempts.queries.ts'
import { type Work, workOf } from '../../events/work.ts'
import { sendClearedPlate } from '../../printers/send-settings.ts'
import { findJob } from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { clearPlate, doubtPlate, lockPlate } from '../plates/plate.ts'
import { noRejects } from '../plates/rejected-units.ts'
import type { Sighting } from '../sightings.ts'
import { updateJobProgress, writePrintTime } from '../state/job-progress.queries.ts'
import { endTimes } from './attempt-effects.ts'
import { settleAttemptIn } from './attempts.service.ts'
import { creditJob } from './credit-job.ts'
import { followPrinter } from './follow-printer.ts'
import { isOutOfReach, releaseAttempt } from './seen-over.ts'

const meanings = {
  printed: { outcome: 'done', reason: 'SEEN_PRINTED', detail: 'A person saw that it was printed' },
  failed: { outcome: 'failed', reason: 'SEEN_FAILED', detail: 'A person saw that it failed' },
  not_started: { outcome: 'not_started', reason: 'SEEN_NOT_STARTED', detail: 'A person saw that it never began' },
} as const

/** What a person says of a plate that they looked at. */
interface SeenPlate {
  outcome: Sighting
  notes?: string
  /** The plate is empty now; left out, it is asked about. */
  plate_is_clear?: boolean
}

/**
 * A person answers what became of a plate whose fate the service cannot find out: after a start of unknown fate, or while
 * the printer or its hub is out of reach. `printed` ends the plate as good, `failed` the job, `not_started` queues the job
 * again. What runs in sight of its hub speaks for itself: JOB_STATE_CHANGED. That something never began is taken only of a
 * start of unknown fate: a hub that is merely away may still begin. Without the word that the plate is clear nothing starts on it.
 */
export async function resolveJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  { outcome, notes, plate_is_clear: isClear = false }: SeenPlate,
  begin: Begin,
): Promise<void> {
  const { accountId } = actor
  const settled = await begin(async (sql) => {
    const work = workOf(context, actor, sql)
    const attempt = await lockUnseenAttempt(context, work, jobId, 'resolve')
    if (outcome === 'not_started' && (attempt.outcome !== 'unknown' || attempt.phase === 'confirmed')) {
      throw jobStateChanged('count as not started', (await getJob(sql, accountId, jobId)).status)
    }
    await settleAsSeen(context, work, attempt, outcome, notes)
    const plate = isClear ? await lockPlate(sql, accountId, attempt.printer_id) : undefined
    if (plate) {
      await clearPlate(context, work, plate, { how: 'person', rejected: noRejects })
    } else if (outcome === 'not_started') {
      await doubtPlate(work, attempt.printer_id, {
        reason: 'seen_not_started',
        sentence: 'A person saw that a print never began, and did not say that the plate is clear',
      })
    }
    return { attempt, plate }
  })
  releaseAttempt(context, settled.attempt)
  await followPrinter(context, settled.attempt.printer_id)
  if (settled.plate) await sendClearedPlate(context, accountId, settled.plate)
}

/**
 * A person says that a job is done: it was printed by hand (queued), is good after all (failed), or was printed out of the
 * service's sight (see `resolveJob`). All its units are credited, but for rejected ones. A plate that it is known to have
 * been printed on is occupied; no other plate changes. How long it took is said by them, or by the clock.
 */
export async function completeJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  { actual_print_time_minutes: minutes }: { actual_print_time_minutes?: number },
  begin: Begin,
): Promise<void> {
  const { accountId } = actor
  const settled = await begin(async (sql) => {
    const work = workOf(context, actor, sql)
    const before = await findJob(sql, accountId, jobId)
    if (!before) throw notFound('job')
    const attempt =
      before.live_attempt_id === null ? undefined : await lockUnseenAttempt(context, work, jobId, 'complete')
    if (attempt) await settleAsSeen(context, work, attempt, 'printed')
    const job = await lockJobOfAttempt(sql, accountId, jobId)
    if (!job) throw notFound('job')
    // The plate was the last one: settling it has completed the job.
    if (attempt && job.status === 'completed') {
      if (minutes !== undefined) await writePrintTime(work, jobId, minutes)
      return attempt
    }
    // After its plate was settled it stands in the queue, and it is done anyway.
    if (!attempt || job.status !== 'queued') refuseUnlessPossible('complete', job)
    if (!attempt && (await findLiveAttemptOfJob(sql, accountId, jobId))) throw jobStateChanged('complete', job.status)
    const completed = {
      status: 'completed',
      plates_done: job.plates_total,
      progress_percentage: 100,
      failure_reason: null,
      time_started: job.time_started,
      ...endTimes(job, work.now),
      ...(minutes !== undefined && { actual_print_time_minutes: minutes }),
    } as const
    await updateJobProgress(work, jobId, completed)
    await creditJob(work, jobId)
    await work.record({
      type: 'job.completed',
      subjectId: jobId,
      data: { by_person: true, previous_status: before.status, plates_done: job.plates_total },
    })
    return attempt
  })
  if (settled) {
    releaseAttempt(context, settled)
    await followPrinter(context, settled.printer_id)
  }
}

/** The attempt that holds a printer for a job, locked, when no one but a person can say what became of it. */
async function lockUnseenAttempt(
  context: Context,
  { sql, accountId }: Work,
  jobId: JobId,
  action: 'resolve' | 'complete',
): Promise<AttemptRow> {
  const job = await getJob(sql, accountId, jobId)
  refuseUnlessPossible(action, job)
  const attempt = job.live_attempt_id && (await lockAttempt(sql, accountId, job.live_attempt_id))
  if (!attempt || attempt.phase === 'finished') {
    throw jobStateChanged(action, (await getJob(sql, accountId, jobId)).status)
  }
  if (attempt.outcome !== 'unknown' && !isOutOfReach(context, accountId, attempt))
    throw jobStateChanged(action, job.status)
  return attempt
}

async function settleAsSeen(
  context: Context,
  work: Work,
  attempt: AttemptRow,
  sighting: Sighting,
  notes?: string,
): Promise<void> {
  const { outcome, reason, detail } = meanings[sighting]
  const isSettled = await settleAttemptIn(context, work, attempt.id, {
    phase: 'finished',
    outcome,
    reason_code: reason,
    evidence: { kind: 'person', run_id: null, detail, ...(notes && { notes }) },
  })
  if (!isSettled) throw jobStateChanged('be settled', 'settled already')
}

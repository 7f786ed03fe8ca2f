import type { Context } from '../../../context/context.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { AccountId, CommandId, JobId, PrinterId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { type AttemptRow, findLiveAttemptOfJob, writeStopType } from '../../attempts/attempts.queries.ts'
import {
  commandError,
  isFateUnknown,
  type NewCommand,
  sendCommand,
  writeCommand,
} from '../../commands/commands.service.ts'
import { workIn, workOf } from '../../events/work.ts'
import type { FailureType } from '../../failures/failure-type.ts'
import { hubAway } from '../../hubs/state/hub-away.ts'
import { claimStatus, type JobDetailRow } from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { settleAttempt, stopped, stoppedDetail } from './attempts.service.ts'
import { followPrinter } from './follow-printer.ts'
import { endAsSeenOver, isOutOfReach, outOfReach, releaseAttempt } from './seen-over.ts'

/** Pausing and resuming are one thing in two directions: claim the state, send, keep it or give it back. */
const turns = {
  pause: { from: 'printing', to: 'paused', event: 'job.paused' },
  resume: { from: 'paused', to: 'printing', event: 'job.resumed' },
} as const

/** What a person who stops a print says of it. */
export interface StopWords {
  /** They looked: it is over. */
  seenOver?: boolean
  /** Failure; the record of the failure takes it over. */
  failureType?: FailureType | null
}

/** A job, with when its printer carries the command out where it has taken it and does so later. */
export type CommandedRow = JobDetailRow & { pending?: string }

/** The job after a command, and the command that was sent. */
interface CommandedJob {
  job: CommandedRow
  /** Null when nothing had to be sent. */
  commandId: CommandId | null
}

export function pauseJob(context: Context, actor: Actor, jobId: JobId): Promise<CommandedJob> {
  return turnJob(context, actor, jobId, 'pause')
}

export function resumeJob(context: Context, actor: Actor, jobId: JobId): Promise<CommandedJob> {
  return turnJob(context, actor, jobId, 'resume')
}

/**
 * Claims the new status in one statement, so that of many simultaneous requests one sends the command; success keeps
 * it, failure gives it back, and so does a printer that carries it out later. Either way the job then follows what the printer
 * shows: it is paused only when the printer has paused, whatever was asked for and answered.
 */
async function turnJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  action: keyof typeof turns,
): Promise<CommandedJob> {
  const { accountId } = actor
  const { from, to, event } = turns[action]
  const command = await commandTo(context, actor, jobId, action)
  const written = await context.db
    .beginFor(accountId, async (sql) => {
      if (!(await claimStatus(sql, accountId, jobId, [from], to, context.clock.now()))) return undefined
      return writeCommand(context, sql, accountId, command)
    })
    .catch(refuseSecondCommand(context, accountId, jobId, action))
  if (!written) throw jobStateChanged(action, (await getJob(context.db.sql, accountId, jobId)).status)

  const sentAt = context.clock.now()
  const answer = await sendCommand(context, accountId, command, written)
  if (answer.kind === 'succeeded' && answer.pending !== undefined) {
    await claimStatus(context.db.sql, accountId, jobId, [to], from, context.clock.now())
    await followPrinter(context, command.printerId)
    return { job: await getPendingJob(context, accountId, jobId, answer.pending), commandId: written.commandId }
  }
  if (answer.kind === 'succeeded') {
    await followNewerReport(context, command.printerId, sentAt)
    const work = workIn(context.db.sql, { accountId, actor: actor.label, now: context.clock.now() })
    await work.record({ type: event, subjectId: jobId, data: { printer_id: command.printerId } })
    return { job: await getJob(context.db.sql, accountId, jobId), commandId: written.commandId }
  }
  await claimStatus(context.db.sql, accountId, jobId, [to], from, context.clock.now())
  if (isFateUnknown(answer)) await followPrinter(context, command.printerId)
  else await followNewerReport(context, command.printerId, sentAt)
  // Sent again as it is, it would be refused again.
  if (answer.kind === 'refused' && (answer.code === 'WRONG_STATE' || answer.code === 'WRONG_RUN')) {
    const { status } = await getJob(context.db.sql, accountId, jobId)
    const message = `The printer cannot do that now: ${answer.message}.`
    throw new AppError('JOB_STATE_CHANGED', {}, { message, details: { status, reason: answer.code.toLowerCase() } })
  }
  throw commandError(answer)
}

/**
 * What the printer showed while its answer was waited for was not followed. A report from before the command says nothing; the
 * ones after it tell what came of it, and of what happened at the printer meanwhile.
 */
async function followNewerReport(context: Context, printerId: PrinterId, sentAt: Date): Promise<void> {
  const reportedAt = context.printers.find(printerId)?.reportedAt
  if (reportedAt && reportedAt >= sentAt) await followPrinter(context, printerId)
}

/**
 * Stops what a printer does for a job. The job is over when the printer shows it, or was never started. A start whose fate
 * no one found out is given up here by a person, once the printer is seen idle; and what runs on a printer that is out of
 * reach, by the words of a person who looked (`seenOver`). Where the printer can be seen these words count for nothing.
 * @throws AppError PRINTER_OUT_OF_REACH when the printer does not answer its hub, and those words are missing.
 */
export async function stopJob(
  context: Context,
  actor: Actor,
  jobId: JobId,
  { seenOver = false, failureType = null }: StopWords = {},
): Promise<CommandedJob> {
  const { accountId } = actor
  await writeStopType(context.db.sql, accountId, jobId, failureType)
  const lost = await findLostRun(context, accountId, jobId)
  if (lost) return giveUp(context, actor, jobId, lost)
  const unseen = await findUnseenRun(context, accountId, jobId)
  if (unseen && seenOver) return endUnseen(context, actor, jobId, unseen)
  const { attempt } = await commandTo(context, actor, jobId, 'stop')
  if (unseen) throw outOfReach('be stopped')
  try {
    const { commandId, pending } = await stopAttempt(context, actor, attempt)
    return { job: await getPendingJob(context, accountId, jobId, pending), commandId }
  } catch (error) {
    // A command that was on its way a moment ago, which its hub could not take back.
    if (
      !isOutOfReach(context, accountId, attempt) ||
      !(error instanceof AppError) ||
      error.code !== 'HUB_COMMAND_FAILED'
    )
      throw error
    if (!seenOver) throw new AppError('PRINTER_OUT_OF_REACH', { action: 'be stopped' }, { cause: error })
    return endUnseen(context, actor, jobId, attempt)
  }
}

/** The attempt of a job that its printer may be printing, where no one but a person can see it. */
async function findUnseenRun(context: Context, accountId: AccountId, jobId: JobId): Promise<AttemptRow | undefined> {
  const attempt = await findLiveAttemptOfJob(context.db.sql, accountId, jobId)
  const mayRun = attempt?.phase === 'starting' || attempt?.phase === 'confirmed'
  return mayRun && isOutOfReach(context, accountId, attempt) ? attempt : undefined
}

async function endUnseen(
  context: Context,
  actor: Actor,
  jobId: JobId,
  attempt: Pick<AttemptRow, 'id' | 'printer_id' | 'hub_id'>,
): Promise<CommandedJob> {
  await context.db.beginFor(actor.accountId, (sql) => endAsSeenOver(context, workOf(context, actor, sql), attempt.id))
  releaseAttempt(context, attempt)
  return { job: await getJob(context.db.sql, actor.accountId, jobId), commandId: null }
}

async function getPendingJob(context: Context, accountId: AccountId, jobId: JobId, pending: string | undefined) {
  const job = await getJob(context.db.sql, accountId, jobId)
  return pending === undefined ? job : { ...job, pending }
}

/**
 * Sends the stop of one attempt and settles it as cancelled when the printer shows it; a stop that the printer carries out later
 * is settled by the report of its hub.
 */
export async function stopAttempt(
  context: Context,
  { accountId, label: by }: Pick<Actor, 'accountId' | 'label'>,
  attempt: Pick<AttemptRow, 'id' | 'job_id' | 'printer_id' | 'hub_id'>,
): Promise<{ commandId: CommandId; pending: string | undefined }> {
  const command: NewCommand<'stop'> = {
    printerId: attempt.printer_id,
    hubId: attempt.hub_id,
    jobId: attempt.job_id,
    attemptId: attempt.id,
    kind: 'stop',
    args: { attempt_id: attempt.id },
    actor: by,
  }
  const written = await context.db
    .beginFor(accountId, (sql) => writeCommand(context, sql, accountId, command))
    .catch(refuseSecondCommand(context, accountId, attempt.job_id, 'stop'))
  const answer = await sendCommand(context, accountId, command, written)
  if (answer.kind !== 'succeeded') throw commandError(answer)
  if (answer.pending !== undefined) return { commandId: written.commandId, pending: answer.pending }
  // The hub's own report says the same and may arrive before or after: whichever comes second changes nothing.
  await settleAttempt(context, accountId, attempt.id, {
    phase: 'finished',
    outcome: 'cancelled',
    reason_code: stopped,
    evidence: { kind: 'telemetry', run_id: null, detail: stoppedDetail },
    actor: by,
  })
  return { commandId: written.commandId, pending: undefined }
}

/** The attempt of a job whose fate is unknown while its printer is seen doing nothing. */
async function findLostRun(context: Context, accountId: AccountId, jobId: JobId): Promise<AttemptRow | undefined> {
  const attempt = await findLiveAttemptOfJob(context.db.sql, accountId, jobId)
  if (attempt?.outcome !== 'unknown') return undefined
  const { live } = findOwnLive(context, accountId, { id: attempt.printer_id, hub_id: attempt.hub_id })
  return live?.state.status === 'idle' ? attempt : undefined
}

async function giveUp(context: Context, actor: Actor, jobId: JobId, attempt: AttemptRow): Promise<CommandedJob> {
  await settleAttempt(context, actor.accountId, attempt.id, {
    phase: 'finished',
    outcome: 'cancelled',
    reason_code: 'GIVEN_UP',
    evidence: { kind: 'telemetry', run_id: null, detail: 'Given up by a person; the printer was idle' },
    actor: actor.label,
  })
  releaseAttempt(context, attempt)
  return { job: await getJob(context.db.sql, actor.accountId, jobId), commandId: null }
}

async function commandTo(
  context: Context,
  actor: Actor,
  jobId: JobId,
  kind: 'pause' | 'resume' | 'stop',
): Promise<NewCommand<'pause' | 'resume' | 'stop'> & { attempt: AttemptRow }> {
  const job = await getJob(context.db.sql, actor.accountId, jobId)
  refuseUnlessPossible(kind, job)
  if (!job.printer_id) throw new AppError('NO_PRINTER_ASSIGNED')
  const attempt = await findLiveAttemptOfJob(context.db.sql, actor.accountId, jobId)
  if (!attempt) throw jobStateChanged(kind, (await getJob(context.db.sql, actor.accountId, jobId)).status)
  await context.hubs.waitForReturn(attempt.hub_id, attempt.printer_id)
  if (!context.hubs.isOnline(attempt.hub_id)) throw hubAway(context)
  return {
    printerId: attempt.printer_id,
    hubId: attempt.hub_id,
    jobId,
    attemptId: attempt.id,
    kind,
    args: { attempt_id: attempt.id },
    actor: actor.label,
    attempt,
  }
}

/** The same command is under way already; `details.status` is that of the job anyway. */
function refuseSecondCommand(context: Context, accountId: AccountId, jobId: JobId, action: string) {
  return async (error: unknown): Promise<never> => {
    if (!isUniqueViolation(error, 'commands_under_way_key')) throw error
    const { status } = await getJob(context.db.sql, accountId, jobId)
    throw new AppError('JOB_STATE_CHANGED', { status: `already about to ${action}`, action }, { details: { status } })
  }
}

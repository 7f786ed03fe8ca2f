import type { Context } from '../../../context/context.ts'
import { isUniqueViolation } from '../../../db/database-errors.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { findOwnLive } from '../../../live/own-printer.ts'
import { reservePrinter } from '../../attempts/attempts.queries.ts'
import { writeOrder } from '../../commands/commands.service.ts'
import { isSameModel } from '../../printers/models/printer-models.ts'
import { judgePlate } from '../../printers/plate/plate-judgement.ts'
import { findJobToStart, type JobDetailRow, type JobToStart } from '../jobs.queries.ts'
import { getJob, jobStateChanged, refuseUnlessPossible } from '../jobs.service.ts'
import { type EjectionOrder, orderEjection } from './order-ejection.ts'
import { fileToPrint, sendStart } from './send-start.ts'

/** What keeps a printer from taking a job; `details.reason` of PRINTER_UNAVAILABLE. */
export type UnavailableReason =
  | 'inactive'
  | 'in_maintenance'
  | 'plate_not_clear'
  | 'offline'
  | 'busy'
  | 'error'
  | 'not_reported_yet'

const unavailableSentences: Record<UnavailableReason, string> = {
  inactive: 'it is switched off in the settings',
  in_maintenance: 'it is in maintenance',
  plate_not_clear: 'its plate is not clear; take the print off and clear the plate',
  offline: 'its hub cannot reach it',
  busy: 'it is busy',
  error: 'it reports an error',
  not_reported_yet: 'its hub has not reported it yet',
}

/** The ways in which a job can be on its way to a printer. */
interface PrinterTarget {
  printerId: string
  hubId: string
  ejection: EjectionOrder
}

/**
 * Sends the next plate of a queued job to its printer. The printer is reserved in one statement before anything is sent;
 * the answer comes when the hub has the order on its own record, and what becomes of it arrives as reports.
 */
export async function startJob(context: Context, actor: Actor, jobId: string): Promise<JobDetailRow> {
  const { accountId } = actor
  const job = await findJobToStart(context.db.sql, accountId, jobId)
  if (!job) throw notFound('job')
  refuseUnlessPossible('start', job)
  const { ejection, ...target } = checkPrinter(context, accountId, job)

  const attemptId = newId('attempt')
  const file = fileToPrint(context, accountId, target.hubId, job)
  const { order, written } = await context.db
    .begin(async (sql) => {
      const attempt = {
        id: attemptId,
        job_id: jobId,
        plate_number: job.plates_done + 1,
        printer_id: target.printerId,
        hub_id: target.hubId,
        file_version_id: job.file_version_id,
        actor: actor.label,
        ejection: ejection.ejection,
      }
      const reserved = await reservePrinter(sql, accountId, attempt, context.clock.now())
      // Another request was faster: the job left the queue, or the printer its readiness.
      if (!reserved) throw jobStateChanged('start', 'no longer ready')
      // What the printer shows at this moment may not have reached the record of its plate yet.
      const live = context.printers.find(target.printerId)
      if (live && judgePlate(reserved, live.state)) throw unavailable('plate_not_clear')
      const { fence, plate_run_mark: mark } = reserved
      const args = { attempt_id: attemptId, file, ...(mark !== null && { run_mark: mark }), ...ejection.args }
      const order = { ...target, jobId, attemptId, kind: 'print' as const, args, actor: actor.label }
      // The order travels under the fence of its attempt, so that the hub can tell them apart by one number.
      const written = { ...(await writeOrder(context, sql, accountId, order, context.timeouts.startMs)), fence }
      return { order, written }
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error, 'attempts_live_printer_key')) throw unavailable('busy')
      if (isUniqueViolation(error, 'attempts_live_job_key')) throw jobStateChanged('start', 'processing')
      throw error
    })

  await sendStart(context, accountId, order, written)
  return getJob(context.db.sql, accountId, jobId)
}

function checkPrinter(context: Context, accountId: string, job: JobToStart): PrinterTarget {
  if (!job.printer_id || !job.printer_model || !job.connection_type) throw new AppError('NO_PRINTER_ASSIGNED')
  if (!job.hub_id) throw new AppError('NO_HUB_ASSIGNED')
  if (job.file_model && !isSameModel(job.printer_model, job.file_model)) {
    throw new AppError('PRINTER_MODEL_MISMATCH', { file_model: job.file_model, printer_model: job.printer_model })
  }
  if (!job.is_active) throw unavailable('inactive')
  if (job.in_maintenance) throw unavailable('in_maintenance')
  if (!context.hubs.isOnline(job.hub_id)) throw new AppError('HUB_OFFLINE', {}, { retryAfterSeconds: 10 })
  const { live } = findOwnLive(context, accountId, { id: job.printer_id, hub_id: job.hub_id })
  if (!live) throw unavailable('not_reported_yet')
  if (live.state.status === 'offline') throw unavailable('offline')
  if (live.state.status === 'error') throw unavailable('error')
  if (live.state.status !== 'idle') throw unavailable('busy')
  if (job.plate_state !== 'clear') throw unavailable('plate_not_clear')
  const { printer_model: model, connection_type, ejection_cooldown_temp, ejection_gcode } = job
  const printer = { model, connection_type, ejection_cooldown_temp, ejection_gcode }
  return { printerId: job.printer_id, hubId: job.hub_id, ejection: orderEjection(context, job.hub_id, printer, job) }
}

function unavailable(reason: UnavailableReason): AppError {
  return new AppError('PRINTER_UNAVAILABLE', { why: unavailableSentences[reason] }, { details: { reason } })
}

import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Context } from '../../context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { LivePrinter } from '../../gateway/hub-connections.ts'
import { abandonCommands } from '../commands/commands.queries.ts'
import { recordEvent } from '../events/events.queries.ts'
import {
  doubtPlateUnderEndedRun,
  findLiveAttemptOfPrinter,
  followPrinterStatus,
  occupyPlate,
} from './attempts.queries.ts'
import { claimStatus } from './jobs.queries.ts'

/** How long after a failure a printer is looked at again. */
const lookAgainMs = 1_000

/**
 * Keeps jobs and plates in line with what printers show. Called for each report and does something only on a change:
 * a job that was paused or resumed at the printer's own screen follows, and a print that is not ours makes the plate
 * unknown.
 */
export function followPrinters(context: Context): void {
  const waiting = new Set<string>()

  function look(printerId: string, live: LivePrinter): void {
    follow(context, printerId, live).catch((error: unknown) => {
      if (!isConnectionError(error)) {
        context.log.error({ err: error, printer_id: printerId }, 'a change at the printer could not be recorded')
      } else if (!context.isDraining()) lookAgain(printerId)
    })
  }

  /** A printer tells a change once: while the database is away it must not be forgotten. */
  function lookAgain(printerId: string): void {
    if (waiting.has(printerId)) return
    waiting.add(printerId)
    setTimeout(() => {
      waiting.delete(printerId)
      const live = context.hubs.findLive(printerId)
      if (live && !context.isDraining()) look(printerId, live)
    }, lookAgainMs).unref()
  }

  context.hubs.onTelemetry((printerId, before, live) => {
    if (isTurn(before, live.state)) look(printerId, live)
  })
}

/** Looks at a printer again, after an order to it whose fate is not known. */
export async function followPrinter(context: Context, printerId: string): Promise<void> {
  const live = context.hubs.findLive(printerId)
  if (live) await follow(context, printerId, live)
}

function isTurn(before: PrinterState | undefined, now: PrinterState): boolean {
  return (
    before === undefined ||
    before.status !== now.status ||
    before.run?.attempt_id !== now.run?.attempt_id ||
    before.run?.job_id !== now.run?.job_id
  )
}

async function follow(context: Context, printerId: string, { accountId, hubId, state }: LivePrinter): Promise<void> {
  const isRunning = state.status === 'printing' || state.status === 'paused'
  const attemptId = state.run?.attempt_id
  if (!state.run || !isRunning) return
  const actor = `hub:${hubId}`
  if (attemptId) {
    const status = state.status === 'paused' ? 'paused' : 'printing'
    await context.db.begin(async (sql) => {
      await doubtPlateUnderEndedRun(sql, accountId, printerId, { by: actor, at: context.clock.now() })
      const jobId = await followPrinterStatus(sql, accountId, attemptId, status, null)
      if (!jobId) return
      await recordEvent(sql, accountId, {
        type: status === 'paused' ? 'job.paused' : 'job.resumed',
        subjectId: jobId,
        data: { printer_id: printerId, at_printer: true, reason: state.status_reason },
        actor,
      })
    })
    return
  }
  await context.db.begin(async (sql) => {
    // While an attempt of ours is on its way, the run may turn out to be it: its own report decides about the plate.
    if (await findLiveAttemptOfPrinter(sql, accountId, printerId)) return
    const at = context.clock.now()
    await occupyPlate(sql, accountId, printerId, { jobId: null, reason: 'foreign_print', by: actor, at })
    await recordEvent(sql, accountId, {
      type: 'printer.foreign_print',
      subjectId: printerId,
      data: { file_name: state.run?.file_name ?? '' },
      actor,
    })
  })
}

/**
 * Gives back what orders claimed whose process died while it waited for their answer. The printer's reports settle the
 * rest. `deadlineBefore` spares orders that another process still waits for.
 */
export async function settleAbandonedCommands(context: Context, deadlineBefore: Date): Promise<void> {
  const commands = await abandonCommands(context.db.sql, deadlineBefore)
  for (const { account_id, hub_id, job_id, kind, printer_id } of commands) {
    if (job_id && kind === 'pause') await claimStatus(context.db.sql, account_id, job_id, ['paused'], 'printing')
    if (job_id && kind === 'resume') await claimStatus(context.db.sql, account_id, job_id, ['printing'], 'paused')
    // Whether a start reached the hub only its journal knows, and it is asked about that when it connects.
    if (kind === 'print') {
      context.hubs.disconnect(hub_id, {
        reason: 'stale',
        message: 'What came of a start is not known.',
        retry_after_ms: 0,
      })
    }
    await followPrinter(context, printer_id)
  }
  if (commands.length > 0) context.log.warn({ count: commands.length }, 'orders of a stopped process were settled')
}

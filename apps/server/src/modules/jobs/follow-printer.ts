import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import type { Context } from '../../context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { LivePrinter } from '../../gateway/hub-connections.ts'
import { abandonCommands } from '../commands/commands.queries.ts'
import { recordEvent } from '../events/events.queries.ts'
import { hasForeignPrint, noteErrorSince, noteForeignPrint } from '../printers/plate.queries.ts'
import { askToClearPlate, lockPlate } from '../printers/plate.ts'
import { findLiveAttemptOfPrinter, followPrinterStatus } from './attempts.queries.ts'
import { claimStatus } from './jobs.queries.ts'

/** How long after a failure a printer is looked at again. */
const lookAgainMs = 1_000

/**
 * Keeps jobs and plates in line with what printers show. Called for each report and does something only on a change:
 * a job that was paused or resumed at the printer's own screen follows, a print that is not ours makes the plate unknown
 * and asks for somebody when it ends, and since when a printer reports an error is noted.
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

async function follow(context: Context, printerId: string, live: LivePrinter): Promise<void> {
  const { accountId, state } = live
  if (state.status !== 'offline') {
    await noteErrorSince(context.db.sql, accountId, printerId, state.status === 'error', context.clock.now())
  }
  const isRunning = state.status === 'printing' || state.status === 'paused'
  if (state.run && isRunning) await followRun(context, printerId, live, state.run)
  else if (state.status !== 'offline') await followEnd(context, accountId, printerId)
}

async function followRun(
  context: Context,
  printerId: string,
  { accountId, hubId, state }: LivePrinter,
  run: RunIdentity,
): Promise<void> {
  const actor = `hub:${hubId}`
  const { attempt_id: attemptId } = run
  await context.db.begin(async (sql) => {
    const attempt = await findLiveAttemptOfPrinter(sql, accountId, printerId)
    if (attemptId !== null && attempt?.id === attemptId) {
      const status = state.status === 'paused' ? 'paused' : 'printing'
      const jobId = await followPrinterStatus(sql, accountId, attemptId, status, null)
      if (!jobId) return
      await recordEvent(sql, accountId, {
        type: status === 'paused' ? 'job.paused' : 'job.resumed',
        subjectId: jobId,
        data: { printer_id: printerId, at_printer: true, reason: state.status_reason },
        actor,
      })
      return
    }
    // While an attempt of ours is on its way, the run may turn out to be it: its own report decides about the plate.
    if (attempt) return
    const at = context.clock.now()
    // A run of ours whose attempt is over is the one that left the plate occupied, unless nobody knew that it ran.
    const isNew = await noteForeignPrint(sql, accountId, printerId, { onlyIfClear: attemptId !== null, by: actor, at })
    if (!isNew) return
    await recordEvent(sql, accountId, {
      type: 'printer.foreign_print',
      subjectId: printerId,
      data: { file_name: run.file_name, run_id: run.job_id },
      actor,
    })
  })
}

/** What was not ours and has ended, also while nobody watched, lies on the plate until a person takes it off. */
async function followEnd(context: Context, accountId: string, printerId: string): Promise<void> {
  if (!(await hasForeignPrint(context.db.sql, accountId, printerId))) return
  await context.db.begin(async (sql) => {
    const plate = await lockPlate(sql, accountId, printerId)
    if (!(await hasForeignPrint(sql, accountId, printerId))) return
    const last = context.hubs.findLive(printerId)?.state.last_result?.run
    const fileName = last && last.attempt_id === null ? last.file_name : ''
    await askToClearPlate(sql, accountId, plate.id, { kind: 'foreign', fileName }, context.clock.now())
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

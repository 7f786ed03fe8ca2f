import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { LivePrinter } from '../../../live/hub-connections.ts'
import { findLiveAttemptOfPrinter } from '../../attempts/attempts.queries.ts'
import { abandonCommands } from '../../commands/commands.queries.ts'
import { recordEvent } from '../../events/events.queries.ts'
import { noteErrorSince } from '../../printers/plate/plate.queries.ts'
import { claimStatus } from '../jobs.queries.ts'
import { followPlate } from '../plates/follow-plate.ts'
import { followPrinterStatus } from '../state/job-progress.queries.ts'
import { createPrinterFollower } from './printer-follower.ts'

/**
 * Keeps jobs and plates in line with what printers show. Called for each report and does something only on a change:
 * a job that was paused or resumed at the printer's own screen follows, a print that is not ours makes the plate unknown
 * and asks for a person when it ends, and the time since which a printer reports an error is recorded. The first report
 * after a hub has connected is always compared, so that what happened while nobody watched is found too.
 */
export function followPrinters(context: Context): void {
  const see = createPrinterFollower(context, (printerId, live) => follow(context, printerId, live))
  context.hubs.onTelemetry((printerId, before, live) => {
    if (isTurn(before, live.state)) see(printerId)
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
    before.run_mark !== now.run_mark ||
    isOtherRun(before.run, now.run) ||
    isOtherRun(before.last_result?.run, now.last_result?.run)
  )
}

function isOtherRun(before: RunIdentity | null | undefined, now: RunIdentity | null | undefined): boolean {
  return (
    before?.attempt_id !== now?.attempt_id || before?.job_id !== now?.job_id || before?.file_name !== now?.file_name
  )
}

async function follow(context: Context, printerId: string, live: LivePrinter): Promise<void> {
  const { accountId, state } = live
  if (state.status !== 'offline') {
    await noteErrorSince(context.db.sql, accountId, printerId, state.status === 'error', context.clock.now())
  }
  const isRunning = state.status === 'printing' || state.status === 'paused'
  if (state.run?.attempt_id && isRunning) await followRun(context, printerId, live, state.run.attempt_id)
  await followPlate(context, printerId, live)
}

/** Brings the job of a run of ours in line with what the printer shows. */
async function followRun(
  context: Context,
  printerId: string,
  { accountId, hubId, state }: LivePrinter,
  attemptId: string,
): Promise<void> {
  await context.db.begin(async (sql) => {
    const attempt = await findLiveAttemptOfPrinter(sql, accountId, printerId)
    if (attempt?.id !== attemptId) return
    const status = state.status === 'paused' ? 'paused' : 'printing'
    const jobId = await followPrinterStatus(sql, accountId, attemptId, status, null)
    if (!jobId) return
    await recordEvent(sql, accountId, {
      type: status === 'paused' ? 'job.paused' : 'job.resumed',
      subjectId: jobId,
      data: { printer_id: printerId, at_printer: true, reason: state.status_reason },
      actor: `hub:${hubId}`,
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

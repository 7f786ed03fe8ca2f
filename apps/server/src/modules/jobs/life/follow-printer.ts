import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { AttemptId, PrinterId } from '../../../kernel/ids.ts'
import { KeyedWorker } from '../../../kernel/keyed-worker.ts'
import type { LivePrinter } from '../../../live/printers.ts'
import { type AttemptRow, findLiveAttemptOfPrinter, recordOtherSlot } from '../../attempts/attempts.queries.ts'
import { recordCommandEvent } from '../../commands/command-events.ts'
import { abandonCommands } from '../../commands/commands.queries.ts'
import { type Work, workIn } from '../../events/work.ts'
import { beginReported, writeReported } from '../../hubs/state/begin-reported.ts'
import { updateErrorSince } from '../../printers/plate/plate.queries.ts'
import { claimStatus } from '../jobs.queries.ts'
import { followPlate } from '../plates/follow-plate.ts'
import { followPrinterStatus } from '../state/job-progress.queries.ts'
import { drawnSlots, otherSlot } from './drawn-slots.ts'
import { createPrinterFollower, type PrinterFollower } from './printer-follower.ts'

/**
 * Keeps jobs and plates in line with what printers show. Called for each report and does something only on a change:
 * a job that was paused or resumed at the printer's own screen follows, a print that is not ours makes the plate unknown
 * and asks for a person when it ends, and the time since which a printer reports an error is recorded. The first report
 * after a hub has connected is always compared, so that what happened while no one watched is found too.
 */
export function followPrinters(context: Context): void {
  const follower = context.memory.hold(makeFollower, context)
  context.printers.onTelemetry((printerId, before, live) => {
    if (isTurn(before, live.state)) follower.see(printerId)
  })
}

function makeFollower(context: Context): PrinterFollower {
  return createPrinterFollower(context, (printerId, live) => follow(context, printerId, live))
}

/** Time that the process that holds the hub of a printer may take to look at it. */
const lookElsewhereMs = 5_000
const lookAgainMs = 2_000

/** Looks at a printer again, after a command to it whose fate is not known. The process that holds its hub does. */
export async function followPrinter(context: Context, printerId: PrinterId): Promise<void> {
  if (context.printers.findHere(printerId)) await context.memory.hold(makeFollower, context).look(printerId)
  else if (context.peers.isShared) await context.memory.hold(makeLooker, context).request(printerId, context)
}

class NotLookedError extends Error {}

/** Has printers looked at by the processes that hold their hubs, again and again while those cannot be reached. */
function makeLooker({ log }: Context): KeyedWorker<PrinterId, Context> {
  return new KeyedWorker(
    async (printerId, { printers, hubs, peers }) => {
      const known = printers.find(printerId)
      const elsewhere = known && hubs.findElsewhere(known.hubId)
      if (!elsewhere) return
      const { kind } = await peers.ask(elsewhere, { kind: 'follow', printer_id: printerId }, lookElsewhereMs)
      if (kind !== 'answered') throw new NotLookedError()
    },
    {
      onError(error, printerId) {
        if (error instanceof NotLookedError) return lookAgainMs
        log.error({ err: error, printer_id: printerId }, 'what a printer shows could not be asked of another process')
        return undefined
      },
    },
  )
}

function isTurn(before: PrinterState | undefined, now: PrinterState): boolean {
  return (
    before === undefined ||
    before.status !== now.status ||
    before.run_mark !== now.run_mark ||
    isOtherRun(before.run, now.run) ||
    drawnSlots(before).join() !== drawnSlots(now).join() ||
    isOtherRun(before.last_result?.run, now.last_result?.run)
  )
}

function isOtherRun(before: RunIdentity | null | undefined, now: RunIdentity | null | undefined): boolean {
  return (
    before?.attempt_id !== now?.attempt_id || before?.job_id !== now?.job_id || before?.file_name !== now?.file_name
  )
}

async function follow(context: Context, printerId: PrinterId, live: LivePrinter): Promise<void> {
  const { accountId, state } = live
  if (state.status !== 'offline') {
    await writeReported(context, live, (sql) =>
      updateErrorSince(sql, accountId, printerId, state.status === 'error', context.clock.now()),
    )
  }
  const isRunning = state.status === 'printing' || state.status === 'paused'
  if (state.run?.attempt_id && isRunning) await followRun(context, printerId, live, state.run.attempt_id)
  await followPlate(context, printerId, live)
}

/** Brings the job of a run of ours in line with what the printer shows. */
async function followRun(
  context: Context,
  printerId: PrinterId,
  { accountId, hubId, state }: LivePrinter,
  attemptId: AttemptId,
): Promise<void> {
  await beginReported(context, { accountId, hubId }, async (sql) => {
    const work = workIn(sql, { accountId, actor: `hub:${hubId}`, now: context.clock.now() })
    const attempt = await findLiveAttemptOfPrinter(sql, accountId, printerId)
    if (attempt?.id !== attemptId) return
    await noticeOtherSlot(work, attempt, state)
    const status = state.status === 'paused' ? 'paused' : 'printing'
    const jobId = await followPrinterStatus(sql, accountId, attemptId, status, null, work.now)
    if (!jobId) return
    await work.record({
      type: status === 'paused' ? 'job.paused' : 'job.resumed',
      subjectId: jobId,
      data: { printer_id: printerId, at_printer: true, reason: state.status_reason },
    })
  })
}

/** Records, once for an attempt, that its printer draws from a slot that it was not told. Stopping is left to a person. */
async function noticeOtherSlot(work: Work, attempt: AttemptRow, state: PrinterState): Promise<void> {
  const slot = otherSlot(state, attempt.filament_map)
  if (slot === undefined || !(await recordOtherSlot(work.sql, work.accountId, attempt.id, slot))) return
  await work.record({
    type: 'job.other_slot_seen',
    subjectId: attempt.job_id,
    data: { printer_id: attempt.printer_id, attempt_id: attempt.id, slot, filament_map: attempt.filament_map },
  })
}

/**
 * Gives back what commands claimed whose process died while it waited for their answer. The printer's reports settle the
 * rest. `deadlineBefore` spares commands that another process still waits for.
 */
export async function settleAbandonedCommands(context: Context, deadlineBefore: Date): Promise<void> {
  const commands = await context.db.begin(async (sql) => {
    const abandoned = await abandonCommands(sql, deadlineBefore)
    for (const command of abandoned) {
      const work = workIn(sql, { accountId: command.account_id, actor: command.actor, now: context.clock.now() })
      await recordCommandEvent(work, command, 'unknown')
    }
    return abandoned
  })
  const now = context.clock.now()
  for (const { account_id, hub_id, job_id, kind, printer_id } of commands) {
    if (job_id && kind === 'pause') await claimStatus(context.db.sql, account_id, job_id, ['paused'], 'printing', now)
    if (job_id && kind === 'resume') await claimStatus(context.db.sql, account_id, job_id, ['printing'], 'paused', now)
    // Whether a start reached the hub only its journal knows, and it is asked about that when it connects.
    if (kind === 'print') context.hubs.reconnect(hub_id, 'What came of a start is not known.')
    await followPrinter(context, printer_id)
  }
  if (commands.length > 0) context.log.warn({ count: commands.length }, 'commands of a stopped process were settled')
}

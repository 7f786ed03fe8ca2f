import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Context } from '../../context.ts'
import { isConnectionError } from '../../db/database-errors.ts'
import type { LivePrinter } from '../../gateway/hub-connections.ts'
import { showPrintOutOfReach } from '../health/print-out-of-reach.ts'
import { recordProgress, recordReach } from './follow-sight.queries.ts'

/** Progress is written at each step of so many percent: what was seen last must outlive the service. */
const progressStep = 5

/** How long after a failure a printer is looked at again. */
const lookAgainMs = 1_000

/**
 * Keeps how far the run of each attempt was seen, and since when a printer does not answer while its hub is there, so that
 * those who are asked about it later can be told.
 */
export function followSight(context: Context): void {
  const steps = new Map<string, { attemptId: string; step: number }>()
  const waiting = new Set<string>()

  function attempt(printerId: string, work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!isConnectionError(error)) {
        context.log.error({ err: error, printer_id: printerId }, 'what was seen of a printer could not be recorded')
      } else if (!context.isDraining()) lookAgain(printerId)
    })
  }

  /** A printer that falls silent says so once: while the database is away it must not be forgotten. */
  function lookAgain(printerId: string): void {
    if (waiting.has(printerId)) return
    waiting.add(printerId)
    setTimeout(() => {
      waiting.delete(printerId)
      const live = context.hubs.findLive(printerId)
      if (live && !context.isDraining()) attempt(printerId, () => followReach(context, printerId, live))
    }, lookAgainMs).unref()
  }

  context.hubs.onTelemetry((printerId, before, live) => {
    const step = stepOf(live.state)
    const known = steps.get(printerId)
    if (step && (known?.attemptId !== step.attemptId || known.step !== step.step)) {
      steps.set(printerId, step)
      const seen = { attemptId: step.attemptId, progress: live.state.progress ?? 0, at: live.reportedAt }
      attempt(printerId, () => recordProgress(context.db.sql, live.accountId, printerId, seen))
    }
    if (before === undefined || isOffline(before) !== isOffline(live.state)) {
      attempt(printerId, () => followReach(context, printerId, live))
    }
  })
}

const isOffline = ({ status }: PrinterState) => status === 'offline'

function stepOf({ run, progress, status }: PrinterState): { attemptId: string; step: number } | undefined {
  if (!run?.attempt_id || progress === null || (status !== 'printing' && status !== 'paused')) return undefined
  return { attemptId: run.attempt_id, step: Math.floor(progress / progressStep) }
}

async function followReach(context: Context, printerId: string, live: LivePrinter): Promise<void> {
  const isAway = isOffline(live.state)
  await recordReach(context.db.sql, live.accountId, printerId, isAway, context.clock.now())
  await showPrintOutOfReach(context, live.accountId, printerId)
}

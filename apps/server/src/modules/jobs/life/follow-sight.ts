import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Context } from '../../../context/context.ts'
import type { AttemptId, PrinterId } from '../../../kernel/ids.ts'
import type { LivePrinter } from '../../../live/printers.ts'
import { recordProgress } from '../../attempts/attempts.queries.ts'
import { showPrintOutOfReach } from '../../health/print-out-of-reach.ts'
import { writeReported } from '../../hubs/state/begin-reported.ts'
import { recordReach } from '../../printers/state/printer-state.queries.ts'
import { createPrinterFollower } from './printer-follower.ts'

/** Progress is written at each step of so many percent: what was seen last must outlive the service. */
const progressStep = 5

/**
 * Keeps how far the run of each attempt was seen, and since when a printer does not answer while its hub is there, so that
 * those who are asked about it later can be told.
 */
export function followSight(context: Context): void {
  const steps = new Map<string, ProgressStep>()
  const reach = createPrinterFollower(context, (printerId, live) => followReach(context, printerId, live))
  // Not of the newest picture: a printer that is away by now shows no progress any more.
  const progress = createPrinterFollower(context, async (printerId, live) => {
    const seen = steps.get(printerId)
    if (!seen) return
    await writeReported(context, live, (sql) => recordProgress(sql, live.accountId, printerId, seen))
  })

  context.printers.onTelemetry((printerId, before, live) => {
    const step = stepOf(live)
    const known = steps.get(printerId)
    if (step && (known?.attemptId !== step.attemptId || known.step !== step.step)) {
      steps.set(printerId, step)
      progress.see(printerId)
    }
    if (before === undefined || isOffline(before) !== isOffline(live.state)) reach.see(printerId)
  })
}

const isOffline = ({ status }: PrinterState) => status === 'offline'

interface ProgressStep {
  attemptId: AttemptId
  step: number
  progress: number
  at: Date
}

function stepOf({ state: { run, progress, status }, reportedAt }: LivePrinter): ProgressStep | undefined {
  if (!run?.attempt_id || progress === null || (status !== 'printing' && status !== 'paused')) return undefined
  return { attemptId: run.attempt_id, step: Math.floor(progress / progressStep), progress, at: reportedAt }
}

async function followReach(context: Context, printerId: PrinterId, live: LivePrinter): Promise<void> {
  const isAway = isOffline(live.state)
  await writeReported(context, live, (sql) => recordReach(sql, live.accountId, printerId, isAway, context.clock.now()))
  await showPrintOutOfReach(context, live.accountId, printerId)
}

import type { AttemptOutcome } from '@printyard/protocol/attempt'
import type { PrinterState, PrintResult, RunIdentity } from '@printyard/protocol/printer-state'
import type { AttemptIdentity } from '../journal/journal-state.ts'

/** What a picture of the printer says about the run of one attempt. */
export type Sight =
  | { kind: 'running'; run_id: string | null }
  | { kind: 'ended'; run_id: string | null; result: PrintResult; reason: string | null }
  /** Another job runs. */
  | { kind: 'other_run' }
  /** The printer is idle and has not run a job since before our start. */
  | { kind: 'never_ran' }
  /** The printer is idle and shows nothing of our run, but may have forgotten it. */
  | { kind: 'gone' }
  /** Offline, or in a state that says nothing about jobs. */
  | { kind: 'unclear' }

/** Whether the printer speaks of the run that the attempt started. */
export function isOurRun(run: RunIdentity, identity: AttemptIdentity): boolean {
  if (run.file_name !== identity.file_name) return false
  return identity.run_id === null || run.job_id === null || run.job_id === identity.run_id
}

/** The run that a printer shows, the present or the last, as one text to compare; null when it shows none. */
export function lastRunOf(state: PrinterState): string | null {
  const run = state.run ?? state.last_result?.run
  return run ? `${run.job_id ?? ''} ${run.file_name}` : null
}

export function sightOf(state: PrinterState, identity: AttemptIdentity): Sight {
  const last = state.run ? null : state.last_result
  // Also of a printer that is offline: a server in front of it may tell that the print ended with the line to it.
  if (last && isOurRun(last.run, identity)) {
    return { kind: 'ended', run_id: last.run.job_id, result: last.result, reason: last.reason }
  }
  if (state.status === 'offline') return { kind: 'unclear' }
  if (state.run) {
    return isOurRun(state.run, identity) ? { kind: 'running', run_id: state.run.job_id } : { kind: 'other_run' }
  }
  if (state.status !== 'idle') return { kind: 'unclear' }
  return { kind: lastRunOf(state) === identity.run_before ? 'never_ran' : 'gone' }
}

export type Verdict =
  | { phase: 'confirmed' }
  | { phase: 'finished'; outcome: AttemptOutcome; reason_code: string | null; detail: string | null }

export interface JudgeInput {
  phase: 'starting' | 'confirmed'
  sight: Sight
  /** How long the same kind of sight has lasted without a break. */
  lastedMs: number
  /** How long a printer may take to show a run that it was asked for. */
  confirmTimeoutMs: number
  /**
   * How long a printer must stay idle, with the last run that it had before the start, to prove that the start came to
   * nothing; undefined for printers that may forget a run, see `Capabilities`.
   */
  proofOfIdlenessMs: number | undefined
}

const outcomes: Record<PrintResult, AttemptOutcome> = { completed: 'done', failed: 'failed', cancelled: 'cancelled' }

/** What follows for an attempt whose start was, or may have been, sent; undefined when nothing new does. */
export function judge({
  phase,
  sight,
  lastedMs,
  confirmTimeoutMs,
  proofOfIdlenessMs,
}: JudgeInput): Verdict | undefined {
  if (sight.kind === 'running') return phase === 'starting' ? { phase: 'confirmed' } : undefined
  if (sight.kind === 'ended') {
    return {
      phase: 'finished',
      outcome: outcomes[sight.result],
      reason_code: sight.result === 'failed' ? 'PRINT_FAILED' : null,
      detail: sight.reason,
    }
  }
  const isOld = lastedMs >= confirmTimeoutMs
  if (phase === 'starting') {
    if (sight.kind !== 'never_ran' || proofOfIdlenessMs === undefined || lastedMs < proofOfIdlenessMs) return undefined
    return {
      phase: 'finished',
      outcome: 'not_started',
      reason_code: 'PRINTER_IGNORED_START',
      detail: 'the printer stayed idle and its last run is the one from before the start',
    }
  }
  if (sight.kind === 'other_run' || ((sight.kind === 'gone' || sight.kind === 'never_ran') && isOld)) {
    return {
      phase: 'finished',
      outcome: 'unknown',
      reason_code: 'RESULT_LOST',
      detail: 'the printer no longer shows the run, and its result was not seen',
    }
  }
  return undefined
}

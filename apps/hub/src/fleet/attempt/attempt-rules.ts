import type { AttemptOutcome } from '@printyard/protocol/attempt'
import { isFileOfAttempt } from '@printyard/protocol/attempt-file-name'
import type { PrinterState, PrintResult, RunIdentity } from '@printyard/protocol/printer-state'
import type { AttemptIdentity, KnownAttempt } from '../../journal/journal-state.ts'

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

/** True when the printer speaks of the run that the attempt started. */
export function isOurRun(run: RunIdentity, identity: AttemptIdentity): boolean {
  if (run.file_name !== identity.file_name) return false
  return identity.run_id === null || run.job_id === null || run.job_id === identity.run_id
}

/**
 * True when the printer speaks of the run of an attempt that the journal may not hold: then the name of the file tells, which the
 * printer's own identity of the run, where both sides know one, confirms or contradicts.
 */
export function isRunOf(run: RunIdentity, { report, identity }: KnownAttempt): boolean {
  if (identity.file_name !== '') return isOurRun(run, identity)
  return isFileOfAttempt(run.file_name, report.attempt_id) && isOurRun(run, { ...identity, file_name: run.file_name })
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

/** What follows for an attempt: what is reported of it next. */
export interface Verdict {
  phase: 'starting' | 'confirmed' | 'finished'
  outcome: AttemptOutcome | null
  evidence: 'telemetry' | 'refusal'
  reason_code: string | null
  detail: string | null
}

/** A start that a printer, or a server in front of it, said no to. */
export interface Refusal {
  reason_code: string
  detail: string
  /** The time in which such a start may still take effect is over. */
  isOver: boolean
  /** The printer was out of sight for a while since: the hub restarted, or the line to it was down. */
  hasGap: boolean
}

export interface JudgeInput {
  phase: 'starting' | 'confirmed'
  /** True when it is on record already that no one knows what became of it. */
  isUnknown: boolean
  sight: Sight
  /** Time that the same kind of sight has lasted without a break; of `never_ran` over restarts of the hub too. */
  lastedMs: number
  /** Time that a printer may take to show a run that it was asked for. */
  confirmTimeoutMs: number
  /**
   * Time that a printer must stay idle, with the last run that it had before the start, to prove that the start came to
   * nothing; undefined for printers that may forget a run, see `Capabilities`.
   */
  proofOfIdlenessMs: number | undefined
  /** The start was refused. */
  refusal?: Refusal | undefined
  /** The last picture that showed the run; `at` in milliseconds since 1970. */
  lastSeen?: { progress: number | null; at: number } | undefined
}

const outcomes: Record<PrintResult, AttemptOutcome> = { completed: 'done', failed: 'failed', cancelled: 'cancelled' }

/** Answers what follows for an attempt whose start was, or may have been, sent; undefined when nothing new does. */
export function judge(input: JudgeInput): Verdict | undefined {
  const { phase, isUnknown, sight } = input
  if (sight.kind === 'running') {
    const isNews = phase === 'starting' || isUnknown
    return isNews ? { ...fromTelemetry, phase: 'confirmed', outcome: null } : undefined
  }
  if (sight.kind === 'ended' && !isRefusalShown(input, sight.result)) {
    return {
      ...fromTelemetry,
      phase: 'finished',
      outcome: outcomes[sight.result],
      reason_code: sight.result === 'failed' ? 'PRINT_FAILED' : null,
      detail: sight.reason,
    }
  }
  return phase === 'starting' ? judgeStart(input) : judgeLostRun(input)
}

const fromTelemetry = { evidence: 'telemetry', reason_code: null, detail: null } as const

/** Some printers list a start that they refuse as a run that has failed. Whether anything was printed, that does not tell. */
function isRefusalShown({ phase, refusal }: JudgeInput, result: PrintResult): boolean {
  return phase === 'starting' && refusal !== undefined && result !== 'completed'
}

function judgeStart({ isUnknown, sight, lastedMs, proofOfIdlenessMs, refusal }: JudgeInput): Verdict | undefined {
  if (refusal) {
    const { reason_code, detail, isOver, hasGap } = refusal
    if (!isOver || (hasGap && sight.kind === 'unclear')) return undefined
    // What has run nothing since before the start, and would not have forgotten it, needs no witness.
    const isProven = !hasGap || (sight.kind === 'never_ran' && proofOfIdlenessMs !== undefined)
    if (sight.kind !== 'ended' && isProven)
      return { phase: 'finished', outcome: 'not_started', evidence: 'refusal', reason_code, detail }
    if (isUnknown) return undefined
    const doubt = { ...fromTelemetry, phase: 'starting', outcome: 'unknown' } as const
    const [code, since] =
      sight.kind === 'ended'
        ? ['REFUSED_BUT_LISTED', `lists the print as ${sight.result}`]
        : ['REFUSED_OUT_OF_SIGHT', 'was out of sight for a while after it']
    return {
      ...doubt,
      reason_code: code,
      detail: `the printer refused the start (${detail}) and ${since}; look whether it printed anything`,
    }
  }
  if (sight.kind !== 'never_ran' || proofOfIdlenessMs === undefined || lastedMs < proofOfIdlenessMs) return undefined
  return {
    ...fromTelemetry,
    phase: 'finished',
    outcome: 'not_started',
    reason_code: 'PRINTER_IGNORED_START',
    detail: 'the printer stayed idle and its last run is the one from before the start',
  }
}

/** A run that was seen and is gone, with its result unseen, may be good: a person looks, or later evidence tells. */
function judgeLostRun({ isUnknown, sight, lastedMs, confirmTimeoutMs, lastSeen }: JudgeInput): Verdict | undefined {
  const isGone = sight.kind === 'gone' || sight.kind === 'never_ran' || sight.kind === 'ended'
  const isLost = sight.kind === 'other_run' || (isGone && lastedMs >= confirmTimeoutMs)
  if (isUnknown || !isLost) return undefined
  return {
    ...fromTelemetry,
    phase: 'confirmed',
    outcome: 'unknown',
    reason_code: 'RESULT_LOST',
    detail: `the printer no longer shows the run, and its result was not seen${seenWords(lastSeen)}`,
  }
}

function seenWords(lastSeen: JudgeInput['lastSeen']): string {
  if (!lastSeen) return ''
  const progress = lastSeen.progress === null ? '' : ` at ${Math.floor(lastSeen.progress)} %`
  return `; it was last seen${progress} at ${new Date(lastSeen.at).toISOString()}`
}

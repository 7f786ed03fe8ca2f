import type { AttemptOutcome, AttemptReport, Evidence } from '@printyard/protocol/attempt'
import type { PrinterState } from '@printyard/protocol/printer-state'
import { DriverError } from '../../drivers/driver.ts'
import type { PrintToStart } from '../../drivers/print/filament-map.ts'
import {
  type AttemptIdentity,
  isOpen,
  type KnownAttempt,
  RELEASED,
  type Sighting,
} from '../../journal/journal-state.ts'
import type { Clock } from '../../util/clock.ts'
import { describeError } from '../../util/log.ts'
import { AttemptReports, type AttemptReportsDeps } from './attempt-reports.ts'
import { lastRunOf, type Verdict } from './attempt-rules.ts'
import { AttemptWatch } from './attempt-watch.ts'
import { refusalCode, whyNotStarted } from './not-started.ts'
import { type PrintCommand, PrintTransfer, type PrintTransferDeps } from './print-transfer.ts'
import { refuseUnlessReady } from './start-readiness.ts'

export interface AttemptDeps extends PrintTransferDeps, AttemptReportsDeps {
  /** Journals the printer's own identity of the run. */
  recordRun(attemptId: string, runId: string): Promise<void>
  /** Journals what was seen of it, without waiting for the disk. */
  recordSighting(attemptId: string, sighting: Sighting): void
  clock: Clock
}

/** A step in the life of an attempt, as its report tells it. */
interface Step extends Omit<Verdict, 'evidence'> {
  evidence: Evidence['kind']
}

/** One try to print one plate, from the accepted command to the end of the run. */
export class Attempt {
  readonly #deps: AttemptDeps
  readonly #cancelling = new AbortController()
  readonly #stopping = new AbortController()
  readonly #ended = new AbortController()
  /** Ends the work before the start. */
  readonly #giveUp = AbortSignal.any([this.#cancelling.signal, this.#stopping.signal])
  /** Ends the question that starts the print, and nothing that the printer does. */
  readonly #leave = AbortSignal.any([this.#ended.signal, this.#stopping.signal])
  readonly #reports: AttemptReports
  readonly #watch: AttemptWatch
  #report: AttemptReport
  #identity: AttemptIdentity
  #sending: Promise<void> = Promise.resolve()

  constructor(known: KnownAttempt, deps: AttemptDeps) {
    this.#deps = deps
    this.#report = known.report
    this.#identity = known.identity
    this.#reports = new AttemptReports(deps, this.#stopping.signal)
    this.#watch = new AttemptWatch({
      printer: deps.printer,
      timings: deps.timings,
      clock: deps.clock,
      standing: () => ({ report: this.#report, identity: this.#identity }),
      onVerdict: (verdict, runId) => this.#takeVerdict(verdict, runId),
      onSighting: (sighting, isToKeep) => this.#updateSighting(sighting, isToKeep),
      onSilence: () => this.#takeSilence(),
    })
  }

  get id(): string {
    return this.#report.attempt_id
  }

  get report(): AttemptReport {
    return this.#report
  }

  get identity(): AttemptIdentity {
    return this.#identity
  }

  /** True until its end is known. */
  get isOpen(): boolean {
    return isOpen(this.#report)
  }

  /** Carries the attempt on from where the journal left it. With a command it is new, without one it is only watched. */
  begin(command: PrintCommand | undefined): void {
    if (!this.isOpen) return
    const { phase } = this.#report
    if (command) this.#sending = this.#send(command)
    else if (phase === 'starting' || phase === 'confirmed') this.#watch.begin(this.#deps.timings.confirmTimeoutMs, true)
    else void this.#finish('not_started', 'journal', 'the hub restarted before the start', 'HUB_RESTARTED')
  }

  /** Takes back a command of which nothing has reached the printer; false when a start was, or may have been, sent. */
  async cancel(): Promise<boolean> {
    if (this.#report.phase !== 'transferring') return false
    this.#cancelling.abort(new Error('cancelled'))
    await this.#sending
    return this.#report.outcome === 'cancelled'
  }

  /** Ends the watch of an attempt whose fate was not found out, because the printer has a new command. */
  async abandon(): Promise<void> {
    await this.#finish('unknown', 'journal', 'the printer was given a newer command', 'SUPERSEDED')
  }

  /** Ends it because it is over for the service: a command that is on its way is taken back, what may run is let go. */
  async release(): Promise<void> {
    if (this.#report.phase === 'transferring') {
      this.#cancelling.abort(new Error('released'))
      await this.#sending
    }
    if (this.isOpen) await this.#finish('unknown', 'journal', 'it is over for the service', RELEASED)
  }

  /** Goes on with an attempt of which it was said that it never began, because its run is seen; `why` is for people. */
  takeBack(why: string): void {
    void this.#tell({ phase: 'confirmed', outcome: null, evidence: 'telemetry', detail: why, reason_code: null })
    this.#watch.begin(this.#deps.timings.confirmTimeoutMs, true)
  }

  /** Looks at a new picture of the printer. */
  look(state: PrinterState): void {
    this.#watch.look(state)
  }

  /** Ends all work on it without an outcome, as at the end of the process; the journal holds it open. */
  async stop(): Promise<void> {
    this.#watch.end()
    this.#stopping.abort(new Error('the hub stops'))
    await this.#sending
    await this.#reports.settled()
  }

  /** Brings the file to the printer and starts it, once; ends the attempt where something speaks against the start. */
  async #send(command: PrintCommand): Promise<void> {
    const names = { attempt_id: this.id, file_name: this.#identity.file_name }
    const transfer = new PrintTransfer(this.#deps, command, names, this.#giveUp)
    let print: PrintToStart
    try {
      print = await transfer.carry()
      this.#giveUp.throwIfAborted()
      await this.#markStarting()
      // The journal may have taken its time.
      refuseUnlessReady(this.#deps.printer.getState(), command.run_mark)
    } catch (error) {
      if (this.#stopping.signal.aborted) return
      await this.#endBeforeStart(error)
      return
    } finally {
      transfer.release()
    }
    await this.#startOnce(print)
  }

  /** From here on a start may have been sent, whatever happens to this process. */
  async #markStarting(): Promise<void> {
    const { printer, clock } = this.#deps
    this.#identity = { ...this.#identity, run_before: lastRunOf(printer.getState()), start_sent_at: clock() }
    const next = this.#compose({
      phase: 'starting',
      outcome: null,
      evidence: 'journal',
      detail: null,
      reason_code: null,
    })
    await this.#deps.report(next, this.#identity)
    this.#report = next
  }

  async #endBeforeStart(error: unknown): Promise<void> {
    if (this.#cancelling.signal.aborted) return this.#finishCancelled()
    const { code, detail } = whyNotStarted(error)
    await this.#finish('not_started', 'refusal', detail, code)
  }

  async #startOnce(print: PrintToStart): Promise<void> {
    if (this.#stopping.signal.aborted) return
    if (this.#cancelling.signal.aborted) return this.#finishCancelled()
    const driver = this.#deps.printer.findDriver()
    if (!driver) {
      return this.#finish('not_started', 'refusal', 'the hub has no driver for the printer', 'NOT_SUPPORTED')
    }
    try {
      const { run_id } = await driver.startPrint(this.#identity.file_name, print, this.#leave)
      if (this.#leave.aborted) return
      if (run_id !== null) await this.#recordRun(run_id)
    } catch (error) {
      if (this.#leave.aborted) return
      if (error instanceof DriverError && error.code === 'NOT_MAPPED') {
        // Certain: no start was sent.
        return this.#finish('not_started', 'refusal', error.message, refusalCode(error.code))
      }
      this.#recordRefusal(error)
    }
    if (!this.#leave.aborted) this.#watch.begin(2 * this.#deps.timings.confirmTimeoutMs, false)
  }

  async #recordRun(runId: string): Promise<void> {
    this.#identity = { ...this.#identity, run_id: runId }
    // Losing it to a full disk costs precision after a restart, not safety: the file name identifies the run too.
    await this.#deps.recordRun(this.id, runId).catch(() => undefined)
  }

  /** A start that failed without proof that none was sent; only the watch over the printer can tell. */
  #recordRefusal(error: unknown): void {
    if (error instanceof DriverError && error.code !== 'NO_ANSWER') {
      // No proof: what stands between the hub and the printer may have passed the start on.
      const refused = {
        reason_code: refusalCode(error.code),
        detail: error.message.slice(0, 500),
        at: this.#deps.clock(),
      }
      this.#updateSighting({ refused })
    } else this.#deps.log.warn('a start was not answered', { attempt_id: this.id, problem: describeError(error) })
  }

  #takeVerdict(verdict: Verdict, runId: string | null): void {
    if (runId !== null && this.#identity.run_id === null) this.#identity = { ...this.#identity, run_id: runId }
    void this.#tell(verdict)
  }

  #takeSilence(): void {
    const detail = 'the start was sent, and its outcome is unknown'
    void this.#tell({ phase: 'starting', outcome: 'unknown', evidence: 'silence', detail, reason_code: null })
  }

  #updateSighting(sighting: Sighting, isToKeep = true): void {
    this.#identity = { ...this.#identity, sighting }
    if (isToKeep) this.#deps.recordSighting(this.id, sighting)
  }

  #finishCancelled(): Promise<void> {
    return this.#finish('cancelled', 'journal', 'cancelled before anything was started', null)
  }

  #finish(
    outcome: AttemptOutcome,
    evidence: Evidence['kind'],
    detail: string,
    reason_code: string | null,
  ): Promise<void> {
    return this.#tell({ phase: 'finished', outcome, evidence, detail, reason_code })
  }

  /** The attempt is what it is from this moment on; the report of it goes out once the journal takes it, in order. */
  #tell(step: Step): Promise<void> {
    this.#report = this.#compose(step)
    if (step.phase === 'finished') {
      this.#watch.end()
      this.#ended.abort()
    }
    return this.#reports.add(this.#report, this.#identity)
  }

  #compose({ phase, outcome, evidence, detail, reason_code }: Step): AttemptReport {
    const { printer, clock } = this.#deps
    return {
      ...this.#report,
      phase,
      outcome,
      evidence: { kind: evidence, run_id: this.#identity.run_id, detail: detail?.slice(0, 500) ?? null },
      happened_at: new Date(clock()).toISOString(),
      reason_code,
      run_mark: printer.getState().run_mark ?? null,
    }
  }
}

import type { AttemptOutcome, AttemptPhase, AttemptReport, Evidence } from '@printyard/protocol/attempt'
import type { CommandArguments } from '@printyard/protocol/commands'
import type { FileTransfer, PrinterState } from '@printyard/protocol/printer-state'
import { DriverError, type PrinterDriver } from '../drivers/driver.ts'
import type { PrintToStart } from '../drivers/print/filament-map.ts'
import type { EjectingCopies } from '../files/ejecting-copy.ts'
import type { FileCache, HeldFile } from '../files/file-cache.ts'
import { type AttemptIdentity, isOpen, type KnownAttempt, RELEASED, type Sighting } from '../journal/journal-state.ts'
import type { Timings } from '../timings.ts'
import { type Clock, wait } from '../util/clock.ts'
import { describeError, type Log } from '../util/log.ts'
import type { Waiter } from '../util/waiter.ts'
import { WaitTimeoutError } from '../util/waiter.ts'
import { lastRunOf } from './attempt-rules.ts'
import { createAttemptWatch } from './attempt-watch.ts'
import { NotStartedError, refusalCode, whyNotStarted } from './not-started.ts'
import { withFilaments } from './print-filaments.ts'
import { isDecided, refuseUnlessReady } from './start-readiness.ts'

/** What an attempt needs of its printer; the driver may change under it when the settings do. */
export interface AttemptPrinter {
  /** Undefined while the hub has no driver for the printer. */
  findDriver(): PrinterDriver | undefined
  getState(): PrinterState
  waiter: Waiter<PrinterState>
}

export interface AttemptDeps {
  printer: AttemptPrinter
  files: FileCache
  ejectingCopies: EjectingCopies
  /** Journals and reports; rejects with a `JournalWriteError`. */
  report(report: AttemptReport, identity: AttemptIdentity): Promise<void>
  /** Called with how far the file is on its way to the printer; null when it is not on its way any more. */
  onTransfer(transfer: FileTransfer | null): void
  /** Journals the printer's own identity of the run. */
  recordRun(attemptId: string, runId: string): Promise<void>
  /** Journals what was seen of it, without waiting for the disk. */
  recordSighting(attemptId: string, sighting: Sighting): void
  clock: Clock
  timings: Timings
  log: Log
}

/** One try to print one plate, from the accepted command to the end of the run. */
export interface Attempt {
  readonly id: string
  readonly report: AttemptReport
  readonly identity: AttemptIdentity
  /** True until its end is known. */
  readonly isOpen: boolean
  /** Carries the attempt on from where the journal left it. With a command it is new, without one it is only watched. */
  begin(command: PrintCommand | undefined): void
  /** Takes back an order of which nothing has reached the printer; false when a start was, or may have been, sent. */
  cancel(): Promise<boolean>
  /** Ends the watch of an attempt whose fate was not found out, because the printer has a new command. */
  abandon(): Promise<void>
  /** Ends it because it is over for the service: a command that is on its way is taken back, what may run is let go. */
  release(): Promise<void>
  /** Goes on with an attempt of which it was said that it never began, because its run is seen; `why` is for people. */
  takeBack(why: string): void
  /** Looks at a new picture of the printer. */
  look(state: PrinterState): void
  /** Ends all work on it without an outcome, as at the end of the process; the journal holds it open. */
  stop(): Promise<void>
}

/** What the service says of the print beside which attempt it is. */
type PrintCommand = Pick<CommandArguments<'print'>, 'file' | 'filament_map' | 'ejection_gcode' | 'run_mark'>

const UPLOAD_TRIES = 3

export function createAttempt(known: KnownAttempt, deps: AttemptDeps): Attempt {
  const { printer, files, ejectingCopies, clock, timings, log } = deps
  let { report, identity } = known
  const cancelling = new AbortController()
  const stopping = new AbortController()
  const ended = new AbortController()
  /** Ends the work before the start. */
  const giveUp = AbortSignal.any([cancelling.signal, stopping.signal])
  /** Ends the question that starts the print, and nothing that the printer does. */
  const leave = AbortSignal.any([ended.signal, stopping.signal])
  let sending: Promise<void> = Promise.resolve()
  let telling: Promise<void> = Promise.resolve()

  const compose = (
    phase: AttemptPhase,
    outcome: AttemptOutcome | null,
    kind: Evidence['kind'],
    detail: string | null = null,
    reasonCode: string | null = null,
  ): AttemptReport => ({
    ...report,
    phase,
    outcome,
    evidence: { kind, run_id: identity.run_id, detail: detail?.slice(0, 500) ?? null },
    happened_at: new Date(clock()).toISOString(),
    reason_code: reasonCode,
    run_mark: printer.getState().run_mark ?? null,
  })

  /**
   * The attempt is what it is from this moment on; the report of it goes out once the journal takes it, in order. Nothing
   * that follows from it is sent to a printer, so a full disk only delays what people see.
   */
  const tell = (next: AttemptReport): Promise<void> => {
    report = next
    if (next.phase === 'finished') finish()
    const told = identity
    telling = telling.then(async () => {
      for (;;) {
        try {
          return await deps.report(next, told)
        } catch (error) {
          log.error('a report waits for the journal', { attempt_id: next.attempt_id, problem: describeError(error) })
          if (stopping.signal.aborted) return
          await wait(timings.retryPauseMs, stopping.signal).catch(() => undefined)
        }
      }
    })
    return telling
  }

  const finish = () => {
    watch.end()
    ended.abort()
  }

  const send = async (command: PrintCommand) => {
    const { file, ejection_gcode: ejection, run_mark: plateMark } = command
    let print: PrintToStart
    let held: HeldFile | undefined
    let copy: HeldFile | undefined
    try {
      held = await files.acquire(file, giveUp)
      await becomeReady(plateMark)
      print = await withFilaments({
        command,
        path: held.path,
        capability: requireDriver().capabilities.filamentMap,
        slots: printer.getState().slots,
        signal: giveUp,
      })
      if (ejection !== undefined) {
        copy = await ejectingCopies.make(file, held, report.attempt_id, ejection, giveUp)
        await becomeReady(plateMark)
      }
      await upload(copy ?? held, plateMark)
      await becomeReady(plateMark)
      giveUp.throwIfAborted()
      await markStarting()
      // The journal may have taken its time.
      refuseUnlessReady(printer.getState(), plateMark)
    } catch (error) {
      if (stopping.signal.aborted) return
      const { code, detail } = whyNotStarted(error)
      await (cancelling.signal.aborted
        ? tell(compose('finished', 'cancelled', 'journal', 'cancelled before anything was started'))
        : tell(compose('finished', 'not_started', 'refusal', detail, code)))
      return
    } finally {
      copy?.release()
      held?.release()
    }
    await startOnce(print)
  }

  /**
   * Waits until the printer is idle and says what it printed last, and refuses when that is not what it had printed when its
   * plate was cleared: what ran meanwhile, and ended again, lies there.
   */
  const becomeReady = async (plateMark: PrintCommand['run_mark']) => {
    const state = await printer.waiter
      .until(isDecided, { awaited: 'the printer to be ready', timeoutMs: timings.readyTimeoutMs, signal: giveUp })
      .catch((error: unknown) => {
        if (error instanceof WaitTimeoutError) return printer.getState()
        throw error
      })
    refuseUnlessReady(state, plateMark)
  }

  const requireDriver = () => {
    const driver = printer.findDriver()
    if (!driver) throw new DriverError('NOT_SUPPORTED', 'the hub has no driver for the printer')
    return driver
  }

  /** An upload moves nothing, so it may be repeated. */
  const upload = async (held: HeldFile, plateMark: PrintCommand['run_mark']) => {
    for (let tries = 1; ; tries += 1) {
      try {
        const { path, sizeBytes } = held
        const onSent = (sentBytes: number) =>
          deps.onTransfer({
            attempt_id: report.attempt_id,
            sent_bytes: Math.min(sentBytes, sizeBytes),
            total_bytes: sizeBytes,
          })
        onSent(0)
        return await requireDriver().upload(
          { path, size_bytes: sizeBytes, file_name: identity.file_name, onSent },
          giveUp,
        )
      } catch (error) {
        giveUp.throwIfAborted()
        const isBroken = error instanceof DriverError && (error.code === 'UPLOAD_BROKEN' || error.code === 'NO_ANSWER')
        if (!isBroken) throw error
        if (tries === UPLOAD_TRIES) throw new NotStartedError('UPLOAD_FAILED', describeError(error))
      } finally {
        deps.onTransfer(null)
      }
      await wait(timings.retryPauseMs, giveUp)
      // What broke the upload may have been the end of its connection, and another one takes a moment.
      await becomeReady(plateMark)
    }
  }

  /** From here on a start may have been sent, whatever happens to this process. */
  const markStarting = async () => {
    identity = { ...identity, run_before: lastRunOf(printer.getState()), start_sent_at: clock() }
    const next = compose('starting', null, 'journal')
    await deps.report(next, identity)
    report = next
  }

  const startOnce = async (print: PrintToStart) => {
    if (stopping.signal.aborted) return
    if (cancelling.signal.aborted) {
      await tell(compose('finished', 'cancelled', 'journal', 'cancelled before anything was started'))
      return
    }
    const driver = printer.findDriver()
    if (!driver) {
      await tell(
        compose('finished', 'not_started', 'refusal', 'the hub has no driver for the printer', 'NOT_SUPPORTED'),
      )
      return
    }
    try {
      const { run_id } = await driver.startPrint(identity.file_name, print, leave)
      if (leave.aborted) return
      if (run_id !== null) {
        identity = { ...identity, run_id }
        // Losing it to a full disk costs precision after a restart, not safety: the file name identifies the run too.
        await deps.recordRun(report.attempt_id, run_id).catch(() => undefined)
      }
    } catch (error) {
      if (leave.aborted) return
      if (error instanceof DriverError && error.code === 'NOT_MAPPED') {
        // Certain: no start was sent.
        await tell(compose('finished', 'not_started', 'refusal', error.message, refusalCode(error.code)))
        return
      }
      if (error instanceof DriverError && error.code !== 'NO_ANSWER') {
        // No proof: what stands between the hub and the printer may have passed the start on.
        updateSighting({
          refused: { reason_code: refusalCode(error.code), detail: error.message.slice(0, 500), at: clock() },
        })
      } else log.warn('a start was not answered', { attempt_id: report.attempt_id, problem: describeError(error) })
    }
    if (!leave.aborted) watch.begin(2 * timings.confirmTimeoutMs, false)
  }

  const updateSighting = (sighting: Sighting, isToKeep = true) => {
    identity = { ...identity, sighting }
    if (isToKeep) deps.recordSighting(report.attempt_id, sighting)
  }

  const watch = createAttemptWatch({
    printer,
    timings,
    clock,
    standing: () => ({ report, identity }),
    onVerdict(verdict, runId) {
      if (runId !== null && identity.run_id === null) identity = { ...identity, run_id: runId }
      const { phase, outcome, evidence, detail, reason_code } = verdict
      void tell(compose(phase, outcome, evidence, detail, reason_code))
    },
    onSighting: updateSighting,
    onSilence() {
      void tell(compose('starting', 'unknown', 'silence', 'the start was sent, and its outcome is unknown'))
    },
  })

  return {
    id: report.attempt_id,
    get report() {
      return report
    },
    get identity() {
      return identity
    },
    get isOpen() {
      return isOpen(report)
    },
    begin(command) {
      if (!isOpen(report)) return
      if (command) sending = send(command)
      else if (report.phase === 'starting' || report.phase === 'confirmed') watch.begin(timings.confirmTimeoutMs, true)
      else
        void tell(compose('finished', 'not_started', 'journal', 'the hub restarted before the start', 'HUB_RESTARTED'))
    },
    async cancel() {
      if (report.phase !== 'transferring') return false
      cancelling.abort(new Error('cancelled'))
      await sending
      return report.outcome === 'cancelled'
    },
    async abandon() {
      await tell(compose('finished', 'unknown', 'journal', 'the printer was given a newer command', 'SUPERSEDED'))
    },
    async release() {
      if (report.phase === 'transferring') {
        cancelling.abort(new Error('released'))
        await sending
      }
      if (isOpen(report)) await tell(compose('finished', 'unknown', 'journal', 'it is over for the service', RELEASED))
    },
    takeBack(why) {
      void tell(compose('confirmed', null, 'telemetry', why))
      watch.begin(timings.confirmTimeoutMs, true)
    },
    look: watch.look,
    async stop() {
      watch.end()
      stopping.abort(new Error('the hub stops'))
      await sending
      await telling
    },
  }
}

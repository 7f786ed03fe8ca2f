import type { AttemptReport } from '@printyard/protocol/attempt'
import type { AttemptIdentity } from '../../journal/journal-state.ts'
import type { Timings } from '../../timings.ts'
import { wait } from '../../util/clock.ts'
import { describeError, type Log } from '../../util/log.ts'

export interface AttemptReportsDeps {
  /** Journals and reports; rejects with a `JournalWriteError`. */
  report(report: AttemptReport, identity: AttemptIdentity): Promise<void>
  timings: Timings
  log: Log
}

/**
 * The reports of one attempt on their way into the journal: in order, each again until the journal takes it. Nothing that follows
 * from them is sent to a printer, so a full disk only delays what people see.
 */
export class AttemptReports {
  readonly #deps: AttemptReportsDeps
  readonly #stopping: AbortSignal
  #last: Promise<void> = Promise.resolve()

  /** `stopping`: gives up what the journal does not take, as at the end of the process. */
  constructor(deps: AttemptReportsDeps, stopping: AbortSignal) {
    this.#deps = deps
    this.#stopping = stopping
  }

  /** Resolves when this one and all before it are journalled, or given up. */
  add(report: AttemptReport, identity: AttemptIdentity): Promise<void> {
    this.#last = this.#last.then(() => this.#untilTaken(report, identity))
    return this.#last
  }

  /** Resolves when nothing is on its way any more. */
  settled(): Promise<void> {
    return this.#last
  }

  async #untilTaken(report: AttemptReport, identity: AttemptIdentity): Promise<void> {
    const { timings, log } = this.#deps
    for (;;) {
      try {
        return await this.#deps.report(report, identity)
      } catch (error) {
        log.error('a report waits for the journal', {
          attempt_id: report.attempt_id,
          problem: describeError(error),
        })
        if (this.#stopping.aborted) return
        await wait(timings.retryPauseMs, this.#stopping).catch(() => undefined)
      }
    }
  }
}

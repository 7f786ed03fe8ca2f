import type { PrinterState, RunIdentity } from '@printyard/protocol/printer-state'
import { canComeBack, isOpen, type KnownAttempt } from '../journal/journal-state.ts'
import type { Attempt } from './attempt/attempt.ts'
import { isOurRun, isRunOf } from './attempt/attempt-rules.ts'

/** Finished attempts by which the last result at the printer is recognised. */
const REMEMBERED_ATTEMPTS = 20

/** The attempts of one printer: those that are open, and as many of the others as tell whose run the printer shows. */
export class PrinterAttempts {
  readonly #create: (known: KnownAttempt) => Attempt
  readonly #open: Attempt[]
  /** Oldest first, and no more of each than tells its run: what carried it out holds some kilobytes. */
  readonly #finished: KnownAttempt[]
  readonly #broughtBack = new Set<string>()

  /** `known`: what the journal holds of the printer, oldest first. */
  constructor(known: readonly KnownAttempt[], create: (known: KnownAttempt) => Attempt) {
    this.#create = create
    this.#open = known.filter(({ report }) => isOpen(report)).map(create)
    this.#finished = known.filter(({ report }) => !isOpen(report)).slice(-REMEMBERED_ATTEMPTS)
  }

  get open(): readonly Attempt[] {
    return [...this.#open]
  }

  /** The one that holds the printer; one whose start has an unknown fate holds it no more. */
  get holding(): Attempt | undefined {
    return this.#open.find(({ isOpen, report }) => isOpen && report.outcome !== 'unknown')
  }

  find(attemptId: string | null): Attempt | undefined {
    return this.#open.find(({ id }) => id === attemptId)
  }

  add(known: KnownAttempt): Attempt {
    const attempt = this.#create(known)
    this.#open.push(attempt)
    return attempt
  }

  /** Takes over one that is finished, however it got to its end. */
  retire(known: KnownAttempt): void {
    const { attempt_id } = known.report
    const index = this.#open.findIndex(({ id }) => id === attempt_id)
    if (index >= 0) this.#open.splice(index, 1)
    this.#forget(attempt_id)
    this.#finished.push(known)
    if (this.#finished.length > REMEMBERED_ATTEMPTS) this.#finished.shift()
  }

  /** Names our attempt wherever the printer's own words match its run. */
  name(run: RunIdentity): RunIdentity {
    const ours = [...this.#finished, ...this.#open].findLast(
      ({ identity, report }) => report.phase !== 'transferring' && isOurRun(run, identity),
    )
    return { ...run, attempt_id: ours?.report.attempt_id ?? null }
  }

  /**
   * Our own file runs although it was said that it never began: the attempt goes on. Not while another one is open, which then
   * finds the printer busy; and once in the life of this process, for the service may have ended it for good.
   */
  bringBackSeen(picture: PrinterState): void {
    const run = picture.run ?? picture.last_result?.run
    if (!run || picture.status === 'offline' || this.#open.length > 0) return
    const known = this.#finished.findLast((each) => isRunOf(run, each))
    if (!known || !canComeBack(known) || this.#broughtBack.has(known.report.attempt_id)) return
    const isGood = picture.run !== null || picture.last_result?.result === 'completed'
    const isRecorded = known.identity.file_name !== ''
    if (!isGood && (isRecorded || known.identity.run_id === null || known.identity.run_id !== run.job_id)) return
    if (!isRecorded && this.#wasFollowed(known)) return
    this.#broughtBack.add(known.report.attempt_id)
    this.#forget(known.report.attempt_id)
    const { sighting: _, ...identity } = known.identity
    const attempt = this.add({
      report: { ...known.report, phase: 'starting', outcome: null },
      identity: { ...identity, file_name: run.file_name },
    })
    attempt.takeBack(
      isRecorded
        ? 'the run was seen after it was said that it never began'
        : 'the run is known by the name of its file; the hub has no other record of it',
    )
  }

  /** Another command came to the printer later: a run of the older file is one that a person started once more. */
  #wasFollowed({ report }: KnownAttempt): boolean {
    return this.#finished.some((other) => other.report.fence > report.fence)
  }

  #forget(attemptId: string): void {
    const index = this.#finished.findIndex(({ report }) => report.attempt_id === attemptId)
    if (index >= 0) this.#finished.splice(index, 1)
  }
}

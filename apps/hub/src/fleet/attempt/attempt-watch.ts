import type { AttemptReport } from '@printyard/protocol/attempt'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { Capabilities } from '../../drivers/driver.ts'
import type { AttemptIdentity, Sighting } from '../../journal/journal-state.ts'
import type { Timings } from '../../timings.ts'
import type { Clock } from '../../util/clock.ts'
import type { AttemptPrinter } from './attempt-printer.ts'
import { judge, type Refusal, type Sight, sightOf, type Verdict } from './attempt-rules.ts'

interface AttemptWatchDeps {
  printer: AttemptPrinter
  timings: Timings
  clock: Clock
  /** The attempt as it stands now. */
  standing(): { report: AttemptReport; identity: AttemptIdentity }
  /** Something follows from what the printer shows; `runId` is its own identity of the run, where it tells one. */
  onVerdict(verdict: Verdict, runId: string | null): void
  /** Nothing has shown for too long what became of the start. */
  onSilence(): void
  /** Something was found out; `isToKeep` when it is to be remembered over a restart of the hub. */
  onSighting(sighting: Sighting, isToKeep: boolean): void
}

/** Progress is kept at each step of so many percent. */
const PROGRESS_STEP = 5
/** Idleness is kept so many times until it would be a proof, so that a hub that restarts all the time gets there too. */
const IDLE_STEPS = 18

interface Watching {
  beganAtMs: number
  /** Time that had passed since the start was sent when the watch began. */
  sentBeforeMs: number
  proofOfIdlenessMs: number
  timer: NodeJS.Timeout
}

/** What has been seen without a break, and for how long before the watch began. */
interface Lasting {
  kind: Sight['kind'] | 'nothing yet'
  sinceMs: number
  beforeMs: number
}

/** The watch over what a printer shows of an attempt whose start was, or may have been, sent. */
export class AttemptWatch {
  readonly #deps: AttemptWatchDeps
  #watching: Watching | undefined
  #lasting: Lasting = { kind: 'nothing yet', sinceMs: performance.now(), beforeMs: 0 }
  #keptStep: number | undefined
  #hasGap = false

  constructor(deps: AttemptWatchDeps) {
    this.#deps = deps
  }

  /**
   * `proofOfIdlenessMs`: see `JudgeInput`. `isResumed` when the printer was not watched from the start on. Does nothing when
   * the watch runs already.
   */
  begin(proofOfIdlenessMs: number, isResumed: boolean): void {
    if (this.#watching) return
    const { printer, timings, standing } = this.#deps
    if (isResumed) this.#hasGap = true
    const now = performance.now()
    this.#lasting = { kind: 'nothing yet', sinceMs: now, beforeMs: 0 }
    const intervalMs = Math.min(1_000, Math.max(10, timings.confirmTimeoutMs / 10))
    const timer = setInterval(() => this.look(printer.getState()), intervalMs)
    const sentBeforeMs = this.#sinceMs(standing().identity.start_sent_at)
    this.#watching = { beganAtMs: now, sentBeforeMs, proofOfIdlenessMs, timer }
    this.look(printer.getState())
  }

  /** Looks at a new picture of the printer. */
  look(state: PrinterState): void {
    const { timings, standing, onVerdict, onSilence } = this.#deps
    const { report, identity } = standing()
    if (!this.#watching || (report.phase !== 'starting' && report.phase !== 'confirmed')) return
    const now = performance.now()
    if (state.status === 'offline') this.#hasGap = true
    const { beganAtMs, sentBeforeMs, proofOfIdlenessMs } = this.#watching
    const sight = sightOf(state, identity)
    this.#follow(sight.kind, now, identity.sighting?.idle_ms ?? 0)
    const lastedMs = this.#lasting.beforeMs + now - this.#lasting.sinceMs
    if (sight.kind === 'running') this.#recordProgress(state.progress)
    if (sight.kind === 'never_ran' && report.phase === 'starting') this.#recordIdleness(lastedMs, proofOfIdlenessMs)
    const verdict = judge({
      phase: report.phase,
      isUnknown: report.outcome === 'unknown',
      sight,
      lastedMs,
      confirmTimeoutMs: timings.confirmTimeoutMs,
      proofOfIdlenessMs: this.#capabilities?.keepsRunIdentity ? proofOfIdlenessMs : undefined,
      refusal: this.#refusalNow(now, beganAtMs),
      lastSeen: standing().identity.sighting?.last_seen,
    })
    if (verdict) onVerdict(verdict, sight.kind === 'running' || sight.kind === 'ended' ? sight.run_id : null)
    else if (report.phase === 'starting' && report.outcome === null) {
      if (sentBeforeMs + now - beganAtMs >= timings.confirmTimeoutMs) onSilence()
    }
  }

  /** Frees its timer; no picture means anything after it. */
  end(): void {
    if (this.#watching) clearInterval(this.#watching.timer)
    this.#watching = undefined
  }

  get #capabilities(): Capabilities | undefined {
    return this.#deps.printer.findDriver()?.capabilities
  }

  /** Time since a moment of the journal. A clock that was set back since says nothing: then it counts from here. */
  #sinceMs(at: number | undefined): number {
    return at === undefined ? 0 : Math.max(0, this.#deps.clock() - at)
  }

  #remember(change: Sighting, isToKeep = true): void {
    const { sighting } = this.#deps.standing().identity
    this.#deps.onSighting({ ...sighting, ...change }, isToKeep)
  }

  /** Keeps how long the same has been seen, and of idleness also what was counted before a restart of the hub. */
  #follow(kind: Sight['kind'], now: number, idleBeforeMs: number): void {
    if (kind === this.#lasting.kind) return
    const wasIdle = this.#lasting.kind === 'never_ran'
    // A printer that is not reached yet takes nothing back that was seen of it before the restart.
    const isUnderTest = kind === 'never_ran' || kind === 'unclear'
    if (idleBeforeMs > 0 && (wasIdle || !isUnderTest)) this.#remember({ idle_ms: 0 })
    this.#lasting = { kind, sinceMs: now, beforeMs: kind === 'never_ran' && !wasIdle ? idleBeforeMs : 0 }
  }

  #recordProgress(progress: number | null): void {
    const step = progress === null ? -1 : Math.floor(progress / PROGRESS_STEP)
    const isStep = this.#keptStep === undefined || step > this.#keptStep
    if (isStep) this.#keptStep = step
    this.#remember({ last_seen: { progress, at: this.#deps.clock() } }, isStep)
  }

  #recordIdleness(lastedMs: number, proofMs: number): void {
    const keptMs = this.#deps.standing().identity.sighting?.idle_ms ?? 0
    if (lastedMs >= keptMs + proofMs / IDLE_STEPS) this.#remember({ idle_ms: Math.round(lastedMs) })
  }

  #refusalNow(now: number, beganAtMs: number): Refusal | undefined {
    const { refused } = this.#deps.standing().identity.sighting ?? {}
    if (!refused) return undefined
    const watchMs = this.#capabilities?.refusalWatchMs ?? this.#deps.timings.confirmTimeoutMs
    const watchedMs = Math.max(now - beganAtMs, this.#sinceMs(refused.at))
    const { reason_code, detail } = refused
    return { reason_code, detail, isOver: watchedMs >= watchMs, hasGap: this.#hasGap }
  }
}

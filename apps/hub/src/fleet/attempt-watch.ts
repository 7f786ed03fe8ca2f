import type { AttemptReport } from '@printyard/protocol/attempt'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { AttemptIdentity, Sighting } from '../journal/journal-state.ts'
import type { Timings } from '../timings.ts'
import type { Clock } from '../util/clock.ts'
import type { AttemptPrinter } from './attempt.ts'
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

/** The watch over what a printer shows of an attempt whose start was, or may have been, sent. */
interface AttemptWatch {
  /**
   * `proofOfIdlenessMs`: see `JudgeInput`. `isResumed` when the printer was not watched from the start on. Does nothing when
   * the watch runs already.
   */
  begin(proofOfIdlenessMs: number, isResumed: boolean): void
  /** Looks at a new picture of the printer. */
  look(state: PrinterState): void
  /** Frees its timer; no picture means anything after it. */
  end(): void
}

/** Progress is kept at each step of so many percent. */
const PROGRESS_STEP = 5
/** Idleness is kept so many times until it would be a proof, so that a hub that restarts all the time gets there too. */
const IDLE_STEPS = 18

export function createAttemptWatch(deps: AttemptWatchDeps): AttemptWatch {
  const { printer, timings, clock, standing, onVerdict, onSilence, onSighting } = deps
  let watching:
    | { beganAtMs: number; sentBeforeMs: number; proofOfIdlenessMs: number; timer: NodeJS.Timeout }
    | undefined
  let lasting: { kind: Sight['kind'] | 'nothing yet'; sinceMs: number; beforeMs: number } = {
    kind: 'nothing yet',
    sinceMs: performance.now(),
    beforeMs: 0,
  }

  let keptStep: number | undefined
  let hasGap = false

  /** Time since a moment of the journal. A clock that was set back since says nothing: then it counts from here. */
  const sinceMs = (at: number | undefined) => (at === undefined ? 0 : Math.max(0, clock() - at))

  const remember = (change: Sighting, isToKeep = true) => {
    const { sighting } = standing().identity
    onSighting({ ...sighting, ...change }, isToKeep)
  }

  /** Keeps how long the same has been seen, and of idleness also what was counted before a restart of the hub. */
  const follow = (kind: Sight['kind'], now: number, idleBeforeMs: number) => {
    if (kind === lasting.kind) return
    const wasIdle = lasting.kind === 'never_ran'
    // A printer that is not reached yet takes nothing back that was seen of it before the restart.
    const isUnderTest = kind === 'never_ran' || kind === 'unclear'
    if (idleBeforeMs > 0 && (wasIdle || !isUnderTest)) remember({ idle_ms: 0 })
    lasting = { kind, sinceMs: now, beforeMs: kind === 'never_ran' && !wasIdle ? idleBeforeMs : 0 }
  }

  const recordProgress = (progress: number | null) => {
    const step = progress === null ? -1 : Math.floor(progress / PROGRESS_STEP)
    const isStep = keptStep === undefined || step > keptStep
    if (isStep) keptStep = step
    remember({ last_seen: { progress, at: clock() } }, isStep)
  }

  const recordIdleness = (lastedMs: number, proofMs: number) => {
    const keptMs = standing().identity.sighting?.idle_ms ?? 0
    if (lastedMs >= keptMs + proofMs / IDLE_STEPS) remember({ idle_ms: Math.round(lastedMs) })
  }

  const refusalNow = (now: number, beganAtMs: number): Refusal | undefined => {
    const { refused } = standing().identity.sighting ?? {}
    if (!refused) return undefined
    const watchMs = printer.findDriver()?.capabilities.refusalWatchMs ?? timings.confirmTimeoutMs
    const watchedMs = Math.max(now - beganAtMs, sinceMs(refused.at))
    const { reason_code, detail } = refused
    return { reason_code, detail, isOver: watchedMs >= watchMs, hasGap }
  }

  const look = (state: PrinterState) => {
    const { report, identity } = standing()
    if (!watching || (report.phase !== 'starting' && report.phase !== 'confirmed')) return
    const now = performance.now()
    if (state.status === 'offline') hasGap = true
    const { beganAtMs, sentBeforeMs, proofOfIdlenessMs } = watching
    const sight = sightOf(state, identity)
    follow(sight.kind, now, identity.sighting?.idle_ms ?? 0)
    const lastedMs = lasting.beforeMs + now - lasting.sinceMs
    if (sight.kind === 'running') recordProgress(state.progress)
    if (sight.kind === 'never_ran' && report.phase === 'starting') recordIdleness(lastedMs, proofOfIdlenessMs)
    const verdict = judge({
      phase: report.phase,
      isUnknown: report.outcome === 'unknown',
      sight,
      lastedMs,
      confirmTimeoutMs: timings.confirmTimeoutMs,
      proofOfIdlenessMs: printer.findDriver()?.capabilities.keepsRunIdentity ? proofOfIdlenessMs : undefined,
      refusal: refusalNow(now, beganAtMs),
      lastSeen: standing().identity.sighting?.last_seen,
    })
    if (verdict) onVerdict(verdict, sight.kind === 'running' || sight.kind === 'ended' ? sight.run_id : null)
    else if (report.phase === 'starting' && report.outcome === null) {
      if (sentBeforeMs + now - beganAtMs >= timings.confirmTimeoutMs) onSilence()
    }
  }

  return {
    begin(proofOfIdlenessMs, isResumed) {
      if (watching) return
      if (isResumed) hasGap = true
      const now = performance.now()
      lasting = { kind: 'nothing yet', sinceMs: now, beforeMs: 0 }
      const intervalMs = Math.min(1_000, Math.max(10, timings.confirmTimeoutMs / 10))
      const timer = setInterval(() => look(printer.getState()), intervalMs)
      const sentBeforeMs = sinceMs(standing().identity.start_sent_at)
      watching = { beganAtMs: now, sentBeforeMs, proofOfIdlenessMs, timer }
      look(printer.getState())
    },
    look,
    end() {
      if (watching) clearInterval(watching.timer)
      watching = undefined
    },
  }
}

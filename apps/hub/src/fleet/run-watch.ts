import type { AttemptReport } from '@printyard/protocol/attempt'
import type { PrinterState } from '@printyard/protocol/printer-state'
import type { AttemptIdentity } from '../journal/journal-state.ts'
import type { Timings } from '../timings.ts'
import type { AttemptPrinter } from './attempt.ts'
import { judge, sightOf, type Verdict } from './attempt-rules.ts'

export interface RunWatchDeps {
  printer: AttemptPrinter
  timings: Timings
  /** The attempt as it stands now. */
  standing(): { report: AttemptReport; identity: AttemptIdentity }
  /** Something follows from what the printer shows; `runId` is its own identity of the run, where it tells one. */
  onVerdict(verdict: Verdict, runId: string | null): void
  /** Nothing has shown for too long what became of the start. */
  onSilence(): void
}

/** The watch over what a printer shows of an attempt whose start was, or may have been, sent. */
export interface RunWatch {
  /** `proofOfIdlenessMs`: see `JudgeInput`. Does nothing when the watch has begun already. */
  begin(proofOfIdlenessMs: number): void
  /** Looks at a new picture of the printer. */
  look(state: PrinterState): void
  /** Frees its timer; no picture means anything after it. */
  end(): void
}

export function createRunWatch({ printer, timings, standing, onVerdict, onSilence }: RunWatchDeps): RunWatch {
  let watching: { unknownAtMs: number; proofOfIdlenessMs: number; timer: NodeJS.Timeout } | undefined
  let lasting: { kind: string; sinceMs: number } = { kind: 'nothing yet', sinceMs: performance.now() }

  const look = (state: PrinterState) => {
    const { report, identity } = standing()
    if (!watching || (report.phase !== 'starting' && report.phase !== 'confirmed')) return
    const now = performance.now()
    const sight = sightOf(state, identity)
    if (sight.kind !== lasting.kind) lasting = { kind: sight.kind, sinceMs: now }
    const verdict = judge({
      phase: report.phase,
      sight,
      lastedMs: now - lasting.sinceMs,
      confirmTimeoutMs: timings.confirmTimeoutMs,
      proofOfIdlenessMs: printer.findDriver()?.capabilities.keepsRunIdentity ? watching.proofOfIdlenessMs : undefined,
    })
    if (verdict) onVerdict(verdict, sight.kind === 'running' || sight.kind === 'ended' ? sight.run_id : null)
    else if (report.phase === 'starting' && report.outcome === null && now >= watching.unknownAtMs) onSilence()
  }

  return {
    begin(proofOfIdlenessMs) {
      if (watching) return
      const now = performance.now()
      lasting = { kind: 'nothing yet', sinceMs: now }
      const intervalMs = Math.min(1_000, Math.max(10, timings.confirmTimeoutMs / 10))
      const timer = setInterval(() => look(printer.getState()), intervalMs)
      watching = { unknownAtMs: now + timings.confirmTimeoutMs, proofOfIdlenessMs, timer }
      look(printer.getState())
    },
    look,
    end() {
      if (watching) clearInterval(watching.timer)
      watching = undefined
    },
  }
}

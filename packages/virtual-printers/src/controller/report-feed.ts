import { describeDevice, isWarm } from '../device/device-report.ts'
import type { Machine } from '../device/device-state.ts'
import type { VirtualReport } from '../virtual-printer.ts'
import type { Link } from './link.ts'
import type { PrinterMemory, ReportError } from './printer-memory.ts'
import { secondsAt } from './sim-clock.ts'

const minReportGapMs = 250
const maxReportGapMs = 1_000
/** A printer that does nothing repeats itself this often, so that its silence means something. */
const keepAliveMs = 5_000

/** Reports of one printer to its listeners, no more often than a real printer sends them. */
export class ReportFeed {
  private readonly machine: Machine
  private readonly memory: PrinterMemory
  private readonly link: Link
  private readonly reportError: ReportError
  private readonly listeners = new Set<(report: VirtualReport) => void>()
  private lastReportMs = Number.NEGATIVE_INFINITY
  private lastReportText = ''
  private lastSentMs = Number.NEGATIVE_INFINITY
  private reportedRevision = 0
  private reportedRunId: string | null = null

  constructor(machine: Machine, memory: PrinterMemory, link: Link, reportError: ReportError) {
    this.machine = machine
    this.memory = memory
    this.link = link
    this.reportError = reportError
  }

  /** Adds a listener; what it answers takes it away. */
  subscribe(listener: (report: VirtualReport) => void): () => void {
    // Wrapped, so that the same function can listen twice and each end its own subscription.
    const subscription = (report: VirtualReport) => listener(report)
    this.listeners.add(subscription)
    return () => {
      this.listeners.delete(subscription)
    }
  }

  clear(): void {
    this.listeners.clear()
  }

  /** Has the next report sent although it says what the last one said, so that a link that is back is noticed. */
  repeat(): void {
    this.lastReportText = ''
  }

  /** The real moment of the next report. */
  nextMs(nowMs: number): number {
    if (this.listeners.size === 0 || this.link.isSilent) return Number.POSITIVE_INFINITY
    const { state, revision } = this.memory
    // No real print is so short that it falls between two reports.
    if (state.run !== null && state.run.id !== this.reportedRunId) return Number.NEGATIVE_INFINITY
    if (revision !== this.reportedRevision) return this.lastReportMs + minReportGapMs
    const isBusy = state.run?.phase === 'heating' || state.run?.phase === 'printing' || state.filamentChange !== null
    // While it works a report for each simulated second would be plenty; a printer that only cools needs fewer.
    if (isBusy) {
      return this.lastReportMs + Math.min(maxReportGapMs, Math.max(minReportGapMs, 1_000 / state.clock.speed))
    }
    const isChanging = isWarm(this.machine, state, secondsAt(state.clock, nowMs))
    return this.lastReportMs + (isChanging ? maxReportGapMs : keepAliveMs)
  }

  /** Sends a report if one is due. */
  send(nowMs: number): void {
    if (this.nextMs(nowMs) > nowMs) return
    const { state, revision } = this.memory
    this.lastReportMs = nowMs
    this.reportedRevision = revision
    this.reportedRunId = state.run?.id ?? null
    const report = describeDevice(this.machine, state, secondsAt(state.clock, nowMs))
    const text = JSON.stringify(report)
    if (text === this.lastReportText && nowMs < this.lastSentMs + keepAliveMs) return
    this.lastReportText = text
    this.lastSentMs = nowMs
    for (const listener of [...this.listeners]) {
      try {
        listener(report)
      } catch (error) {
        this.reportError(error, 'a listener of reports failed')
      }
    }
  }
}

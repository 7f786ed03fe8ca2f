import { createBucket } from '../kernel/bucket.ts'
import type { PrinterId } from '../kernel/ids.ts'
import type { HubMessageBody } from '../live/hub-messages.ts'

type Report = HubMessageBody<'telemetry'>['printers'][number]

/** Number of reports of printers one connection may bring in the long run and at once: five hundred printers bring one a second each. */
const reportsPerSecond = 2_000
const reportBurst = 4_000

/** Beyond that the newest of each printer is taken so often. */
const gatherMs = 250

interface Applied {
  has(printerId: PrinterId): boolean
  apply(reports: Report[]): void
}

/**
 * Lets reports of printers through as they come, and when a hub sends too many, of each printer only the newest now and then: it
 * keeps one report for each of its printers and nothing else, before anything is stored or told to streams.
 */
export class TelemetryGate {
  readonly #to: Applied
  readonly #nowMs: () => number
  readonly #bucket = createBucket(reportBurst, reportsPerSecond)
  readonly #held = new Map<PrinterId, Report>()
  #timer: NodeJS.Timeout | undefined

  constructor(to: Applied, nowMs: () => number = () => performance.now()) {
    this.#to = to
    this.#nowMs = nowMs
  }

  take(reports: Report[]): void {
    if (this.#held.size === 0 && this.#bucket.has(reports.length, this.#nowMs())) {
      this.#bucket.take(reports.length, this.#nowMs())
      this.#to.apply(reports)
      return
    }
    for (const report of reports) if (this.#to.has(report.printer_id)) this.#hold(report)
    this.#timer ??= setTimeout(() => this.#release(), gatherMs).unref()
  }

  /** Forgets what is held. */
  close(): void {
    clearTimeout(this.#timer)
    this.#held.clear()
  }

  #hold(report: Report): void {
    const earlier = this.#held.get(report.printer_id)
    const isWhole = report.full || !earlier
    this.#held.set(
      report.printer_id,
      isWhole ? report : { ...report, full: earlier.full, state: { ...earlier.state, ...report.state } },
    )
  }

  #release(): void {
    this.#timer = undefined
    const reports = [...this.#held.values()]
    this.#held.clear()
    this.#bucket.take(reports.length, this.#nowMs())
    this.#to.apply(reports)
  }
}

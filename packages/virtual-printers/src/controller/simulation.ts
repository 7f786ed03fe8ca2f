import { describeDevice } from '../device/device-report.ts'
import { advance, foreseenAt, type Machine } from '../device/device-state.ts'
import type { Schedule } from '../manual-clock.ts'
import type { VirtualReport } from '../virtual-printer.ts'
import type { Link } from './link.ts'
import type { PrinterMemory } from './printer-memory.ts'
import type { ReportFeed } from './report-feed.ts'
import { hang } from './silent-link.ts'
import { secondsAt, wallMsAt } from './sim-clock.ts'

/** The longest wait that timers take; far events are looked at again by then. */
const maxTimerMs = 2 ** 31 - 1

interface SimulationParts {
  machine: Machine
  memory: PrinterMemory
  link: Link
  reports: ReportFeed
  /** The real clock, in milliseconds since 1970. */
  now: () => number
  schedule: Schedule
}

/** The passing of time in one printer, between `powerOn` and `powerOff`. */
export class Simulation {
  readonly machine: Machine
  readonly memory: PrinterMemory
  readonly link: Link
  readonly reports: ReportFeed
  readonly now: () => number
  private readonly schedule: Schedule
  private cancelTimer: (() => void) | null = null

  constructor({ machine, memory, link, reports, now, schedule }: SimulationParts) {
    this.machine = machine
    this.memory = memory
    this.link = link
    this.reports = reports
    this.now = now
    this.schedule = schedule
  }

  powerOn(): void {
    if (this.link.isOn) return
    this.link.isOn = true
    const seconds = this.catchUp()
    const detail = this.machine.model.name
    this.memory.record({}, [{ seconds, kind: 'powered_on', fileName: null, runId: null, detail }])
    this.refresh()
  }

  powerOff(): void {
    if (!this.link.isOn) return
    this.catchUp()
    this.memory.flush()
    this.link.isOn = false
    this.cancelTimer?.()
    this.cancelTimer = null
    this.reports.clear()
    this.link.freezeWaits()
  }

  /** Brings the device up to the present and answers when that is, in simulated seconds. */
  catchUp(): number {
    const { memory, link } = this
    const before = memory.state
    const seconds = secondsAt(before.clock, this.now())
    const step = advance(this.machine, before, seconds)
    if (link.isOn) {
      memory.commit(step)
      if (before.offUntil !== null && memory.state.offUntil === null) link.resetConnections()
    } else if (step.state !== before) {
      memory.foresee(step)
    }
    return seconds
  }

  /** To be called after anything that changed the device or may have let time pass. */
  refresh(): void {
    if (!this.link.isOn) return
    this.catchUp()
    this.reports.send(this.now())
    this.setTimer()
  }

  report(): VirtualReport {
    const seconds = this.catchUp()
    return describeDevice(this.machine, this.memory.state, seconds)
  }

  onReport(listener: (report: VirtualReport) => void): () => void {
    const end = this.reports.subscribe(listener)
    this.setTimer()
    return () => {
      end()
      this.setTimer()
    }
  }

  /**
   * Answers one question over the link. What `act` does happens at once; its answer, good or bad, travels back a moment
   * later and is lost when the link is lost by then.
   */
  async answer<T>(signal: AbortSignal, act: (seconds: number) => T): Promise<T> {
    signal.throwIfAborted()
    if (this.link.isSilent) return hang(signal)
    let outcome: () => T
    try {
      const value = act(this.catchUp())
      outcome = () => value
    } catch (error) {
      outcome = () => {
        throw error
      }
    }
    this.refresh()
    await Promise.resolve()
    if (this.link.isSilent) return hang(signal)
    signal.throwIfAborted()
    return outcome()
  }

  private setTimer(): void {
    this.cancelTimer?.()
    this.cancelTimer = null
    if (!this.link.isOn) return
    const nowMs = this.now()
    const dueMs = Math.min(this.foreseenMs(), this.reports.nextMs(nowMs))
    if (dueMs === Number.POSITIVE_INFINITY) return
    const delayMs = Math.min(maxTimerMs, Math.max(1, Math.ceil(dueMs - nowMs)))
    this.cancelTimer = this.schedule(() => {
      this.cancelTimer = null
      this.refresh()
    }, delayMs)
  }

  private foreseenMs(): number {
    const { state } = this.memory
    const seconds = foreseenAt(this.machine, state)
    return seconds === null ? Number.POSITIVE_INFINITY : wallMsAt(state.clock, seconds)
  }
}

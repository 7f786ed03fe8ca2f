import type { DeviceEvent, DeviceState, Step } from '../device/device-state.ts'
import { plateOf } from '../device/physical-plate.ts'
import type { VirtualPrinterEvent } from '../virtual-printer.ts'
import { type SimClock, wallMsAt } from './sim-clock.ts'
import { openStateLog, type StateLog, thinEvents } from './state-log.ts'

/** State that survives the process. */
interface StoredState extends DeviceState {
  clock: SimClock
}

/** Told what went wrong outside the printer. */
export type ReportError = (error: unknown, what: string) => void

const eventsToKeep = 2_000

/** State and history of one printer, in memory and, when it has one, in its state file. */
export class PrinterMemory {
  /** True when the state file had a state to go on from. */
  readonly wasStored: boolean
  private readonly log: StateLog<StoredState> | null
  private readonly reportError: ReportError
  private present: StoredState
  private history: VirtualPrinterEvent[]
  private thinEventsAt: number
  /** As long as this is set the next write has to be of everything. */
  private isLogBehind = true
  private changes = 0

  /** Reads the state file; throws when that is damaged. */
  constructor(fresh: StoredState, stateFile: string | undefined, reportError: ReportError) {
    this.log = stateFile === undefined ? null : openStateLog<StoredState>(stateFile)
    this.reportError = reportError
    const { state, events } = this.log?.stored ?? { state: {}, events: [] }
    this.wasStored = state.clock !== undefined
    this.present = { ...fresh, ...state, plate: plateOf(state) }
    this.history = events
    this.thinEventsAt = Math.max(2 * eventsToKeep, 2 * events.length)
  }

  get state(): StoredState {
    return this.present
  }

  /** Everything that happened, oldest first. */
  get events(): readonly VirtualPrinterEvent[] {
    return this.history
  }

  /** Grows with each change. */
  get revision(): number {
    return this.changes
  }

  /** Takes settings of the caller for what was stored; nothing happened to the device. */
  adopt(parts: Partial<StoredState>): void {
    this.present = { ...this.present, ...parts }
  }

  /** Takes what can be worked out again, and so is not written: the file may by now belong to a printer made later. */
  foresee(step: Step): void {
    this.change(step.state, step.events)
    this.isLogBehind = true
  }

  record(parts: Partial<StoredState>, deviceEvents: readonly DeviceEvent[]): void {
    const happened = this.change(parts, deviceEvents)
    const isRewriteDue = this.isLogBehind || this.log?.isOverdue === true
    if (this.history.length > this.thinEventsAt) {
      this.history = thinEvents(this.history, eventsToKeep)
      this.thinEventsAt = 2 * Math.max(eventsToKeep, this.history.length)
    }
    try {
      if (isRewriteDue) this.log?.rewrite(this.present, this.history)
      else this.log?.append(parts, happened)
      this.isLogBehind = false
    } catch (error) {
      this.isLogBehind = true
      this.reportError(error, 'the state file cannot be written')
    }
  }

  /** Records what a step changed, if anything. */
  commit(step: Step): void {
    const parts = changedParts<DeviceState>(this.present, step.state)
    if (parts !== null || step.events.length > 0) this.record(parts ?? {}, step.events)
  }

  /** Writes what was not written yet. */
  flush(): void {
    if (this.isLogBehind) this.record({}, [])
  }

  private change(parts: Partial<StoredState>, deviceEvents: readonly DeviceEvent[]): VirtualPrinterEvent[] {
    const clock = parts.clock ?? this.present.clock
    const happened = deviceEvents.map(({ seconds, ...event }) => ({
      at: Math.round(wallMsAt(clock, seconds)),
      ...event,
    }))
    this.present = { ...this.present, ...parts }
    this.history.push(...happened)
    this.changes += 1
    return happened
  }
}

/** The members that are not the very same value; null when all are. */
function changedParts<State extends object>(before: State, after: State): Partial<State> | null {
  const change: Partial<State> = {}
  let hasChanged = false
  for (const key of Object.keys(after) as (keyof State)[]) {
    if (before[key] === after[key]) continue
    change[key] = after[key]
    hasChanged = true
  }
  return hasChanged ? change : null
}

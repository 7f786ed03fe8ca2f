import {
  changeFilament,
  isActive,
  pauseRun,
  type RunStart,
  resumeRun,
  type Step,
  setHeaterTargets,
  startRun,
  stopAll,
} from '../device/device-state.ts'
import { type PrintPlan, VirtualPrinterError } from '../virtual-printer.ts'
import type { Simulation } from './simulation.ts'

/** Commands over the link, carried out, refused or ignored as the printer's faults have it. */
export class Commands {
  private readonly simulation: Simulation
  private readonly lateStartMs: number

  /** @param lateStartMs real time from the refusal of a `refusal_after_effect` start to its effect */
  constructor(simulation: Simulation, lateStartMs: number) {
    this.simulation = simulation
    this.lateStartMs = lateStartMs
  }

  start(fileName: string, plan: PrintPlan, signal: AbortSignal): Promise<{ runId: string }> {
    const { machine, memory } = this.simulation
    return this.simulation.answer(signal, (seconds) => {
      const runId = this.newRunId()
      const start = { runId, fileName, plan, mustBeStored: true }
      if (memory.state.faults.includes('refusal_after_effect')) this.refuseBeforeEffect(seconds, start)
      const isDone = this.execute('start', fileName, seconds, () => startRun(machine, memory.state, seconds, start))
      // An identity that was given away is used up, even for a run that never is.
      if (!isDone) memory.commit({ state: { ...memory.state, runCount: memory.state.runCount + 1 }, events: [] })
      return { runId }
    })
  }

  pause(signal: AbortSignal): Promise<void> {
    return this.run('pause', signal, (seconds) => pauseRun(this.simulation.memory.state, seconds))
  }

  resume(signal: AbortSignal): Promise<void> {
    const { machine, memory } = this.simulation
    return this.run('resume', signal, (seconds) => resumeRun(machine, memory.state, seconds))
  }

  stop(signal: AbortSignal): Promise<void> {
    const { machine, memory } = this.simulation
    return this.run('stop', signal, (seconds) => stopAll(machine, memory.state, seconds))
  }

  setTargets(targets: { nozzle?: number; bed?: number; chamber?: number }, signal: AbortSignal): Promise<void> {
    const { machine, memory } = this.simulation
    return this.run('set targets', signal, (seconds) => setHeaterTargets(machine, memory.state, seconds, targets))
  }

  setLight(on: boolean, signal: AbortSignal): Promise<void> {
    const { memory } = this.simulation
    return this.run('switch the light', signal, () => ({ state: { ...memory.state, lightOn: on }, events: [] }))
  }

  changeFilament(kind: 'load' | 'unload', signal: AbortSignal): Promise<void> {
    const { machine, memory } = this.simulation
    return this.run(`${kind} filament`, signal, (seconds) => changeFilament(machine, memory.state, seconds, kind))
  }

  /** Starts a print at the printer's own screen: over no link, so no fault of that stands in the way. */
  startByHand(fileName: string, plan: PrintPlan): { runId: string } {
    const { machine, memory, link } = this.simulation
    if (!link.isOn || memory.state.offUntil !== null) {
      throw new VirtualPrinterError('WRONG_STATE', 'The printer is switched off.')
    }
    const seconds = this.simulation.catchUp()
    // A machine prepares one print: what a person starts takes the place of one that it had not started.
    const acknowledged = { ...memory.state, faultMessage: null, lateStart: null }
    const runId = this.newRunId()
    memory.commit(startRun(machine, acknowledged, seconds, { runId, fileName, plan, mustBeStored: false }))
    this.simulation.refresh()
    return { runId }
  }

  /** Writes into the printer's log what came of something that it was asked to do. */
  log(seconds: number, kind: 'refused' | 'ignored', fileName: string | null, detail: string): void {
    const { memory } = this.simulation
    const { run } = memory.state
    const runId = isActive(run) ? run.id : null
    memory.commit({ state: memory.state, events: [{ seconds, kind, fileName, runId, detail }] })
  }

  private run(name: string, signal: AbortSignal, act: (seconds: number) => Step): Promise<void> {
    return this.simulation.answer(signal, (seconds) => {
      this.execute(name, null, seconds, () => act(seconds))
    })
  }

  /** False when a fault had the command ignored. */
  private execute(name: string, fileName: string | null, seconds: number, act: () => Step): boolean {
    const { memory } = this.simulation
    try {
      if (memory.state.faults.includes('refuse')) {
        throw new VirtualPrinterError('REFUSED', `The printer refuses to ${name}: not allowed by its present settings.`)
      }
      if (memory.state.faults.includes('yes_without_effect')) {
        this.log(seconds, 'ignored', fileName, name)
        return false
      }
      memory.commit(act())
      return true
    } catch (error) {
      if (error instanceof VirtualPrinterError) this.log(seconds, 'refused', fileName, `${name}: ${error.message}`)
      throw error
    }
  }

  /** Refuses a start that takes effect anyway; nothing else of the machine knows of it until then. */
  private refuseBeforeEffect(seconds: number, start: RunStart): never {
    const { memory } = this.simulation
    const { state } = memory
    const at = seconds + (this.lateStartMs / 1_000) * state.clock.speed
    memory.commit({ state: { ...state, runCount: state.runCount + 1, lateStart: { at, start } }, events: [] })
    this.log(seconds, 'refused', start.fileName, 'start: it takes effect anyway')
    throw new VirtualPrinterError('REFUSED', 'The printer could not start the print.')
  }

  private newRunId(): string {
    const { memory, now } = this.simulation
    // With the time in it, so that a printer without memory does not repeat the identities of an earlier life.
    return `${Math.floor(now()).toString(36)}-${memory.state.runCount + 1}`
  }
}

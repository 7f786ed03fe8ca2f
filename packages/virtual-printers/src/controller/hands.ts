import { type Filament, restartMachine, takeOffPlate } from '../device/device-state.ts'
import { type Fault, type MachineRestart, VirtualPrinterError } from '../virtual-printer.ts'
import { withSpeed } from './sim-clock.ts'
import type { Simulation } from './simulation.ts'

/** What happens to one printer other than over its link: by a person, or by the caller of the simulation. */
export class Hands {
  private readonly simulation: Simulation
  private readonly remembersLastRun: boolean

  /** @param remembersLastRun whether the printer shows its last run after a restart that does not say */
  constructor(simulation: Simulation, remembersLastRun: boolean) {
    this.simulation = simulation
    this.remembersLastRun = remembersLastRun
  }

  setFaults(active: readonly Fault[]): void {
    const { memory, link, reports } = this.simulation
    const seconds = this.simulation.catchUp()
    const isLinkBack = memory.state.faults.includes('lost_link') && !active.includes('lost_link')
    memory.record({ faults: [...new Set(active)], faultsSince: seconds }, [])
    if (isLinkBack) link.resetConnections()
    reports.repeat()
    this.simulation.refresh()
  }

  setSpeed(speed: number): void {
    const { memory, now } = this.simulation
    this.simulation.catchUp()
    memory.record({ clock: withSpeed(memory.state.clock, now(), speed) }, [])
    this.simulation.refresh()
  }

  putSpool(filament: Filament): void {
    const { machine, memory } = this.simulation
    this.simulation.catchUp()
    const { run } = memory.state
    if (run && run.phase !== 'ended' && run.phase !== 'paused') {
      throw new VirtualPrinterError('WRONG_STATE', 'It prints.')
    }
    machine.spool = filament
    memory.record({ filament }, [])
    this.simulation.refresh()
  }

  takeOffPlate(): void {
    const { memory } = this.simulation
    const seconds = this.simulation.catchUp()
    memory.commit(takeOffPlate(memory.state, seconds))
    this.simulation.refresh()
  }

  acknowledgeFault(): void {
    const { memory } = this.simulation
    this.simulation.catchUp()
    memory.commit({ state: { ...memory.state, faultMessage: null }, events: [] })
    this.simulation.refresh()
  }

  takePrintOff(): void {
    const { memory } = this.simulation
    const seconds = this.simulation.catchUp()
    const { state, events } = takeOffPlate(memory.state, seconds)
    memory.commit({ state: { ...state, faultMessage: null }, events })
    this.simulation.refresh()
  }

  restart({ remembers = this.remembersLastRun, offMs = 0 }: MachineRestart = {}): void {
    const { machine, memory, link, reports } = this.simulation
    const seconds = this.simulation.catchUp()
    const offSeconds = (offMs / 1_000) * memory.state.clock.speed
    memory.commit(restartMachine(machine, memory.state, seconds, { remembers, offSeconds }))
    link.resetConnections()
    reports.repeat()
    this.simulation.refresh()
  }
}

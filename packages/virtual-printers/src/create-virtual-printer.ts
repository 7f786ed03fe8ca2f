import { Commands } from './controller/commands.ts'
import { Hands } from './controller/hands.ts'
import { Link } from './controller/link.ts'
import { PrinterMemory } from './controller/printer-memory.ts'
import { ReportFeed } from './controller/report-feed.ts'
import { assertSpeed, withSpeed } from './controller/sim-clock.ts'
import { Simulation } from './controller/simulation.ts'
import { StoredFiles } from './controller/stored-files.ts'
import { type Filament, initialState, type Machine } from './device/device-state.ts'
import { modelNamed } from './device/models.ts'
import { randomAt, seedOf } from './device/seeded-noise.ts'
import type { Schedule } from './manual-clock.ts'
import type { Fault, VirtualPrinter } from './virtual-printer.ts'

export interface VirtualPrinterOptions {
  id: string
  /** A name as people write it; an unknown one gives a generic printer. */
  model: string
  /** Simulated seconds for each real second, up to 100,000. Left out: as stored, else 1. */
  speed?: number
  /** For temperatures and layers; left out it follows from the id. */
  seed?: number
  /** The real clock, in milliseconds since 1970. */
  now?: () => number
  schedule?: Schedule
  /** File in which the printer keeps its memory. One file belongs to one printer. Without it the printer forgets with its process. */
  stateFile?: string
  /** The faults that are on from now on. Left out: as stored, else none. */
  faults?: readonly Fault[]
  /** What is loaded at first, and what a person puts in at `loadFilament`. */
  filament?: Filament
  /** Time that the real wait of a slow file store is. */
  slowFileStoreMs?: number
  /** How long after its refusal a `refusal_after_effect` start takes effect, in real milliseconds. Default: 5000. */
  lateStartMs?: number
  /** True when the printer shows its last run after a restart of its own. Default: true. */
  remembersLastRun?: boolean
  /** Told what went wrong outside the printer: a listener that throws, a state file that cannot be written. */
  onError?: (error: unknown, what: string) => void
}

/**
 * Makes a simulated printer. It reads its state file at once and throws when that is damaged; it begins to act, answer and
 * report with `powerOn`. A printer that is switched off answers nothing: calls hang until their signal aborts. Switching
 * off ends the simulation, not the printing: time goes on for it as for a printer that no one watches.
 */
export function createVirtualPrinter(options: VirtualPrinterOptions): VirtualPrinter {
  const { id } = options
  const simulation = openSimulation(options)
  const { memory } = simulation
  const commands = new Commands(simulation, options.lateStartMs ?? 5_000)
  const files = new StoredFiles(simulation, commands, options.slowFileStoreMs ?? 30_000)
  const hands = new Hands(simulation, options.remembersLastRun ?? true)

  return {
    id,
    get events() {
      simulation.catchUp()
      return [...memory.events]
    },
    get plate() {
      simulation.catchUp()
      return memory.state.plate
    },
    powerOn: async () => simulation.powerOn(),
    powerOff: async () => simulation.powerOff(),
    report: () => simulation.report(),
    onReport: (listener) => simulation.onReport(listener),
    upload: (fileName, sizeBytes, content, signal) => files.upload(fileName, sizeBytes, content, signal),
    listFiles: (signal) => files.list(signal),
    deleteFile: (fileName, signal) => files.delete(fileName, signal),
    startPrint: (fileName, plan, signal) => commands.start(fileName, plan, signal),
    pause: (signal) => commands.pause(signal),
    resume: (signal) => commands.resume(signal),
    stop: (signal) => commands.stop(signal),
    setTargets: (targets, signal) => commands.setTargets(targets, signal),
    setLight: (on, signal) => commands.setLight(on, signal),
    loadFilament: (signal) => commands.changeFilament('load', signal),
    unloadFilament: (signal) => commands.changeFilament('unload', signal),
    startByHand: (fileName, plan) => commands.startByHand(fileName, plan),
    setFaults: (active) => hands.setFaults(active),
    setSpeed: (speed) => hands.setSpeed(speed),
    putSpool: (filament) => hands.putSpool(filament),
    takeOffPlate: () => hands.takeOffPlate(),
    acknowledgeFault: () => hands.acknowledgeFault(),
    takePrintOff: () => hands.takePrintOff(),
    restart: (how) => hands.restart(how),
  }
}

/** The simulation as its state file left it, or a new one, with what the options set. */
function openSimulation(options: VirtualPrinterOptions): Simulation {
  const { id, speed, faults } = options
  if (speed !== undefined) assertSpeed(speed)
  const now = options.now ?? Date.now
  const schedule = options.schedule ?? scheduleTimeout
  const onError = options.onError ?? ((error, what) => console.error(`virtual printer ${id}: ${what}`, error))
  const machine = machineOf(options)
  const fresh = { clock: { wallMs: now(), seconds: 0, speed: speed ?? 1 }, ...initialState(machine) }
  const memory = new PrinterMemory(fresh, options.stateFile, onError)
  const link = new Link(memory, schedule)
  const reports = new ReportFeed(machine, memory, link, onError)
  const simulation = new Simulation({ machine, memory, link, reports, now, schedule })
  if (memory.wasStored) {
    const seconds = simulation.catchUp()
    if (speed !== undefined) memory.adopt({ clock: withSpeed(memory.state.clock, now(), speed) })
    if (faults !== undefined) memory.adopt({ faults: [...faults], faultsSince: seconds })
  } else if (faults !== undefined) {
    memory.adopt({ faults: [...faults] })
  }
  return simulation
}

function machineOf({ id, model, seed = seedOf(id), filament }: VirtualPrinterOptions): Machine {
  return {
    model: modelNamed(model),
    seed,
    ambientTemp: 19 + 3 * randomAt(seed, 0),
    spool: filament ?? { type: 'PLA', colorHex: '#1A1A1A' },
  }
}

function scheduleTimeout(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs)
  return () => clearTimeout(timer)
}

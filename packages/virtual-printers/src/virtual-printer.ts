/**
 * The contract of a simulated printer: a device that a driver talks to, with no knowledge of Printyard's service or hub.
 * It is deliberately as unhelpful as real ones: it keeps reporting its last result, it may say yes and do nothing, and a
 * job that someone starts at its screen looks like any other.
 */

/** Faults on demand; each can be switched on and off while the printer runs. */
export const faults = [
  /** The filament runs out in the middle of the print: it pauses and wants a person. */
  'runout',
  /** The link is silent: calls hang until their signal aborts, reports stop; the print goes on. */
  'lost_link',
  /** Every command is refused with a reason. */
  'refuse',
  /** Commands and starts are answered with yes and have no effect. */
  'yes_without_effect',
  /** A running print is reported as completed long before it is. */
  'lying_finish',
  /** An upload breaks off half way and leaves a partial file. */
  'half_upload',
  /** The file store has no room: every upload is refused at its end. */
  'storage_full',
  /** The file store takes very long to accept a file and to list it. */
  'slow_file_store',
  /** The print fails with a thermal fault half way. */
  'print_failure',
  /** A start is refused, and takes effect anyway some seconds later. */
  'refusal_after_effect',
  /** The fault that a failed print leaves is not ended by a stop, only by a person at the machine. */
  'lasting_error',
  /** With a fault on its screen the machine neither answers nor reports, as long as that is there. */
  'silent_error',
  /** A file whose end pushes the print off the plate does not manage to: it stays. */
  'stuck_ejection',
] as const
export type Fault = (typeof faults)[number]

/** Plan that the printer would read out of the sliced file; the simulation runs on it. Temperatures in °C. */
export interface PrintPlan {
  printTimeSeconds: number
  layerCount: number
  nozzleTemp: number
  bedTemp: number
}

export type VirtualPrinterActivity = 'idle' | 'heating' | 'printing' | 'paused' | 'changing_filament' | 'fault'

/** What the printer says about itself at one moment, in its own words. A driver turns it into a `PrinterState`. */
export interface VirtualReport {
  activity: VirtualPrinterActivity
  message: string | null
  /** Identity of the present run, or of the last one until the next begins. */
  runId: string | null
  fileName: string | null
  lastResult: 'completed' | 'failed' | 'cancelled' | null
  lastResultReason: string | null
  /** 0 to 1. */
  progress: number
  layer: number
  totalLayers: number
  remainingSeconds: number | null
  nozzle: { actual: number; target: number }
  bed: { actual: number; target: number }
  chamber: { actual: number; target: number } | null
  lightOn: boolean
  filament: { type: string; colorHex: string } | null
  firmware: string
}

/** One line of the printer's own log: what physically happened to it, for tests to judge by. */
export interface VirtualPrinterEvent {
  at: number
  kind:
    | 'powered_on'
    | 'uploaded'
    | 'upload_broken'
    | 'started'
    | 'paused'
    | 'resumed'
    | 'cancelled'
    | 'failed'
    | 'completed'
    | 'refused'
    | 'ignored'
    | 'plate_taken_off'
    | 'ejected'
    | 'restarted'
    | 'started_on_occupied_plate'
  fileName: string | null
  runId: string | null
  detail: string | null
  /** What lay on the plate at the moment of `started`, and what `plate_taken_off` and `ejected` took away. */
  onPlate?: readonly PlatedRun[]
}

/** A run of which something lies on the plate: from its first layer on, whatever became of it. */
export interface PlatedRun {
  runId: string
  fileName: string
}

/** A power cut, or a crash of the machine's own program. */
export interface MachineRestart {
  /** True when it shows its last run afterwards. Default: as the printer was made, see `remembersLastRun`. */
  remembers?: boolean
  /** Time that it is without power, in real milliseconds. Default: 0. */
  offMs?: number
}

export interface VirtualPrinter {
  readonly id: string
  /** Everything that happened since the state file was first written, oldest first. */
  readonly events: readonly VirtualPrinterEvent[]
  /** What lies on the plate, as one sees who stands before it. No report tells, and no restart changes it. */
  readonly plate: readonly PlatedRun[]
  /** Begins to simulate. With a state file a print that was running went on meanwhile, as in a real printer. */
  powerOn(): Promise<void>
  /** Frees every timer and listener and stores the state; can be powered on again. */
  powerOff(): Promise<void>
  report(): VirtualReport
  /** Called after each change, at most a few times a second. */
  onReport(listener: (report: VirtualReport) => void): () => void
  /** Stores a file; rejects with a `VirtualPrinterError` when the upload breaks. */
  upload(fileName: string, sizeBytes: number, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>
  listFiles(signal: AbortSignal): Promise<{ fileName: string; sizeBytes: number }[]>
  deleteFile(fileName: string, signal: AbortSignal): Promise<void>
  /** Answers with the printer's identity of the run; an answer is not evidence that it runs. */
  startPrint(fileName: string, plan: PrintPlan, signal: AbortSignal): Promise<{ runId: string }>
  pause(signal: AbortSignal): Promise<void>
  resume(signal: AbortSignal): Promise<void>
  stop(signal: AbortSignal): Promise<void>
  setTargets(targets: { nozzle?: number; bed?: number; chamber?: number }, signal: AbortSignal): Promise<void>
  setLight(on: boolean, signal: AbortSignal): Promise<void>
  loadFilament(signal: AbortSignal): Promise<void>
  unloadFilament(signal: AbortSignal): Promise<void>
  /** Replaces the set of faults that are on. */
  setFaults(active: readonly Fault[]): void
  setSpeed(speed: number): void
  /**
   * A person starts a print at the printer's own screen, from its storage or a stick, and acknowledges the fault that is
   * shown. A plan of one second without heat begins and ends at once. Answers with the printer's identity of the run.
   */
  startByHand(fileName: string, plan: PrintPlan): { runId: string }
  /** A person takes everything off the plate. The device cannot sense it. Throws a `VirtualPrinterError` while it prints. */
  takeOffPlate(): void
  /** A person acknowledges the fault that is shown. */
  acknowledgeFault(): void
  /** Both: a person takes everything off and acknowledges the fault. */
  takePrintOff(): void
  /** The machine loses its power or crashes, and comes back. What lies on its plate stays. */
  restart(how?: MachineRestart): void
  /** A person puts another spool in by hand. Throws a `VirtualPrinterError` while it prints. */
  putSpool(filament: { type: string; colorHex: string }): void
}

/** A refusal or failure of a simulated printer, as its protocol would report it. */
export class VirtualPrinterError extends Error {
  readonly code:
    | 'REFUSED'
    | 'BUSY'
    | 'NO_SUCH_FILE'
    | 'WRONG_STATE'
    | 'UPLOAD_BROKEN'
    | 'STORAGE_FULL'
    | 'NOT_SUPPORTED'

  constructor(code: VirtualPrinterError['code'], message: string) {
    super(message)
    this.name = 'VirtualPrinterError'
    this.code = code
  }
}

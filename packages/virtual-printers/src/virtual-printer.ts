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
] as const
export type Fault = (typeof faults)[number]

/** What the printer would read out of the sliced file; the simulation runs on it. Temperatures in °C. */
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
    | 'plate_cleared'
    | 'started_on_occupied_plate'
  fileName: string | null
  runId: string | null
  detail: string | null
}

export interface VirtualPrinter {
  readonly id: string
  /** Everything that happened since the state file was first written, oldest first. */
  readonly events: readonly VirtualPrinterEvent[]
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
  /** A person starts a print at the printer's own screen. */
  startAtScreen(fileName: string, plan: PrintPlan): void
  /** A person takes the print off the plate. The device cannot sense it; it only matters for `started_on_occupied_plate`. */
  takePrintOff(): void
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

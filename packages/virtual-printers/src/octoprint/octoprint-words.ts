import type { VirtualReport } from '../virtual-printer.ts'
import type { OctoPrintFile } from './octoprint-files.ts'

/** The serial line to the printer: no one but a person opens it again. */
export type SerialLine = { kind: 'open' } | { kind: 'closed' } | { kind: 'failed'; error: string }

/** What OctoPrint is doing with a run beside what the printer does. */
export type Transition = 'starting' | 'pausing' | null

export interface SelectedFile {
  path: string
  isOnCard: boolean
  file: OctoPrintFile | undefined
}

/** True when a run holds the machine. */
export function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

/** `state` of the push socket and of `/api/printer`. */
export function stateOf(report: VirtualReport, line: SerialLine, transition: Transition, isOnCard: boolean) {
  const isOpen = line.kind === 'open'
  const isRunning = isOpen && isActive(report)
  const isPaused =
    isRunning && transition !== 'pausing' && (report.activity === 'paused' || report.activity === 'changing_filament')
  const isPrinting = isRunning && !isPaused
  const text = isPaused ? 'Paused' : isPrinting ? printingText(transition, isOnCard) : restingText(line)
  return {
    text,
    error: line.kind === 'failed' ? line.error : '',
    flags: {
      operational: isOpen,
      printing: isPrinting,
      paused: isPaused,
      pausing: isPrinting && transition === 'pausing',
      resuming: false,
      cancelling: false,
      finishing: false,
      ready: isOpen && !isRunning,
      error: false,
      closedOrError: !isOpen,
      sdReady: isOpen,
    },
  }
}

function restingText({ kind }: SerialLine): string {
  return kind === 'open' ? 'Operational' : kind === 'closed' ? 'Offline' : 'Offline after error'
}

function printingText(transition: Transition, isOnCard: boolean): string {
  if (transition === 'pausing') return 'Pausing'
  if (transition === 'starting') return isOnCard ? 'Starting print from SD' : 'Starting'
  return isOnCard ? 'Printing from SD' : 'Printing'
}

/** `job` and `progress`. The selected file outlives its run, at 100 % when that was whole. */
export function jobOf(report: VirtualReport, selected: SelectedFile | null, isRunning: boolean, isWhole: boolean) {
  const file = selected?.file
  const completion = isRunning ? report.progress * 100 : isWhole ? 100 : null
  const total = file?.plan.printTimeSeconds ?? null
  const printTime = completion === null || total === null ? null : Math.round((total * completion) / 100)
  const lastPrintTime = file?.last?.printTime ?? null
  return {
    job: {
      averagePrintTime: lastPrintTime,
      estimatedPrintTime: null,
      filament: selected ? null : { length: null, volume: null },
      file: {
        date: file?.date ?? null,
        ...(selected && { display: selected.path }),
        name: selected?.path ?? null,
        origin: selected ? (selected.isOnCard ? 'sdcard' : 'local') : null,
        path: selected?.path ?? null,
        size: file?.size ?? null,
      },
      lastPrintTime,
      user: selected ? 'hub' : null,
    },
    progress: {
      completion,
      filepos: completion === null ? null : Math.round(((file?.size ?? 0) * completion) / 100),
      printTime,
      printTimeLeft: isRunning ? report.remainingSeconds : completion === null ? null : 0,
      printTimeLeftOrigin: isRunning ? 'linear' : null,
    },
  }
}

export function temperaturesOf({ nozzle, bed, chamber }: VirtualReport) {
  const withOffset = (heater: { actual: number; target: number }) => ({ ...heater, offset: 0 })
  return { tool0: withOffset(nozzle), bed: withOffset(bed), ...(chamber && { chamber: withOffset(chamber) }) }
}

const port = { port: 'VIRTUAL', baudrate: 115_200 }

export function connectionOf(text: string, { kind }: SerialLine) {
  const isOpen = kind === 'open'
  return {
    current: {
      state: kind === 'closed' ? 'Closed' : text,
      port: isOpen ? port.port : null,
      baudrate: isOpen ? port.baudrate : null,
      printerProfile: '_default',
    },
    options: {
      ports: [port.port],
      baudrates: [250_000, 230_400, 115_200, 57_600],
      printerProfiles: [{ id: '_default', name: 'Default' }],
      portPreference: port.port,
      baudratePreference: port.baudrate,
      printerProfilePreference: '_default',
    },
  }
}

/** The one printer profile. */
export function profileOf(model: string, hasChamber: boolean, base: string) {
  const axis = (speed: number) => ({ inverted: false, speed })
  return {
    axes: { e: axis(300), x: axis(6_000), y: axis(6_000), z: axis(200) },
    color: 'default',
    current: true,
    default: true,
    extruder: {
      count: 1,
      defaultExtrusionLength: 5,
      nozzleDiameter: 0.4,
      offsets: [[0, 0]],
      sharedNozzle: false,
    },
    heatedBed: true,
    heatedChamber: hasChamber,
    id: '_default',
    model,
    name: 'Default',
    resource: `${base}api/printerprofiles/_default`,
    volume: { custom_box: false, depth: 210, formFactor: 'rectangular', height: 210, origin: 'lowerleft', width: 250 },
  }
}

import type { VirtualReport } from '../virtual-printer.ts'
import { type Drive, refsOf } from './prusalink-drive.ts'

/** What its screen shows beside the print, and what of it the network calls let out. */
export interface ScreenState {
  /** It asks for a person: before a print over what it found in the file, in a print while it goes on. */
  isAsking: boolean
  /** The order to pause was given, and the head is on its way. */
  isPausing: boolean
  /** A person has closed what it showed of the last print. */
  isClosed: boolean
  /** Files have their short name only, as in older firmware. */
  hidesLongNames: boolean
}

/** True when a print holds the printer. */
export function isActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

/** The one word of `GET /api/v1/status`. */
function stateOf(report: VirtualReport, screen: ScreenState): string {
  if (report.activity === 'fault') return 'ERROR'
  if (isActive(report)) {
    if (screen.isAsking || isOutOfFilament(report)) return 'ATTENTION'
    return report.activity === 'paused' || screen.isPausing ? 'PAUSED' : 'PRINTING'
  }
  if (report.activity === 'changing_filament') return 'BUSY'
  if (screen.isAsking) return 'ATTENTION'
  if (screen.isClosed || report.lastResult === null) return 'IDLE'
  // It has no word for a print that failed.
  return report.lastResult === 'completed' ? 'FINISHED' : 'STOPPED'
}

/** It paused by itself, and its screen asks for more. */
function isOutOfFilament({ activity, message }: VirtualReport): boolean {
  return activity === 'paused' && /filament/i.test(message ?? '')
}

/** `GET /api/v1/status`. */
export function describeStatus(report: VirtualReport, screen: ScreenState, jobId: number): object {
  return {
    ...(isActive(report) && { job: { id: jobId, ...progressOf(report) } }),
    storage: { path: '/usb/', name: 'usb', read_only: false },
    printer: {
      state: stateOf(report, screen),
      temp_nozzle: report.nozzle.actual,
      target_nozzle: report.nozzle.target,
      temp_bed: report.bed.actual,
      target_bed: report.bed.target,
      axis_z: 0,
      flow: 100,
      speed: 100,
      fan_hotend: 0,
      fan_print: 0,
    },
  }
}

/** `GET /api/v1/job`; undefined when no print holds the printer. */
export function describeJob(
  report: VirtualReport,
  screen: ScreenState,
  jobId: number,
  drive: Drive,
): object | undefined {
  const { fileName } = report
  if (fileName === null || !isActive(report)) return undefined
  const name = drive.shortNameOf(fileName)
  const stored = drive.find(fileName)
  return {
    id: jobId,
    // It has no word of its own for asking.
    state: stateOf(report, screen) === 'ATTENTION' ? 'PAUSED' : stateOf(report, screen),
    ...progressOf(report),
    file: {
      refs: refsOf(name),
      name,
      ...(!screen.hidesLongNames && { display_name: fileName }),
      path: '/usb',
      ...(stored && { size: stored.sizeBytes, m_timestamp: stored.storedAt }),
    },
  }
}

/** `GET /api/printer`, the older call: what it says of pausing is finer. */
export function describeOlderPrinter(report: VirtualReport, screen: ScreenState): object {
  const isPrinting = isActive(report)
  const asks = stateOf(report, screen) === 'ATTENTION'
  const temperature = (heater: VirtualReport['nozzle']) => ({ ...heater, display: heater.target, offset: 0 })
  return {
    telemetry: {
      'temp-bed': report.bed.actual,
      'temp-nozzle': report.nozzle.actual,
      'print-speed': 100,
      'z-height': 0,
      material: 'PLA',
    },
    temperature: { tool0: temperature(report.nozzle), bed: temperature(report.bed) },
    state: {
      text: isPrinting ? 'Printing' : 'Operational',
      flags: {
        link_state: stateOf(report, screen),
        operational: !isPrinting,
        paused: report.activity === 'paused' || screen.isPausing,
        printing: isPrinting,
        cancelling: false,
        pausing: screen.isPausing,
        error: asks,
        sdReady: false,
        closedOnError: false,
        ready: !isPrinting,
        busy: isPrinting || asks,
      },
    },
  }
}

/** `GET /api/job`, the older call. */
export function describeOlderJob(report: VirtualReport, screen: ScreenState, drive: Drive): object {
  const { fileName } = report
  if (fileName === null || !isActive(report)) return { state: 'Operational', job: null, progress: null }
  const state = { PAUSED: 'Paused', ATTENTION: 'Error' }[stateOf(report, screen)] ?? 'Printing'
  const path = `/usb/${drive.shortNameOf(fileName)}`
  return {
    state,
    job: { estimatedPrintTime: report.remainingSeconds ?? 0, file: { name: fileName, path, display: fileName } },
    progress: { printTimeLeft: report.remainingSeconds, completion: report.progress, printTime: 0 },
  }
}

function progressOf(report: VirtualReport): object {
  return {
    progress: Math.round(report.progress * 100),
    time_printing: 0,
    ...(report.remainingSeconds !== null && { time_remaining: Math.round(report.remainingSeconds) }),
  }
}

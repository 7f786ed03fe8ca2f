import type { PrinterState, PrinterStatus, RunIdentity } from '@printyard/protocol/printer-state'
import type { VirtualReport } from '@printyard/virtual-printers/virtual-printer'

/** Answers what a simulated printer says about itself, in our words. */
export function virtualState(report: VirtualReport): PrinterState {
  const identity: RunIdentity | null =
    report.runId === null ? null : { file_name: report.fileName ?? '', job_id: report.runId, attempt_id: null }
  // The device keeps the identity of its last run; a result beside it says that the run is over.
  const run = report.lastResult === null ? identity : null
  return {
    status: statusOf(report, run !== null),
    status_reason: report.activity === 'printing' || report.activity === 'heating' ? null : report.message,
    run,
    last_result:
      identity && report.lastResult !== null
        ? { run: identity, result: report.lastResult, reason: report.lastResultReason }
        : null,
    progress: run ? tenths(Math.min(100, Math.max(0, report.progress * 100))) : null,
    nozzle_temp: tenths(report.nozzle.actual),
    bed_temp: tenths(report.bed.actual),
    chamber_temp: report.chamber && tenths(report.chamber.actual),
    target_nozzle_temp: report.nozzle.target,
    target_bed_temp: report.bed.target,
    target_chamber_temp: report.chamber?.target ?? null,
    layer_num: run ? report.layer : null,
    total_layers: run ? report.totalLayers : null,
    remaining_time_minutes: run && report.remainingSeconds !== null ? Math.ceil(report.remainingSeconds / 60) : null,
    light_on: report.lightOn,
    filament_type: report.filament?.type ?? null,
    filament_color_hex: report.filament?.colorHex.slice(0, 7).toUpperCase() ?? null,
    firmware_version: report.firmware,
    problems: [],
  }
}

function statusOf(report: VirtualReport, isRunning: boolean): PrinterStatus {
  switch (report.activity) {
    case 'heating':
    case 'printing':
      return 'printing'
    case 'paused':
      return 'paused'
    case 'changing_filament':
      return isRunning ? 'paused' : 'maintenance'
    case 'fault':
      return 'error'
    case 'idle':
      return 'idle'
  }
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10
}

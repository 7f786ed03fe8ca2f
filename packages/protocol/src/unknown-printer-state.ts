import type { PrinterState } from './printer-state.ts'
import type { ReportedProblem } from './reported-problem.ts'

/** Answers what is said of a printer of which nothing is known yet. */
export function unknownPrinterState(reason: string, problems: ReportedProblem[] = []): PrinterState {
  return {
    status: 'offline',
    status_reason: reason,
    run: null,
    last_result: null,
    progress: null,
    nozzle_temp: null,
    bed_temp: null,
    chamber_temp: null,
    target_nozzle_temp: null,
    target_bed_temp: null,
    target_chamber_temp: null,
    layer_num: null,
    total_layers: null,
    remaining_time_minutes: null,
    light_on: null,
    filament_type: null,
    filament_color_hex: null,
    firmware_version: null,
    problems,
    slots: null,
    transfer: null,
  }
}

import type { PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'

/** What a page shows of a printer while it works, by the names that the status of a printer has for it. */
export interface LiveFields {
  /** As the printer reports it: one that a person took out of service stays so for all who look. */
  status: PrinterStatus
  status_reason: string | null
  progress: number | null
  nozzle_temp: number | null
  bed_temp: number | null
  chamber_temp: number | null
  target_nozzle_temp: number | null
  target_bed_temp: number | null
  layer_num: number | null
  total_layers: number | null
  remaining_time_minutes: number | null
  light_on: boolean | null
}

const rounded = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)))

/**
 * The live fields of a state, as fine as anybody sees them. A heater that keeps its temperature moves by tenths of a degree
 * all the time; told each time, they would be most of what a stream carries.
 */
export function liveFieldsOf(state: PrinterState): LiveFields {
  return {
    status: state.status,
    status_reason: state.status_reason,
    progress: rounded(state.progress, 1),
    nozzle_temp: rounded(state.nozzle_temp, 0),
    bed_temp: rounded(state.bed_temp, 0),
    chamber_temp: rounded(state.chamber_temp, 0),
    target_nozzle_temp: rounded(state.target_nozzle_temp, 0),
    target_bed_temp: rounded(state.target_bed_temp, 0),
    layer_num: state.layer_num,
    total_layers: state.total_layers,
    remaining_time_minutes: state.remaining_time_minutes,
    light_on: state.light_on,
  }
}

/** The fields that differ; undefined when none does. Of a printer that nothing was told of, all. */
export function changedFields(before: LiveFields | undefined, now: LiveFields): Partial<LiveFields> | undefined {
  if (!before) return now
  const changed = Object.entries(now).filter(([name, value]) => before[name as keyof LiveFields] !== value)
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<LiveFields>)
}

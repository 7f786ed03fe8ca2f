import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import { isSameModel } from '../printers/models/printer-models.ts'
import type { WorkingHours } from './working-hours.ts'

/** Starts that a printer refused, or of a job that printers refused, since its last good one. */
export interface Refusals {
  count: number
  lastAt: Date
  /** The code given last, such as `PRINTER_REFUSED`. */
  reason: string
}

/** What the rules need of a printer. Texts are empty and numbers null where nothing is known. */
export type PrinterFacts = Pick<
  PrinterRow,
  | 'id'
  | 'name'
  | 'model'
  | 'hub_id'
  | 'is_active'
  | 'in_maintenance'
  | 'auto_start'
  | 'plate_state'
  | 'nozzle_size'
  | 'power_group'
  | 'loaded_filament_grams'
  | 'total_print_seconds'
  | 'fence'
  | 'plate_run_mark'
  | 'connection_type'
  | 'ejection_cooldown_temp'
  | 'ejection_gcode'
> & {
  has_live_attempt: boolean
  hub_online: boolean
  /** As its own hub last reported; null before the first report, or while the hub is away. */
  status: PrinterStatus | null
  remaining_minutes: number | null
  /** What is loaded: as reported, else as a person entered it. */
  filament_type: string
  color: string
  color_hex: string
  /** Of its model; null for models that are not known. */
  build_height_mm: number | null
  /** What is wrong with it and keeps prints from succeeding, in a sentence; null for nothing. */
  blocking_problem: string | null
  refusals: Refusals | undefined
}

/** What the rules and the order need of a job: its next plate. Texts are empty and numbers null where nothing is asked. */
export interface JobFacts {
  id: string
  file_version_id: string
  plates_done: number
  /** The printer that a person gave it; null when any will do. */
  assigned_printer_id: string | null
  file_model: string | null
  nozzle_diameter: number | null
  filament_type: string
  color: string
  /** The colour is only what the slicer showed: any will do. */
  any_color: boolean
  grams_per_plate: number | null
  plate_seconds: number | null
  height_mm: number | null
  priority_rank: number
  due_date: Date | null
  queue_position: number
  refusals: Refusals | undefined
}

/** What the printers of one power group do with their heaters. */
export interface HeatingGroup {
  heating: number
  lastStartAt: Date | null
}

/** Everything else that the rules look at. */
export interface FarmFacts {
  now: Date
  /** Null when prints may end at any time. */
  workingHours: WorkingHours | null
  heatingAtOnce: number | null
  heatingGapSeconds: number | null
  heatingGroups: ReadonlyMap<string, HeatingGroup>
  /** The colours that the account has names for: name in lower case → `#RRGGBB` in upper case. */
  colorHexByName: ReadonlyMap<string, string>
  isSameModel(a: string, b: string): boolean
}

/** `isSameModel` that remembers: a farm has a handful of models and asks thousands of times. */
export function rememberModels(): FarmFacts['isSameModel'] {
  const known = new Map<string, boolean>()
  return (a, b) => {
    // No name of a model has a line break in it.
    const key = `${a}\n${b}`
    const isSame = known.get(key) ?? isSameModel(a, b)
    known.set(key, isSame)
    return isSame
  }
}

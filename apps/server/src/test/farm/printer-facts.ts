import type { FileVersionId, HubId, JobId, PrinterId } from '../../kernel/ids.ts'
import {
  type FarmFacts,
  type FilamentNeed,
  type FilamentPlace,
  type JobFacts,
  type PrinterFacts,
  rememberDistances,
  rememberModels,
} from '../../modules/matching/farm-facts.ts'

/** A place with black PLA, but for what a test changes. */
export function filamentPlace(change: Partial<FilamentPlace> = {}): FilamentPlace {
  return {
    slot: null,
    name: '',
    type: 'PLA',
    color: 'Black',
    color_hex: '',
    preset_id: '',
    tool: null,
    grams: null,
    left_grams: null,
    is_empty: false,
    is_active: true,
    ...change,
  }
}

/** What a test changes of the only place of a printer. */
interface OnlyPlace {
  filament_type: string
  color: string
  color_hex: string
  loaded_filament_grams: number | null
}

/** A printer that may take any job, but for what a test changes. */
export function printerFacts(change: Partial<PrinterFacts & OnlyPlace> = {}): PrinterFacts {
  const {
    filament_type: type = 'PLA',
    color = 'Black',
    color_hex = '',
    loaded_filament_grams: grams = null,
    ...rest
  } = change
  return {
    id: 'prn_1' as PrinterId,
    name: 'Printer',
    model: 'MK4S',
    hub_id: 'hub_1' as HubId,
    is_active: true,
    in_maintenance: false,
    auto_start: true,
    plate_state: 'clear',
    nozzle_size: 0.4,
    build_plate: '',
    power_group: '',
    places: [filamentPlace({ type, color, color_hex, grams })],
    feeding: 'single',
    volume_mm: [250, 210, 220],
    total_print_seconds: 0,
    fence: 0,
    plate_run_mark: null,
    connection_type: 'virtual',
    ejection_cooldown_temp: null,
    ejection_gcode: null,
    has_live_attempt: false,
    hub_online: true,
    status: 'idle',
    remaining_minutes: null,
    blocking_problem: null,
    refusals: undefined,
    ...rest,
  }
}

/** A filament of which nothing is asked, but for what a test changes. */
export function filamentNeed(change: Partial<FilamentNeed> = {}): FilamentNeed {
  return { indexes: [0], type: '', color: '', preset_id: '', tool: null, grams: null, ...change }
}

/** What a test changes of the only filament of a job. */
interface OnlyFilament {
  filament_type: string
  color: string
  grams_per_plate: number | null
}

/** A job that asks for nothing in particular, but for what a test changes. */
export function jobFacts(change: Partial<JobFacts & OnlyFilament> = {}): JobFacts {
  const { filament_type: type = '', color = '', grams_per_plate: grams = null, ...rest } = change
  return {
    id: 'job_1' as JobId,
    file_version_id: 'ver_1' as FileVersionId,
    plates_done: 0,
    assigned_printer_id: null,
    file_model: null,
    nozzle_diameter: null,
    bed_type: null,
    filaments: [filamentNeed({ type, color, grams })],
    any_color: true,
    width_mm: null,
    depth_mm: null,
    height_mm: null,
    plate_seconds: null,
    priority_rank: 2,
    due_date: null,
    queue_position: 1,
    refusals: undefined,
    option: null,
    alternatives: [],
    ...rest,
  }
}

/** A Monday noon in a farm that sets nothing. */
export function farmFacts(change: Partial<FarmFacts> = {}): FarmFacts {
  return {
    now: new Date('2026-11-16T12:00:00Z'),
    workingHours: null,
    heatingAtOnce: null,
    heatingGapSeconds: null,
    heatingGroups: new Map(),
    colorHexByName: new Map(),
    isSameModel: rememberModels(),
    colorDistance: rememberDistances(),
    spools: null,
    ...change,
  }
}

import { type FarmFacts, type JobFacts, type PrinterFacts, rememberModels } from './farm-facts.ts'

/** A printer that may take any job, but for what a test changes. */
export function printerFacts(change: Partial<PrinterFacts> = {}): PrinterFacts {
  return {
    id: 'prn_1',
    name: 'Printer',
    model: 'MK4S',
    hub_id: 'hub_1',
    is_active: true,
    in_maintenance: false,
    auto_start: true,
    plate_state: 'clear',
    nozzle_size: 0.4,
    power_group: '',
    loaded_filament_grams: null,
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
    filament_type: 'PLA',
    color: 'Black',
    color_hex: '',
    build_height_mm: 220,
    blocking_problem: null,
    refusals: undefined,
    ...change,
  }
}

/** A job that asks for nothing in particular, but for what a test changes. */
export function jobFacts(change: Partial<JobFacts> = {}): JobFacts {
  return {
    id: 'job_1',
    file_version_id: 'ver_1',
    plates_done: 0,
    assigned_printer_id: null,
    file_model: null,
    nozzle_diameter: null,
    filament_type: '',
    color: '',
    any_color: true,
    grams_per_plate: null,
    plate_seconds: null,
    height_mm: null,
    priority_rank: 2,
    due_date: null,
    queue_position: 1,
    refusals: undefined,
    ...change,
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
    ...change,
  }
}

import type { LivePrinter } from '../lib/api/api-schema.generated.ts'

/** An idle printer with a clear plate, and what a test says of it. */
export function livePrinter(fields: Partial<LivePrinter> = {}): LivePrinter {
  return {
    id: 'prn_1',
    name: 'Bench 1',
    model: 'MK4S',
    location: 'Hall 1',
    hub_id: 'hub_1',
    hub_online: true,
    is_active: true,
    in_maintenance: false,
    status: 'idle',
    status_reason: null,
    health_problem: null,
    plate_state: 'clear',
    progress: null,
    remaining_time_minutes: null,
    layer_num: null,
    total_layers: null,
    nozzle_temp: 25,
    bed_temp: 24,
    chamber_temp: null,
    target_nozzle_temp: 0,
    target_bed_temp: 0,
    light_on: null,
    last_known: null,
    file_name: null,
    is_foreign: false,
    current_color: null,
    current_color_hex: null,
    current_filament_type: null,
    loaded_filament_grams: null,
    ...fields,
  }
}

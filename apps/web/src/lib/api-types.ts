/** Shapes of the public API as far as this page reads them. A field that is not known is null, never absent. */

export type Printer = {
  id: string
  name: string
  model: string
  /** idle, printing, paused, offline, error or maintenance; later versions may know more. */
  status: string
  location: string | null
  nozzle_size: number | null
  current_color: string | null
  current_color_hex: string | null
  current_filament_type: string | null
  is_active: boolean
}

/** What the printer said last. While its hub is away every live field is null. */
export type PrinterStatus = {
  printer_id: string
  hub_online: boolean
  status: string | null
  /** 0 to 100. */
  progress: number | null
  nozzle_temp: number | null
  bed_temp: number | null
  chamber_temp: number | null
  target_nozzle_temp: number | null
  target_bed_temp: number | null
  layer_num: number | null
  total_layers: number | null
  remaining_time_minutes: number | null
  current_job_id: string | null
  last_telemetry_at: string | null
}

export type Job = {
  id: string
  /** queued, processing, printing, paused, completed, failed or cancelled. */
  status: string | null
  printer_id: string | null
  product_name: string | null
  file_name: string
  number_of_units: number
  color: string
  filament_type: string
  /** 0 to 100, over all plates of the job. */
  progress_percentage: number | null
  estimated_print_time_minutes: number | null
  actual_print_time_minutes: number | null
  failure_reason: string | null
  time_submitted: string | null
  time_started: string | null
  time_completed: string | null
}

export type ReadinessReport = {
  status: string
  checks: { name: string; ok: boolean; problem?: string }[]
  version: string
}

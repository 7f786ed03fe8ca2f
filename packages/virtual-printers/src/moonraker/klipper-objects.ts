import type { VirtualReport } from '../virtual-printer.ts'

/** Klipper's printer objects with their fields, by name, as `objects/query` shows them. */
export type KlipperObjects = Record<string, Record<string, unknown>>

/** Objects by name with the fields that are wanted of each; null means all. */
export type WantedObjects = Record<string, string[] | null>

export type KlipperState = 'ready' | 'startup' | 'shutdown'

/** What Klipper says of itself beside its state and its version. */
export const klipperInfo = {
  hostname: 'voron',
  klipper_path: '/home/pi/klipper',
  python_path: '/home/pi/klippy-env/bin/python',
  process_id: 1_234,
  user_id: 1_000,
  group_id: 1_000,
  log_file: '/home/pi/printer_data/logs/klippy.log',
  config_file: '/home/pi/printer_data/config/printer.cfg',
  cpu_info: '4 core ARMv7',
  app: 'Klipper',
}

/** What Klipper knows beside what the machine does. */
interface KlipperFacts {
  state: KlipperState
  stateMessage: string
  /** Print time of the file that is loaded; for the time printed so far. */
  printTimeSeconds: number
  /** Since the start of the run, pauses included. */
  totalSeconds: number
  /** Nothing is loaded: the file was reset, or Klipper restarted. */
  isReset: boolean
}

/** Answers what the machine does, in Klipper's words. */
export function klipperObjects(report: VirtualReport, facts: KlipperFacts): KlipperObjects {
  const { nozzle, bed, chamber } = report
  const isRunning = isRunActive(report)
  return {
    webhooks: { state: facts.state, state_message: facts.stateMessage },
    print_stats: facts.isReset ? emptyStats : printStats(report, facts),
    virtual_sdcard: facts.isReset
      ? { progress: 0, is_active: false, file_path: null }
      : { progress: report.progress, is_active: isRunning, file_path: report.fileName },
    pause_resume: { is_paused: printStatsState(report) === 'paused' },
    display_status: { progress: facts.isReset ? 0 : report.progress, message: null },
    idle_timeout: { state: isRunning || report.activity === 'changing_filament' ? 'Printing' : 'Idle' },
    extruder: { temperature: nozzle.actual, target: nozzle.target },
    heater_bed: { temperature: bed.actual, target: bed.target },
    ...(chamber && { 'temperature_sensor chamber': { temperature: chamber.actual } }),
    'output_pin caselight': { value: report.lightOn ? 1 : 0 },
  }
}

function printStats(report: VirtualReport, facts: KlipperFacts): Record<string, unknown> {
  return {
    state: printStatsState(report),
    filename: report.fileName ?? '',
    message: report.lastResultReason ?? (report.activity === 'paused' ? (report.message ?? '') : ''),
    print_duration: report.progress * facts.printTimeSeconds,
    total_duration: facts.totalSeconds,
    filament_used: 0,
    info: { total_layer: report.totalLayers || null, current_layer: isRunActive(report) ? report.layer : null },
  }
}

/** What `print_stats` shows before the first print and after a reset. */
const emptyStats = {
  state: 'standby',
  filename: '',
  message: '',
  print_duration: 0,
  total_duration: 0,
  filament_used: 0,
  info: { total_layer: null, current_layer: null },
}

/** True when a run holds the machine. */
export function isRunActive(report: VirtualReport): boolean {
  return report.lastResult === null && report.runId !== null
}

function printStatsState(report: VirtualReport): string {
  if (report.lastResult === 'completed') return 'complete'
  if (report.lastResult === 'cancelled') return 'cancelled'
  if (report.lastResult === 'failed') return 'error'
  if (!isRunActive(report)) return 'standby'
  return report.activity === 'paused' || report.activity === 'changing_filament' ? 'paused' : 'printing'
}

/** Finds the fields of each object that are not what they were. */
export function changedObjects(before: KlipperObjects, now: KlipperObjects): KlipperObjects {
  const changed: KlipperObjects = {}
  for (const [name, fields] of Object.entries(now)) {
    const different = Object.entries(fields).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[name]?.[key]),
    )
    if (different.length > 0) changed[name] = Object.fromEntries(different)
  }
  return changed
}

/** The objects that a query or subscription names. */
export function wantedObjectsOf(params: Record<string, unknown>): WantedObjects {
  const { objects } = params
  return typeof objects === 'object' && objects !== null ? ({ ...objects } as WantedObjects) : {}
}

/** The objects that are wanted, with the fields that are wanted; null means all of them. */
export function pickObjects(objects: KlipperObjects, wanted: WantedObjects): KlipperObjects {
  const picked: KlipperObjects = {}
  for (const [name, fields] of Object.entries(wanted)) {
    const object = objects[name]
    if (!object) continue
    picked[name] =
      fields === null ? object : Object.fromEntries(Object.entries(object).filter(([key]) => fields.includes(key)))
  }
  return picked
}

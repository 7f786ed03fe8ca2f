import type { VirtualReport } from '../virtual-printer.ts'

/** What tells one family of Bambu printers from another on the wire. */
interface BambuModel {
  productName: string
  /** Sends only what changed, and everything when asked. */
  sendsDeltas: boolean
  hasChamberSensor: boolean
  /** Two nozzles and packed temperatures. */
  isNewest: boolean
  /** `gcode_file` names the place inside the unpacked archive, not the archive. */
  hidesFileName: boolean
}

export const bambuModels = {
  X1C: {
    productName: 'Bambu Lab X1 Carbon',
    sendsDeltas: false,
    hasChamberSensor: true,
    isNewest: false,
    hidesFileName: true,
  },
  P1S: {
    productName: 'Bambu Lab P1S',
    sendsDeltas: true,
    hasChamberSensor: false,
    isNewest: false,
    hidesFileName: false,
  },
  'A1 mini': {
    productName: 'Bambu Lab A1 mini',
    sendsDeltas: true,
    hasChamberSensor: false,
    isNewest: false,
    hidesFileName: false,
  },
  H2D: {
    productName: 'Bambu Lab H2D',
    sendsDeltas: false,
    hasChamberSensor: true,
    isNewest: true,
    hidesFileName: true,
  },
} as const satisfies Record<string, BambuModel>

export type BambuModelName = keyof typeof bambuModels

/** How the firmware names one run. */
export interface Subtask {
  id: string
  name: string
  file: string
}

interface ReportInput {
  model: BambuModel
  report: VirtualReport
  subtask: Subtask | null
  hasAms: boolean
  /** Hex text; null where the firmware has no such field. */
  fun: string | null
  /** The firmware waits for a filament that is not there: it prepares for ever. */
  isHung: boolean
}

const cancelledError = 0x0300_400c
const faultError = 0x0300_8001
const runoutError = 0x0300_8004

/** Every field of `print` in a full report, in the firmware's own words. */
export function fullReport({ model, report, subtask, hasAms, fun, isHung }: ReportInput): Record<string, unknown> {
  const isActive = report.runId !== null && report.lastResult === null
  const state = isHung ? 'PREPARE' : gcodeState(report)
  return {
    gcode_state: state,
    stg_cur: stageOf(report),
    // The percentage of the last job stays until the next one prints.
    mc_percent: Math.round(report.progress * 100),
    mc_remaining_time: report.remainingSeconds === null ? 0 : Math.ceil(report.remainingSeconds / 60),
    layer_num: report.layer,
    // The total of the P1 is gone as soon as the job is over.
    total_layer_num: isActive || !model.sendsDeltas ? report.totalLayers : 0,
    subtask_name: subtask?.name ?? '',
    subtask_id: subtask?.id ?? '0',
    task_id: subtask?.id ?? '0',
    project_id: subtask?.id ?? '0',
    gcode_file: subtask === null ? '' : model.hidesFileName ? '/data/Metadata/plate_1.gcode' : subtask.file,
    gcode_file_prepare_percent: report.activity === 'heating' ? '80' : '100',
    print_error: printError(report),
    hms: report.activity === 'fault' ? [{ attr: 0x0300_0200, code: 0x0001_0001 }] : [],
    nozzle_temper: report.nozzle.actual,
    nozzle_target_temper: report.nozzle.target,
    bed_temper: report.bed.actual,
    bed_target_temper: report.bed.target,
    // What a model without a sensor says of its chamber.
    chamber_temper: model.hasChamberSensor ? (report.chamber?.actual ?? 24) : 5,
    lights_report: [{ node: 'chamber_light', mode: report.lightOn ? 'on' : 'off' }],
    spd_lvl: 2,
    wifi_signal: '-53dBm',
    home_flag: 0x100,
    sdcard: true,
    nozzle_diameter: '0.4',
    nozzle_type: 'stainless_steel',
    cooling_fan_speed: '0',
    hw_switch_state: report.filament ? 1 : 0,
    upgrade_state: { status: 'IDLE', progress: '0', message: '' },
    ipcam: { rtsp_url: 'disable' },
    ...filamentFields(report, hasAms),
    ...(model.isNewest && { device: deviceFields(report, hasAms) }),
    ...(fun !== null && { fun }),
  }
}

/** The fields that are not what they were. */
export function changedFields(before: Record<string, unknown>, now: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key])),
  )
}

function gcodeState(report: VirtualReport): string {
  if (report.lastResult === 'completed') return 'FINISH'
  if (report.lastResult !== null) return 'FAILED'
  if (report.runId === null) return 'IDLE'
  return report.activity === 'paused' || report.activity === 'changing_filament' ? 'PAUSE' : 'RUNNING'
}

function stageOf({ activity, filament, message, nozzle }: VirtualReport): number {
  switch (activity) {
    case 'heating':
      return nozzle.target > nozzle.actual ? 7 : 2
    case 'printing':
      return 0
    case 'paused':
      return filament === null ? 6 : 16
    case 'changing_filament':
      return message === 'Loading filament.' ? 24 : 22
    default:
      return -1
  }
}

function printError({ activity, filament, lastResult }: VirtualReport): number {
  if (lastResult === 'cancelled') return cancelledError
  if (lastResult === 'failed') return faultError
  return activity === 'paused' && filament === null ? runoutError : 0
}

function filamentFields({ filament }: VirtualReport, hasAms: boolean) {
  const described = filament && {
    tray_type: filament.type,
    tray_color: `${filament.colorHex.slice(1)}FF`,
    tray_info_idx: 'GFA00',
    remain: -1,
    nozzle_temp_min: '190',
    nozzle_temp_max: '230',
  }
  const noSpool = { id: '254', tray_type: '', tray_color: '00000000' }
  if (!hasAms) {
    return {
      ams: { ams: [], tray_now: described ? '254' : '255', tray_exist_bits: '0', power_on_flag: true },
      vt_tray: described ? { id: '254', ...described } : noSpool,
    }
  }
  const tray = [{ id: '0', state: described ? 11 : 9, ...described }, { id: '1' }, { id: '2' }, { id: '3' }]
  const units = [{ id: '0', humidity: '4', temp: '24.5', tray }]
  return {
    ams: { ams: units, tray_now: described ? '0' : '255', tray_exist_bits: described ? '1' : '0', power_on_flag: true },
    vt_tray: noSpool,
  }
}

const pack = ({ actual, target }: { actual: number; target: number }) =>
  Math.round(target) * 65_536 + Math.round(actual)

/** Two nozzles, of which the right one (0) works. */
function deviceFields({ nozzle, bed, chamber, filament }: VirtualReport, hasAms: boolean) {
  const external = 255 << 8
  const snow = filament === null ? 0xffff : hasAms ? 0 : external
  return {
    bed: { info: { temp: pack(bed) } },
    ctc: { info: { temp: pack(chamber ?? { actual: 24, target: 0 }) } },
    extruder: {
      state: 2,
      info: [
        { id: 0, temp: pack(nozzle), snow },
        { id: 1, temp: 22, snow: 0xffff },
      ],
    },
  }
}

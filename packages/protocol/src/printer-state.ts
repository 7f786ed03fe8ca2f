import Type, { type Static } from 'typebox'
import { MOST_PROBLEMS } from './connection-problems.ts'
import { count, layers, remainingMinutes, temperatureC } from './number-bounds.ts'
import { ReportedProblem } from './reported-problem.ts'
import { Nullable, oneOf } from './schema-tools.ts'

/**
 * What a printer is doing, in our words. `maintenance` is busy without a job (homing, calibrating, changing filament),
 * `error` needs a person before anything works, `offline` means that the hub gets no answer from it.
 * Finished, failed and cancelled are results of a job and never states: see `last_result`.
 */
export const PrinterStatus = oneOf('idle', 'printing', 'paused', 'maintenance', 'error', 'offline')
export type PrinterStatus = Static<typeof PrinterStatus>

/** How the job that ran last at the printer ended. */
export const PrintResult = oneOf('completed', 'failed', 'cancelled')
export type PrintResult = Static<typeof PrintResult>

/**
 * Which job the printer says it is running. `job_id` is the printer's own identity of this run where its protocol has
 * one; `attempt_id` is ours and is set by the hub only while the printer's identity matches the run that we started.
 */
export const RunIdentity = Type.Object({
  file_name: Type.String({ maxLength: 255 }),
  job_id: Nullable(Type.String({ maxLength: 128 })),
  attempt_id: Nullable(Type.String({ maxLength: 64 })),
})
export type RunIdentity = Static<typeof RunIdentity>

/** The result that a printer keeps showing until its next job starts, with the run that it belongs to. */
export const LastResult = Type.Object({
  run: RunIdentity,
  result: PrintResult,
  reason: Nullable(Type.String({ maxLength: 500 })),
})
export type LastResult = Static<typeof LastResult>

/** A place for a spool that the printer tells of. */
export const FilamentSlot = Type.Object({
  /** By this number a command names it. */
  slot: Type.Integer({ minimum: 0, maximum: 255 }),
  /** As people find it at the printer: `AMS 1 slot 2`, `external`. */
  name: Type.String({ maxLength: 50 }),
  filament_type: Nullable(Type.String({ maxLength: 50 })),
  /** `#RRGGBB`, upper case. */
  filament_color_hex: Nullable(Type.String({ maxLength: 7 })),
  /** The maker's ID of the material as slicers write it into files: `GFA00`. Left out or null where the printer has none. */
  preset_id: Type.Optional(Nullable(Type.String({ maxLength: 50 }))),
  /** A holder outside of the units that change filament by themselves; left out by hubs of older versions. */
  is_external: Type.Optional(Type.Boolean()),
  /**
   * The tool that the slot feeds, from 0 as the printer numbers its tools. Left out or null: the only one, any, or not known.
   */
  tool: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 63 }))),
  /** Amount left on the spool, where the printer knows. */
  remaining_percent: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  is_empty: Type.Boolean(),
  /** The printer prints from it now, or would. */
  is_active: Type.Boolean(),
})
export type FilamentSlot = Static<typeof FilamentSlot>

/** How far the file of an attempt has come on its way from the hub to the printer. */
export const FileTransfer = Type.Object({
  attempt_id: Type.String({ maxLength: 64 }),
  sent_bytes: Type.Integer(count),
  total_bytes: Type.Integer(count),
})
export type FileTransfer = Static<typeof FileTransfer>

const temperature = () => Nullable(Type.Number(temperatureC))

/** The whole picture of one printer. Unknown is null, never zero. Temperatures in °C. */
export const PrinterState = Type.Object({
  status: PrinterStatus,
  /** A sentence for people: why it is paused, in error or offline. */
  status_reason: Nullable(Type.String({ maxLength: 500 })),
  /** The run in progress (printing or paused); null when no job runs. */
  run: Nullable(RunIdentity),
  last_result: Nullable(LastResult),
  /** 0 to 100, of the plate that is running. */
  progress: Nullable(Type.Number({ minimum: 0, maximum: 100 })),
  nozzle_temp: temperature(),
  bed_temp: temperature(),
  chamber_temp: temperature(),
  target_nozzle_temp: temperature(),
  target_bed_temp: temperature(),
  target_chamber_temp: temperature(),
  layer_num: Nullable(Type.Integer(layers)),
  total_layers: Nullable(Type.Integer(layers)),
  remaining_time_minutes: Nullable(Type.Integer(remainingMinutes)),
  light_on: Nullable(Type.Boolean()),
  /** What the printer itself reports as loaded; null where it cannot know. */
  filament_type: Nullable(Type.String({ maxLength: 50 })),
  /** `#RRGGBB`, upper case. */
  filament_color_hex: Nullable(Type.String({ maxLength: 7 })),
  firmware_version: Nullable(Type.String({ maxLength: 100 })),
  /** What keeps the hub from working with the printer; absent from hubs of older versions. Each reason once. */
  problems: Type.Optional(Type.Array(ReportedProblem, { maxItems: MOST_PROBLEMS })),
  /** Null where the printer tells of none; left out by hubs from before. */
  slots: Type.Optional(Nullable(Type.Array(FilamentSlot, { maxItems: 64 }))),
  /**
   * Stands for everything that was ever printed here, as far as the hub can know: an opaque text that differs from an earlier
   * one when something else was, or may have been, printed in between. It names the run that the printer shows, the present or
   * the last, no matter who started it, and does not change when that run ends. A printer that forgets its last run gets another
   * text after each time that it was out of sight for long enough to print. Null while the printer does not say reliably what
   * it printed: offline, starting up, only just reached. Left out by hubs of older versions.
   */
  run_mark: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
  /** A sentence for people where the mark changed although no run was seen: `out of sight for 12 minutes …`. */
  run_mark_reason: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
  /** Set by the hub while a file is on its way; left out by hubs of older versions. */
  transfer: Type.Optional(Nullable(FileTransfer)),
})
export type PrinterState = Static<typeof PrinterState>

/** The fields of a `PrinterState` that changed since the last report. */
export const PrinterStateChange = Type.Partial(PrinterState)
export type PrinterStateChange = Static<typeof PrinterStateChange>

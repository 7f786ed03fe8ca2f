import Type, { type Static, type TSchema } from 'typebox'
import type { CommandKind } from './command-kinds.ts'
import { Nullable, oneOf } from './schema-tools.ts'

/** A sliced file as the hub fetches it: by a signed, expiring address, in ranges, verified by its hash. */
export const FileToPrint = Type.Object({
  file_version_id: Type.String({ maxLength: 64 }),
  /** The name people know it by; a driver sends the printer a safe form of it. */
  name: Type.String({ maxLength: 255 }),
  /** Path and query on the service, never another host. */
  url_path: Type.String({ maxLength: 1024, pattern: '^/' }),
  size_bytes: Type.Integer({ minimum: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  format: oneOf('gcode', 'bgcode', 'gcode-3mf', 'ufp'),
  /** The plate inside a `.gcode.3mf`, 1-based; null for other formats. */
  archive_plate: Nullable(Type.Integer({ minimum: 1, maximum: 1000 })),
  print_time_seconds: Nullable(Type.Number({ minimum: 0 })),
  layer_count: Nullable(Type.Integer({ minimum: 0 })),
  filament_type: Nullable(Type.String({ maxLength: 50 })),
  nozzle_temp: Nullable(Type.Number()),
  bed_temp: Nullable(Type.Number()),
})
export type FileToPrint = Static<typeof FileToPrint>

/** From which slot one filament of a file is printed. */
export const FilamentAssignment = Type.Object({
  /**
   * Position among all filaments of the sliced project, used or not, from 0: the `T` of its G-code, and in a `.gcode.3mf` the ID
   * in `slice_info.config` less one.
   */
  filament: Type.Integer({ minimum: 0, maximum: 255 }),
  /**
   * `FilamentSlot.slot` as the printer reports it; an external spool has a number of its own there. Null: no slot was found for
   * this filament, and the hub refuses the print.
   */
  slot: Nullable(Type.Integer({ minimum: 0, maximum: 255 })),
})
export type FilamentAssignment = Static<typeof FilamentAssignment>

/** Names the run that a pause, resume or stop means, so that it never hits another job at the same printer. */
const run = { attempt_id: Nullable(Type.String({ maxLength: 64 })) }

/**
 * What can be asked of a printer: kind → arguments. `print` is answered as soon as the hub has journalled it; what becomes
 * of it arrives as `attempt` reports. All others are answered when the printer shows the effect, or refuses.
 * Temperatures in °C, 0 switches the heater off.
 */
export const commandArguments = {
  print: Type.Object({
    attempt_id: Type.String({ maxLength: 64 }),
    file: FileToPrint,
    /**
     * The `run_mark` that the plate was cleared with. The hub compares it before the upload, after it, and right before the start;
     * another one means that something else was printed since, and ends the attempt with the reason `PLATE_CHANGED`.
     * Left out when the service knows none.
     */
    run_mark: Type.Optional(Nullable(Type.String({ maxLength: 512 }))),
    /**
     * One entry for each filament that the plate uses, and for no other. The hub sends the printer exactly this or ends the
     * attempt as `not_started` with the reason `FILAMENT_NOT_MAPPED`: never a part of it, never another slot. Only to a hub
     * whose `hello` names the capability `filament-map`. Left out or null: no slots were chosen; the hub starts what leaves no choice.
     */
    filament_map: Type.Optional(Nullable(Type.Array(FilamentAssignment, { minItems: 1, maxItems: 64 }))),
    /**
     * Appended to a copy of the file, so that the print pushes itself off its plate. Only to a hub whose `hello` names the
     * capability `ejection`, and only with the formats `gcode` and `bgcode`; every report of the attempt says `with_ejection`.
     */
    ejection_gcode: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
  }),
  pause: Type.Object(run),
  resume: Type.Object(run),
  stop: Type.Object(run),
  heaters: Type.Object({
    nozzle: Type.Optional(Type.Number({ minimum: 0, maximum: 500 })),
    bed: Type.Optional(Type.Number({ minimum: 0, maximum: 200 })),
    chamber: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  }),
  light: Type.Object({ on: Type.Boolean() }),
  load_filament: Type.Object({
    slot: Nullable(Type.Integer({ minimum: 0, maximum: 255 })),
    temperature: Nullable(Type.Number({ minimum: 0, maximum: 500 })),
  }),
  unload_filament: Type.Object({
    slot: Nullable(Type.Integer({ minimum: 0, maximum: 255 })),
    temperature: Nullable(Type.Number({ minimum: 0, maximum: 500 })),
  }),
} as const satisfies Record<CommandKind, TSchema>

export type CommandArguments<K extends CommandKind = CommandKind> = Static<(typeof commandArguments)[K]>

/** A command with its arguments typed by its kind. */
export type PrinterCommand = { [K in CommandKind]: { kind: K; args: CommandArguments<K> } }[CommandKind]

/**
 * Reason why a command was not carried out. `STALE_FENCE`: a newer command for this printer has been seen. `EXPIRED`: it arrived
 * after its deadline. `UNKNOWN_OUTCOME`: it was sent to the printer and nothing shows what became of it; it is never sent
 * again by itself. `WRONG_RUN`: the printer runs something else than the attempt named.
 */
export const CommandErrorCode = oneOf(
  'NOT_SUPPORTED',
  'PRINTER_UNREACHABLE',
  'PRINTER_REFUSED',
  'PRINTER_BUSY',
  'WRONG_STATE',
  'WRONG_RUN',
  'UNKNOWN_PRINTER',
  'STALE_FENCE',
  'EXPIRED',
  'JOURNAL_FAILED',
  'UNKNOWN_OUTCOME',
  'INTERNAL',
)
export type CommandErrorCode = Static<typeof CommandErrorCode>

import type { FilamentSlot, PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'
import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import {
  answer,
  clearableText,
  idOf,
  nullable,
  oneOf,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
  wholeLimit,
} from '../../../http/schema.ts'
import { Health, presentHealth } from '../../health/health.schema.ts'
import { ConnectionSettings, connectionTypes } from '../connection/connection-settings.ts'
import { printerStatuses } from '../effective-status.ts'
import type { PrinterRow } from '../printers.queries.ts'

const statusDescription =
  'Status of the printer. `offline`: it or its hub is out of reach; `maintenance`: taken out of service by a ' +
  'person, or busy without a job; `error`: needs a person before anything works'

const hexColor = (pattern: string) =>
  Type.String({ pattern, description: 'Colour of the loaded filament as #RRGGBB', examples: ['#1A2B3C'] })

const cooldownTemp = Type.Number({
  minimum: 15,
  maximum: 60,
  description: 'Bed temperature in °C at which the print is pushed off',
  examples: [30],
})
const checkAfter = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Number of ejections in a row after which a person must check the plate before the next start',
  examples: [5],
})

const ejection = nullable(
  request(
    {
      cooldown_temp: Type.Optional({ ...cooldownTemp, default: 30 }),
      gcode: Type.Optional(
        nullable(
          Type.String({
            minLength: 1,
            maxLength: 8192,
            description:
              'Own G-code in place of that of the model, with the placeholders `{cooldown_temp}` and `{clear_z}` (10 mm above the ' +
              'print). Moves within the bed, waits and fans only; no heater above the cool-down, and Z is not homed',
            examples: ['M190 R{cooldown_temp}\nG1 Z{clear_z} F600\nG28 X Y\nG1 X125 Y210 F6000\nG1 Z3\nG1 Y0 F1200'],
          }),
        ),
      ),
      check_after: Type.Optional({ ...checkAfter, default: 5 }),
    },
    {
      description:
        'Ejection: prints push themselves off the plate at their end; null switches it off. Without `gcode` the model must be ' +
        'one whose ejection is known to be safe',
    },
  ),
)

const settings = {
  ejection,
  location: clearableText(200, 'Location; null or empty: not given'),
  notes: clearableText(2000, 'Anything worth knowing; null or empty: nothing'),
  nozzle_size: nullable(Type.Number({ exclusiveMinimum: 0, maximum: 10, description: 'Nozzle diameter in mm' })),
  manufacturer: text(0, 120, 'Manufacturer'),
  auto_start: Type.Boolean({ description: 'Whether the service may start queued jobs on it by itself' }),
  current_color: text(0, 50, 'Name of the loaded colour'),
  current_filament_type: text(0, 50, 'Loaded material, such as PLA'),
  current_build_plate: text(0, 50, 'Build plate that is in'),
  has_ams: Type.Boolean({ description: 'Whether it has a unit that changes filaments' }),
  maintenance_interval_hours: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'Hours of printing after which it is to be maintained; null for never',
    }),
  ),
  power_group: text(0, 60, 'Printers of one group share a supply: settings may limit how many heat up at once'),
  loaded_filament_grams: nullable(
    Type.Number({
      minimum: 0,
      maximum: 100_000,
      description: 'Filament left on the loaded spool in g; null: not known',
    }),
  ),
}

const Name = text(1, 120, 'Name, unique in the account')
const HubId = nullable(idOf('hub', 'Hub that runs it; null for none'))

export const CreatePrinterBody = request({
  name: Name,
  model: text(1, 120, 'Model, with or without its maker: `Prusa MK4S`, `P1S`'),
  hub_id: Type.Optional(HubId),
  connection_type: oneOf(connectionTypes, {
    description: 'Connection type by which its hub reaches it; `virtual` is simulated by the hub',
  }),
  connection: Type.Optional(ConnectionSettings),
  current_color_hex: Type.Optional(hexColor('^#[0-9A-Fa-f]{6}$')),
  ...Type.Partial(Type.Object(settings)).properties,
})
export type CreatePrinterBody = Static<typeof CreatePrinterBody>

export const ChangePrinterBody = request(
  Type.Partial(
    Type.Object({
      name: Name,
      hub_id: HubId,
      is_active: Type.Boolean({ description: 'False puts it out of use; its history stays' }),
      seen_over: Type.Boolean({
        description:
          'The words "I looked: it is over" of a person who stood at a printer that does not answer, with `is_active: false`: the print on it is cancelled',
      }),
      connection: ConnectionSettings,
      pinned_fingerprint: Type.String({
        pattern: '^[0-9A-Fa-f]{64}$',
        description:
          'SHA-256 of the one certificate by which the hub is to know the printer from now on, as `health` tells it after a ' +
          'change; all else of `connection` stays. Only for `bambu`',
        examples: ['3B7A'.repeat(16)],
      }),
      current_color_hex: hexColor('^(#[0-9A-Fa-f]{6})?$'),
      ...settings,
    }),
  ).properties,
  { minProperties: 1 },
)
export type ChangePrinterBody = Static<typeof ChangePrinterBody>

export const MaintenanceBody = request({
  in_maintenance: Type.Boolean({ description: 'True takes it out of service, false puts it back' }),
  maintenance_type: Type.Optional(clearableText(120, 'Work under way, such as `nozzle_change`')),
})
export type MaintenanceBody = Static<typeof MaintenanceBody>

export const DeletePrinterQuery = request({
  seen_over: Type.Optional(
    Type.Boolean({
      description:
        'The words "I looked: it is over" of a person who stood at a printer that does not answer: the print on it is cancelled first',
    }),
  ),
})

export const ListPrintersQuery = request({
  is_active: Type.Optional(Type.Boolean({ description: 'Only printers that are, or are not, in use' })),
  status: Type.Optional(oneOf(printerStatuses, { description: 'Only printers with this status now' })),
  location: Type.Optional(text(1, 200, 'Only printers at exactly this location')),
  search: Type.Optional(text(1, 120, 'Part of the name, in any case')),
  name: Type.Optional(text(1, 120, 'Another name of search')),
  has_problems: Type.Optional(
    Type.Boolean({ description: 'Only printers with which something is, or nothing is, wrong: see `health` of one' }),
  ),
  ...pageQuery,
  limit: wholeLimit(500, 50),
})
export type PrintersFilter = PageFilter<Static<typeof ListPrintersQuery>>

const listFields = {
  id: Type.String({ description: 'ID of the printer' }),
  name: Type.String({ description: 'Name, unique in the account' }),
  model: Type.String({ description: 'Model as entered' }),
  manufacturer: Type.String({ description: 'Manufacturer; empty when not given' }),
  status: oneOf(printerStatuses, { description: statusDescription }),
  location: Type.String({ description: 'Location; empty when not given' }),
  nozzle_size: nullable(Type.Number({ description: 'Nozzle diameter in mm; null when not given' })),
  current_color: Type.String({ description: 'Name of the loaded colour as entered' }),
  current_color_hex: Type.String({ description: 'Loaded colour as #RRGGBB, or empty' }),
  current_filament_type: Type.String({ description: 'Loaded material as entered' }),
  current_build_plate: Type.String({ description: 'Build plate that is in' }),
  has_ams: Type.Boolean({ description: 'Whether it has a unit that changes filaments' }),
  is_active: Type.Boolean({ description: 'False when it is out of use' }),
  created_at: timestamp('Time at which it was added'),
  updated_at: timestamp('Time at which its record last changed'),
}

export const Printer = resource('Printer', 'A printer as lists show it', listFields)

const plateChangeReasons = [
  'new_printer',
  'print_started',
  'print_done',
  'print_failed',
  'print_cancelled',
  'foreign_print',
  'unseen_time',
  'plate_changed',
  'seen_not_started',
  'cleared_by_person',
  'cleared_by_task',
  'ejected',
  'ejection_check',
  'service_restored',
] as const

const Slot = answer({
  slot: Type.Integer({ description: 'Number by which loading and unloading name it', examples: [0] }),
  name: Type.String({ description: 'Name of the slot, as people find it at the printer', examples: ['AMS 1 slot 1'] }),
  filament_type: nullable(Type.String({ description: 'Material in it; null when not known', examples: ['PLA'] })),
  filament_color_hex: nullable(
    Type.String({ description: 'Its colour as #RRGGBB; null when not known', examples: ['#1A2B3C'] }),
  ),
  remaining_percent: nullable(
    Type.Number({ description: 'Filament left on the spool, in percent; null when not known' }),
  ),
  is_empty: Type.Boolean({ description: 'Whether the slot is empty' }),
  is_active: Type.Boolean({ description: 'Whether the printer prints from it' }),
})

export const PrinterDetail = resource('PrinterDetail', 'A printer with all that is known of it', {
  ...listFields,
  notes: Type.String({ description: 'Anything worth knowing' }),
  firmware_version: Type.String({ description: 'Firmware it reports; empty when not known' }),
  total_print_time: Type.Integer({ description: 'Minutes printed through this service' }),
  filament_level: nullable(Type.Number({ description: 'Filament left in percent; null when not known' })),
  last_maintenance_date: nullable(timestamp('Time at which maintenance last ended; null before that')),
  in_maintenance: Type.Boolean({ description: 'Whether a person took it out of service' }),
  maintenance_type: nullable(Type.String({ description: 'Work under way, while in maintenance' })),
  hub_id: nullable(Type.String({ description: 'Hub that runs it; null for none' })),
  plate_state: oneOf(['clear', 'occupied', 'unknown'], { description: 'Nothing starts on a plate that is not clear' }),
  plate_job_id: nullable(
    Type.String({ description: 'Job whose print lies on the plate; null for none of this service' }),
  ),
  plate_changed_at: timestamp('Time of the last change of the plate state'),
  plate_changed_by: Type.String({ description: 'Actor that set the plate state' }),
  plate_change_reason: oneOf(plateChangeReasons, {
    description:
      'Grounds for the plate state. `print_started`, `print_done`, `print_failed`, `print_cancelled`: how far the print of a job is that ' +
      'lies there; `ejected`: the print that pushed itself off was seen to end well; `ejection_check`: several did in a ' +
      'row, and a person is to look; `foreign_print`: something was printed that is no job; `unseen_time`: something may have ' +
      'been printed while it was not watched; `plate_changed`: the hub found that before a start; `seen_not_started`: a person saw ' +
      'that a print never began, and did not say that the plate is clear',
  }),
  plate_unknown_reason: nullable(
    Type.String({
      description: 'Reason why a plate that was clear or occupied is now unknown, for people; null otherwise',
      examples: [null],
    }),
  ),
  ejection: nullable(
    answer(
      {
        cooldown_temp: cooldownTemp,
        gcode: nullable(Type.String({ description: 'Own G-code; null for that of the model', examples: [null] })),
        check_after: checkAfter,
      },
      { description: 'Way in which prints push themselves off the plate; null when they do not' },
    ),
  ),
  ejections_in_row: Type.Integer({ description: 'Prints that were ejected since a person last cleared the plate' }),
  health: Health,
  foreign_print: nullable(
    Type.String({ description: 'File that it prints now and that belongs to no job of this service; null for none' }),
  ),
  maintenance_interval_hours: nullable(
    Type.Integer({ description: 'Hours of printing after which it is to be maintained; null for never' }),
  ),
  auto_start: Type.Boolean({ description: 'Whether the service may start queued jobs on it by itself' }),
  connection_type: oneOf(connectionTypes, { description: 'Connection type by which its hub reaches it' }),
  power_group: Type.String({ description: 'Printers of one group share a supply; empty for none' }),
  loaded_filament_grams: nullable(Type.Number({ description: 'Filament left on the loaded spool; null: not known' })),
  slots: nullable(
    Type.Array(Slot, {
      description:
        'The places for spools that the printer itself tells of now; null when it tells of none, or is out of reach',
    }),
  ),
})

const live = (what: string) => ({ description: `${what}; null when not known or the hub is offline` })
const celsius = (what: string) => nullable(Type.Number(live(`${what} in °C`)))

export const LivePrinterStatus = resource('LivePrinterStatus', 'Current state of a printer, as its hub reports it', {
  printer_id: Type.String({ description: 'ID of the printer' }),
  hub_online: Type.Boolean({ description: 'Whether its hub is connected; without it, the live fields are null' }),
  status: nullable(oneOf(printerStatuses, { description: `${statusDescription}. Null while the hub is offline` })),
  progress: nullable(Type.Number(live('Progress of the plate that is printing, 0 to 100'))),
  nozzle_temp: celsius('Nozzle temperature'),
  bed_temp: celsius('Bed temperature'),
  chamber_temp: celsius('Chamber temperature'),
  target_nozzle_temp: celsius('Nozzle temperature aimed at'),
  target_bed_temp: celsius('Bed temperature aimed at'),
  layer_num: nullable(Type.Integer(live('Layer being printed'))),
  total_layers: nullable(Type.Integer(live('Layers of the plate'))),
  remaining_time_minutes: nullable(Type.Integer(live('Minutes until the plate is done'))),
  current_job_id: nullable(Type.String(live('The job being printed, when it is one of this service'))),
  current_color: nullable(Type.String(live('Name of the loaded colour'))),
  current_color_hex: nullable(Type.String(live('Loaded colour as #RRGGBB'))),
  current_filament_type: nullable(Type.String(live('Loaded material'))),
  last_telemetry_at: nullable(
    timestamp(
      'Time at which it last answered its hub, to within 15 seconds; null when it has not since the service started',
    ),
  ),
})
export type LivePrinterStatus = Static<typeof LivePrinterStatus>

export const DeletedPrinter = resource('DeletedPrinter', 'The printer that is gone', {
  id: Type.String({ description: 'ID of the printer that was deleted' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

export function presentPrinter(row: PrinterRow, status: PrinterStatus): Static<typeof Printer> {
  return {
    id: row.id,
    name: row.name,
    model: row.model,
    manufacturer: row.manufacturer,
    status,
    location: row.location,
    nozzle_size: row.nozzle_size,
    current_color: row.current_color,
    current_color_hex: row.current_color_hex,
    current_filament_type: row.current_filament_type,
    current_build_plate: row.current_build_plate,
    has_ams: row.has_ams,
    is_active: row.is_active,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A hub may say more of a slot than leaves here. */
function presentSlot(slot: FilamentSlot): Static<typeof Slot> {
  return {
    slot: slot.slot,
    name: slot.name,
    filament_type: slot.filament_type,
    filament_color_hex: slot.filament_color_hex,
    remaining_percent: slot.remaining_percent,
    is_empty: slot.is_empty,
    is_active: slot.is_active,
  }
}

/** What a printer reports of its firmware is newer than what is stored of it. */
export function presentPrinterDetail(
  row: PrinterRow,
  status: PrinterStatus,
  reported: Pick<PrinterState, 'firmware_version' | 'run' | 'slots'> | undefined,
): Static<typeof PrinterDetail> {
  return {
    ...presentPrinter(row, status),
    notes: row.notes,
    firmware_version: reported?.firmware_version ?? row.firmware_version,
    total_print_time: Math.round(row.total_print_seconds / 60),
    filament_level: row.filament_level,
    last_maintenance_date: row.last_maintenance_date?.toISOString() ?? null,
    in_maintenance: row.in_maintenance,
    maintenance_type: row.maintenance_type,
    hub_id: row.hub_id,
    plate_state: row.plate_state,
    plate_job_id: row.plate_job_id,
    plate_changed_at: row.plate_changed_at.toISOString(),
    plate_changed_by: row.plate_changed_by,
    plate_change_reason: row.plate_change_reason,
    plate_unknown_reason: row.plate_unknown_reason,
    ejection:
      row.ejection_cooldown_temp === null
        ? null
        : {
            cooldown_temp: row.ejection_cooldown_temp,
            gcode: row.ejection_gcode,
            check_after: row.ejection_check_after,
          },
    ejections_in_row: row.ejections_in_row,
    health: presentHealth(row.health),
    foreign_print: reported?.run && reported.run.attempt_id === null ? reported.run.file_name : null,
    maintenance_interval_hours: row.maintenance_interval_hours,
    auto_start: row.auto_start,
    connection_type: row.connection_type,
    power_group: row.power_group,
    loaded_filament_grams: row.loaded_filament_grams,
    slots: reported?.slots?.map(presentSlot) ?? null,
  }
}

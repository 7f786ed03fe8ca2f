import { type Filament, type PrintFacts, unknownFilament } from '../print-file.ts'
import { normalizeColor } from './colors.ts'
import type { FilamentBody } from './filament-weight.ts'
import { itemAt, positive } from './lists.ts'
import type { Settings } from './settings.ts'

/** The setting that holds the bed temperatures for each kind of plate in Bambu Studio and Orca. */
const bedTempSetting: Record<string, string> = {
  'cool plate': 'cool_plate_temp',
  'engineering plate': 'eng_plate_temp',
  'high temp plate': 'hot_plate_temp',
  'textured pei plate': 'textured_plate_temp',
  'supertack plate': 'supertack_plate_temp',
  'bambu cool plate supertack': 'supertack_plate_temp',
}

/** The configured filament at a position; what the print uses of it is not known here. */
export function configuredFilament(settings: Settings, index: number): Filament {
  return {
    ...unknownFilament(index),
    type: itemAt(settings.texts('filament_type'), index) || null,
    color:
      normalizeColor(itemAt(settings.texts('filament_colour'), index)) ??
      normalizeColor(itemAt(settings.texts('extruder_colour'), index)),
    presetId:
      itemAt(settings.texts('filament_ids'), index) || itemAt(settings.texts('filament_settings_id'), index) || null,
    tool: toolOf(settings.numbers('filament_map'), settings, index),
  }
}

/**
 * The tool of the filament at a position. `map` holds a logical extruder for each filament, counted from 1; the settings tie these
 * to the printer's own numbers, which are turned round on Bambu's machines: `physical_extruder_map = 1,0`. Null where there
 * is but one extruder.
 */
export function toolOf(map: readonly number[], settings: Settings, index: number): number | null {
  const physical = settings.numbers('physical_extruder_map')
  const logical = map[index]
  if (physical.length < 2 || logical === undefined) return null
  const tool = physical[logical - 1]
  return tool !== undefined && Number.isInteger(tool) && tool >= 0 && tool < 64 ? tool : null
}

/** Diameter and density of the configured filament at a position. */
export function configuredBody(settings: Settings, index: number): FilamentBody {
  return {
    diameterMm: itemAt(settings.numbers('filament_diameter'), index),
    densityGPerCm3: itemAt(settings.numbers('filament_density'), index),
  }
}

/** Answers how many filaments are configured; 0 when the settings do not say. */
export function configuredCount(settings: Settings): number {
  return Math.max(
    settings.texts('filament_type').length,
    settings.texts('filament_colour').length,
    settings.texts('filament_settings_id').length,
  )
}

/** Fills what is still unknown in the facts from the settings of a profile. `filaments` must stand already. */
export function addProfile(facts: PrintFacts, settings: Settings): void {
  const firstUsed = facts.filaments[0]?.index ?? 0
  const first = (...keys: string[]) => {
    for (const key of keys) {
      const value = positive(settings.numbers(key)[0])
      if (value !== null) return value
    }
    return null
  }
  const all = (...keys: string[]) =>
    keys.map((key) => settings.numbers(key).filter((value) => value > 0)).find((values) => values.length > 0) ?? []
  const used = (key: string) => positive(itemAt(settings.numbers(key), firstUsed))

  facts.printerModel ??= settings.text('printer_model')
  facts.printProfile ??= settings.text('print_settings_id')
  facts.layerHeightMm ??= first('layer_height')
  facts.firstLayerHeightMm ??= first('first_layer_height', 'initial_layer_print_height')
  facts.maxZMm ??= first('max_layer_z')
  facts.bedType ??= settings.text('curr_bed_type')
  facts.chamberTempC ??= used('chamber_temperature') ?? used('chamber_temperatures')
  if (facts.nozzleDiametersMm.length === 0) facts.nozzleDiametersMm = all('nozzle_diameter')
  if (facts.nozzleTempC.length === 0) facts.nozzleTempC = all('temperature', 'nozzle_temperature')
  const bambuBed = bedTempSetting[facts.bedType?.toLowerCase().replace(/[()]/g, '') ?? '']
  facts.bedTempC ??=
    (bambuBed === undefined ? null : used(bambuBed)) ?? used('bed_temperature') ?? used('first_layer_bed_temperature')
}

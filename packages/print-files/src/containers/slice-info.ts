import { type Filament, type PrintObject, unknownFilament } from '../print-file.ts'
import { normalizeColor } from '../settings/colors.ts'
import { knownSeconds } from '../settings/durations.ts'
import { positive, readNumber, splitNumbers } from '../settings/lists.ts'
import { attribute, children, type XmlElement } from './xml.ts'

/** What `Metadata/slice_info.config` says about one plate. */
export interface SlicedPlate {
  printTimeSeconds: number | null
  totalWeightG: number | null
  /** Model code such as `C12`. */
  printerModelId: string | null
  nozzleDiametersMm: number[]
  filaments: Filament[]
  /** For each filament of the project its logical extruder, counted from 1; empty when not said. */
  filamentMaps: number[]
  objects: PrintObject[]
  warnings: string[]
}

export interface SliceInfo {
  slicerVersion: string | null
  /** By plate number. */
  plates: Map<number, SlicedPlate>
}

/** Reads `Metadata/slice_info.config`, the first source for everything about a plate. */
export function readSliceInfo(document: XmlElement, maxObjects: number): SliceInfo {
  const info: SliceInfo = { slicerVersion: null, plates: new Map() }
  for (const config of children(document, 'config')) {
    for (const item of children(config, 'header').flatMap((header) => children(header, 'header_item'))) {
      if (attribute(item, 'key') === 'X-BBL-Client-Version') info.slicerVersion = attribute(item, 'value')
    }
    for (const plate of children(config, 'plate')) {
      const metadata = readMetadata(plate)
      const index = readNumber(metadata.get('index') ?? '')
      if (Number.isInteger(index) && !info.plates.has(index))
        info.plates.set(index, readPlate(plate, metadata, maxObjects))
    }
  }
  return info
}

/** The names people gave to plates, from `Metadata/model_settings.config`, by plate number. */
export function readPlateNames(document: XmlElement): Map<number, string> {
  const names = new Map<number, string>()
  for (const plate of children(document, 'config').flatMap((config) => children(config, 'plate'))) {
    const metadata = readMetadata(plate)
    const name = metadata.get('plater_name')
    const index = readNumber(metadata.get('plater_id') ?? '')
    if (name && Number.isInteger(index)) names.set(index, name)
  }
  return names
}

function readMetadata(element: XmlElement): Map<string, string> {
  const metadata = new Map<string, string>()
  for (const item of children(element, 'metadata')) {
    const key = attribute(item, 'key')
    if (key !== null) metadata.set(key, attribute(item, 'value') ?? '')
  }
  return metadata
}

function readPlate(plate: XmlElement, metadata: Map<string, string>, maxObjects: number): SlicedPlate {
  return {
    printTimeSeconds: knownSeconds(readNumber(metadata.get('prediction') ?? '')),
    totalWeightG: positive(readNumber(metadata.get('weight') ?? '')),
    printerModelId: metadata.get('printer_model_id') || null,
    nozzleDiametersMm: splitNumbers(metadata.get('nozzle_diameters') ?? '').filter((value) => value > 0),
    filaments: children(plate, 'filament').slice(0, 64).flatMap(readFilament),
    filamentMaps: splitNumbers((metadata.get('filament_maps') ?? '').trim().replaceAll(/\s+/g, ',')),
    objects: children(plate, 'object').slice(0, maxObjects).flatMap(readObject),
    warnings: children(plate, 'warning').slice(0, 20).flatMap(readWarning),
  }
}

/** `id` counts the project's filaments from 1; the ones that this plate does not use are missing. */
function readFilament(element: XmlElement): Filament[] {
  const id = readNumber(attribute(element, 'id') ?? '')
  if (!Number.isInteger(id) || id < 1 || id > 1024) return []
  const metres = positive(readNumber(attribute(element, 'used_m') ?? ''))
  const forObject = attribute(element, 'used_for_object')
  const forSupport = attribute(element, 'used_for_support')
  return [
    {
      ...unknownFilament(id - 1),
      type: attribute(element, 'type'),
      color: normalizeColor(attribute(element, 'color')),
      presetId: attribute(element, 'tray_info_idx'),
      lengthMm: metres === null ? null : metres * 1000,
      weightG: positive(readNumber(attribute(element, 'used_g') ?? '')),
      forSupport: forSupport === null ? null : forSupport === 'true' && forObject !== 'true',
    },
  ]
}

function readObject(element: XmlElement): PrintObject[] {
  const id = attribute(element, 'identify_id')
  if (id === null || attribute(element, 'skipped') === 'true') return []
  return [{ id, name: attribute(element, 'name') ?? id }]
}

function readWarning(element: XmlElement): string[] {
  const message = attribute(element, 'msg')
  if (message === null) return []
  const code = attribute(element, 'error_code')
  return [`The slicer warned: ${message.slice(0, 200)}${code === null ? '' : ` (${code})`}.`]
}

import type { PrintFacts, PrintFile, Thumbnail } from '@printyard/print-files/print-file'
import type { PrintFileVersionRow } from '../../db/rows.generated.ts'
import type { FilamentOfFile } from '../matching/matching.queries.ts'

/**
 * What the service keeps of a print file. Filament types and colours are those of all filaments used, without repetition,
 * separated by semicolons as slicers do. `archive_plate` is the plate of a `.gcode.3mf` that is meant; all facts are those
 * of this plate.
 */
export type VersionFacts = Pick<
  PrintFileVersionRow,
  | 'format'
  | 'is_sliced'
  | 'print_time_seconds'
  | 'filament_weight_grams'
  | 'filament_length_meters'
  | 'filament_type'
  | 'filament_color'
  | 'printer_model'
  | 'nozzle_diameter'
  | 'layer_count'
  | 'bed_type'
  | 'print_profile'
  | 'object_count'
  | 'archive_plate'
  | 'nozzle_temp'
  | 'bed_temp'
  | 'width_mm'
  | 'depth_mm'
> & {
  /** The filaments that the plate uses, each once. */
  filaments: FilamentOfFile[]
}

/** What was read from a file, small enough to be handed from thread to thread. */
export interface FileReading {
  facts: VersionFacts
  /** All else as JSON, for people: without pictures, and without objects, of which a file may have thousands. */
  metadataJson: string
  thumbnail: Pick<Thumbnail, 'mime' | 'bytes'> | null
}

/** Longest text taken over; slicers' names are far shorter, and a hostile file must not fill the lists. */
const longestText = 200
const longestList = 200
/** More than any changer has. */
const mostFilaments = 64
const largestInteger = 2_147_483_647

/**
 * Answers what is kept of a file. With several plates one must be meant: `plate`, or the first.
 *
 * @returns the plates there are, when `plate` is none of them.
 */
export function describeVersion(file: PrintFile, plate?: number): FileReading | { plates: number[] } {
  const chosen = plate === undefined ? file.plates[0] : file.plates.find(({ index }) => index === plate)
  if (plate !== undefined && !chosen) return { plates: file.plates.map(({ index }) => index) }
  const facts: PrintFacts = chosen ?? file
  const used = facts.filaments
  const nozzleTemp = facts.nozzleTempC[used[0]?.index ?? 0] ?? facts.nozzleTempC[0]
  const thumbnail = facts.thumbnails[0] ?? file.thumbnails[0]
  return {
    facts: {
      format: file.format,
      is_sliced: file.isSliced,
      print_time_seconds: amount(facts.printTimeSeconds),
      filament_weight_grams: amount(facts.totalWeightG),
      filament_length_meters: amount(facts.totalLengthMm === null ? null : facts.totalLengthMm / 1000),
      filament_type: joined(used.map(({ type }) => type)),
      filament_color: joined(used.map(({ color }) => color)),
      printer_model: shortText(facts.printerModel ?? file.printerModel),
      nozzle_diameter: amount(facts.nozzleDiametersMm[0]),
      layer_count: count(facts.layerCount),
      bed_type: shortText(facts.bedType ?? file.bedType),
      print_profile: shortText(facts.printProfile ?? file.printProfile),
      object_count: count(facts.objects.length || null),
      archive_plate: count(chosen?.index),
      nozzle_temp: amount(nozzleTemp),
      bed_temp: amount(facts.bedTempC),
      width_mm: amount(facts.widthMm),
      depth_mm: amount(facts.depthMm),
      filaments: used.slice(0, mostFilaments).map(({ index, type, color, presetId, tool, weightG }) => ({
        index,
        type: shortText(type),
        color: shortText(color),
        preset_id: shortText(presetId),
        tool: count(tool),
        grams: amount(weightG),
      })),
    },
    metadataJson: JSON.stringify(storable(file)),
    thumbnail: thumbnail ? { mime: thumbnail.mime, bytes: thumbnail.bytes } : null,
  }
}

function amount(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isFinite(value) ? value : null
}

function count(value: number | null | undefined): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= largestInteger
    ? (value as number)
    : null
}

/** Text as PostgreSQL can store it: no NUL bytes, no lone surrogates. */
function shortText(value: string | null): string | null {
  if (value === null) return null
  return value.replaceAll('\0', '').slice(0, longestText).toWellFormed() || null
}

function joined(values: (string | null)[]): string | null {
  return shortText([...new Set(values.filter((value) => value !== null && value !== ''))].join(';'))
}

function storable(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value)
  if (Array.isArray(value)) return value.slice(0, longestList).map(storable)
  if (value === null || typeof value !== 'object') return value
  const kept = Object.entries(value).filter(([key]) => key !== 'thumbnails' && key !== 'objects')
  return Object.fromEntries(kept.map(([key, member]) => [key, storable(member)]))
}

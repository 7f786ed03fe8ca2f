import type { FilamentAssignment } from '@printyard/protocol/commands'
import type { PrinterRow, PrintFileVersionRow } from '../../db/rows.generated.ts'
import type { Catalogue, Equipment, FilamentNeed, FilamentPlace, PlateNeed } from './farm-facts.ts'
import { filamentFit, gramsFit, needsOn, placesFor, reachesTool, unlikeness } from './filament-match.ts'

/** Which filament of the plate is printed from which place. */
interface Assignment {
  need: FilamentNeed
  place: FilamentPlace
}

interface AssignOptions {
  /** Only places of which it is known that they hold the filament. */
  isCertain?: boolean
  /** A person said to print although the filament does not fit: the nearest places are taken, however far. */
  takesNearest?: boolean
}

const impossible = 1e9
/** Cost of a place that is taken only because a person said so. */
const misfit = 1e6

/**
 * A place of its own for each filament of a plate, together as like as can be; undefined where there is none. A filament
 * goes only where nothing is known that speaks against it.
 */
export function assignPlaces(
  equipment: Equipment,
  plate: PlateNeed,
  catalogue: Catalogue,
  { isCertain = false, takesNearest = false }: AssignOptions = {},
): Assignment[] | undefined {
  const needs = needsOn(equipment, plate)
  const { places } = equipment
  if (needs.length > places.length) return undefined
  const costs = needs.map((need) => {
    const possible = placesFor(equipment, need, needs.length === 1)
    return places.map((place) => {
      if (!possible.includes(place) || !reachesTool(place, need) || place.is_empty) return impossible
      const fit = filamentFit(place, need, !plate.any_color, catalogue)
      const isFit = gramsFit(place, need) && (fit === 'yes' || (fit === 'unknown' && !isCertain))
      if (!isFit && !takesNearest) return impossible
      return unlikeness(place, need, catalogue) + (isFit ? 0 : misfit)
    })
  })
  const chosen = leastCost(costs)
  const assigned = needs.flatMap((need, row) => {
    const column = chosen[row] ?? -1
    const place = places[column]
    return place && (costs[row]?.[column] ?? impossible) < impossible ? [{ need, place }] : []
  })
  return assigned.length === needs.length ? assigned : undefined
}

/** True when a printer can be told the slots of a file at all: one of Bambu is, of an archive, and prints plain G-code as it says. */
export function takesMap(
  connectionType: PrinterRow['connection_type'],
  format: PrintFileVersionRow['format'],
): boolean {
  return connectionType !== 'bambu' || format === 'gcode-3mf'
}

/** The slot that a filament of a plate comes from; null for the only place of a printer that names none. */
export interface SlotOfFilament {
  filament: number
  slot: number | null
}

/**
 * Answers which slot each filament of a plate comes from: as the printer is told, else as it is built. Null where it has one place, or
 * prints from where the file says without being told.
 */
export function slotsOfPlate(
  equipment: Equipment,
  plate: PlateNeed,
  catalogue: Catalogue,
  told: readonly FilamentAssignment[] | undefined,
): readonly SlotOfFilament[] | null {
  if (equipment.places.length === 1) return null
  if (equipment.feeding === 'told') return told ?? null
  const assigned = assignPlaces(equipment, plate, catalogue, { takesNearest: true })
  return assigned?.flatMap(({ need, place: { slot } }) => need.indexes.map((filament) => ({ filament, slot }))) ?? null
}

/** Answers what the printer is told with the start; undefined for printers that choose nothing, or when nothing was found for it. */
export function filamentMapFor(
  equipment: Equipment,
  plate: PlateNeed,
  catalogue: Catalogue,
  options?: AssignOptions,
): FilamentAssignment[] | undefined {
  if (equipment.feeding !== 'told') return undefined
  return assignPlaces(equipment, plate, catalogue, options)
    ?.flatMap(({ need, place: { slot } }) => need.indexes.map((filament) => ({ filament, slot })))
    .sort((a, b) => a.filament - b.filament)
}

/**
 * A column for each row so that the costs add up to the least: the Hungarian method with potentials (Kuhn 1955, in the form
 * with O(rows² · columns)). There must be as many columns as rows.
 */
function leastCost(costs: readonly (readonly number[])[]): number[] {
  const rows = costs.length
  const columns = costs[0]?.length ?? 0
  const ofRow = new Float64Array(rows + 1)
  const ofColumn = new Float64Array(columns + 1)
  const rowAt = new Int32Array(columns + 1)
  for (let row = 1; row <= rows; row += 1) {
    const from = new Int32Array(columns + 1)
    const least = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY)
    const isUsed = new Uint8Array(columns + 1)
    let column = 0
    rowAt[0] = row
    while (rowAt[column] !== 0) {
      isUsed[column] = 1
      const current = rowAt[column] as number
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let other = 1; other <= columns; other += 1) {
        if (isUsed[other]) continue
        const cost =
          (costs[current - 1]?.[other - 1] ?? impossible) - (ofRow[current] as number) - (ofColumn[other] as number)
        if (cost < (least[other] as number)) {
          least[other] = cost
          from[other] = column
        }
        if ((least[other] as number) < delta) {
          delta = least[other] as number
          next = other
        }
      }
      for (let other = 0; other <= columns; other += 1) {
        if (isUsed[other]) {
          ofRow[rowAt[other] as number] = (ofRow[rowAt[other] as number] as number) + delta
          ofColumn[other] = (ofColumn[other] as number) - delta
        } else {
          least[other] = (least[other] as number) - delta
        }
      }
      column = next
    }
    while (column !== 0) {
      const before = from[column] as number
      rowAt[column] = rowAt[before] as number
      column = before
    }
  }
  const chosen = new Array<number>(rows).fill(-1)
  for (let column = 1; column <= columns; column += 1) {
    const row = rowAt[column] as number
    if (row > 0) chosen[row - 1] = column - 1
  }
  return chosen
}

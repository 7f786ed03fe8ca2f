import type { FilamentAssignment, FileToPrint } from '@printyard/protocol/commands'
import { DriverError } from '../driver.ts'

/** A filament that a print uses. */
export interface UsedFilament {
  /** Its position among all filaments of the project, from 0. */
  index: number
  type: string | null
  colorHex: string | null
}

/** A file that a printer has and is to print, with from where each of its filaments comes. */
export interface PrintToStart extends FileToPrint {
  /** As the command has it; left out or null when no slots were chosen. */
  filament_map?: readonly FilamentAssignment[] | null | undefined
  /** What the print uses; left out or null where that is not known. */
  filaments?: readonly UsedFilament[] | null | undefined
}

/** A place for a spool, as a driver knows it. */
export interface SpoolPlace {
  /** `FilamentSlot.slot`. */
  number: number
  /** As people find it at the printer. */
  name: string
  isEmpty: boolean
}

/** A filament by its position in the project, and the place that it is printed from. */
export interface PlacedFilament<P extends SpoolPlace> {
  filament: number
  place: P
}

/**
 * The places of all filaments that a print uses, as the command has them; undefined when no slots were chosen.
 * @throws DriverError `NOT_MAPPED` unless every filament has a place which is there and holds a spool.
 */
export function chosenPlaces<P extends SpoolPlace>(
  { filament_map: map, filaments }: Pick<PrintToStart, 'filament_map' | 'filaments'>,
  places: readonly P[],
): PlacedFilament<P>[] | undefined {
  if (!map) return undefined
  const placed = map.map(({ filament, slot }) => ({ filament, place: placeOf(filament, slot, places) }))
  if (new Set(map.map(({ filament }) => filament)).size < map.length) {
    throw new DriverError('NOT_MAPPED', 'the command names two slots for one filament')
  }
  const missing = filaments?.find(({ index }) => !map.some(({ filament }) => filament === index))
  if (missing) throw new DriverError('NOT_MAPPED', `no slot is chosen for ${wordsFor(missing.index)} of the file`)
  return placed
}

/**
 * The place of a print for which none was chosen, when there is nothing to choose: one filament, and one place with a spool.
 * @throws DriverError `NOT_MAPPED` in every other case, because the printer would choose by itself.
 */
export function onlyPlace<P extends SpoolPlace>(
  { filaments }: Pick<PrintToStart, 'filaments'>,
  places: readonly P[],
): PlacedFilament<P>[] {
  const [place, ...others] = places.filter(({ isEmpty }) => !isEmpty)
  const filament = onlyFilament({ filaments })
  if (!place) throw new DriverError('NOT_MAPPED', 'the printer has no spool in any of its slots')
  if (others.length > 0) {
    const names = [place, ...others].map(({ name }) => name).join(', ')
    throw new DriverError('NOT_MAPPED', `the command does not say from which slot to print: ${names}`)
  }
  return [{ filament, place }]
}

/** @throws DriverError `NOT_MAPPED` unless the print is known to use a single filament. */
export function onlyFilament({ filaments }: Pick<PrintToStart, 'filaments'>): number {
  const [first, ...others] = filaments ?? []
  if (!first) throw new DriverError('NOT_MAPPED', 'it is not known which filaments the file uses')
  if (others.length === 0) return first.index
  throw new DriverError('NOT_MAPPED', `the file uses ${others.length + 1} filaments, and no slots are chosen for them`)
}

/** @throws DriverError `NOT_MAPPED` when slots are chosen for a printer that cannot be told any. */
export function refuseFilamentMap({ filament_map: map }: Pick<PrintToStart, 'filament_map'>): void {
  if (map) throw new DriverError('NOT_MAPPED', 'the printer cannot be told from which slots to print')
}

function placeOf<P extends SpoolPlace>(filament: number, slot: number | null, places: readonly P[]): P {
  if (slot === null) throw new DriverError('NOT_MAPPED', `no slot is chosen for ${wordsFor(filament)}`)
  const place = places.find(({ number }) => number === slot)
  if (!place) throw new DriverError('NOT_MAPPED', `the printer has no slot ${slot}, which ${wordsFor(filament)} needs`)
  if (place.isEmpty)
    throw new DriverError('NOT_MAPPED', `slot ${place.name}, which ${wordsFor(filament)} needs, is empty`)
  return place
}

/** People count from 1, as slicers do. */
const wordsFor = (filament: number) => `filament ${filament + 1}`

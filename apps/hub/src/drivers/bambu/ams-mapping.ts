import { DriverError } from '../driver.ts'
import { chosenPlaces, type PlacedFilament, type PrintToStart, type UsedFilament } from '../print/filament-map.ts'
import { EXTERNAL_TRAY, isExternal, LITE_UNIT_OF_A2L, RIGHT_EXTERNAL_TRAY, type Tray } from './bambu-filament.ts'

/** From which spool each filament of a project is printed, in the three forms that firmware wants to have it. */
export interface AmsMapping {
  use_ams: boolean
  /** One entry for each filament of the project: a tray, or −1 for an external spool and for what is not used. */
  ams_mapping: number[]
  ams_mapping2: { ams_id: number; slot_id: number }[]
}

/** The places for spools of a printer now. */
interface TraysNow {
  trays: readonly Tray[]
  /** Those that hang outside, that of the left nozzle first. */
  externals: readonly Tray[]
  /** What the nozzle that works is fed with; null when with nothing. */
  current: Tray | null
}

/** The mapping of a print: as the command maps it, and without a map as its file and the spools suggest. */
export function mappingFor(print: PrintToStart, now: TraysNow): AmsMapping {
  const chosen = chosenPlaces(print, [...now.trays, ...now.externals])
  if (chosen) return mappingOf(chosen)
  const filaments = print.filaments ?? [{ index: 0, type: print.filament_type, colorHex: null }]
  return mapFilaments(filaments, now.trays, now.externals, now.current)
}

/** @throws DriverError `NOT_MAPPED` when slots are chosen for plain G-code, whose start names none. */
export function refuseMapOfPlainGcode({ filament_map: map }: PrintToStart): void {
  if (!map) return
  throw new DriverError('NOT_MAPPED', 'the printer takes no slots for plain G-code: slice it as .gcode.3mf')
}

/**
 * Chooses a spool for each filament of a plate: of the same type, of the nearest colour, the one in use when in doubt. A number
 * that the printer does not have would make it wait for ever, so none is ever made up: rejects with `REFUSED` instead.
 */
export function mapFilaments(
  filaments: readonly UsedFilament[],
  trays: readonly Tray[],
  externals: readonly Tray[],
  current: Tray | null,
): AmsMapping {
  return mappingOf(
    filaments.map((filament) => ({ filament: filament.index, place: trayFor(filament, trays, externals, current) })),
  )
}

const unused = { ams_id: 255, slot_id: 255 }

function mappingOf(placed: readonly PlacedFilament<Tray>[]): AmsMapping {
  const length = Math.max(1, ...placed.map(({ filament }) => filament + 1))
  const mapping: AmsMapping = {
    use_ams: placed.some(({ place }) => !isExternal(place)),
    ams_mapping: Array.from({ length }, () => -1),
    ams_mapping2: Array.from({ length }, () => unused),
  }
  for (const { filament, place } of placed) {
    mapping.ams_mapping[filament] = flatNumberOf(place)
    mapping.ams_mapping2[filament] = { ams_id: place.unit, slot_id: place.slot }
  }
  return mapping
}

function flatNumberOf(tray: Tray): number {
  if (isExternal(tray)) return -1
  return tray.unit === LITE_UNIT_OF_A2L ? tray.slot : tray.number
}

const externalUnknown: Tray = {
  number: EXTERNAL_TRAY,
  name: 'external',
  unit: 255,
  slot: 0,
  type: null,
  colorHex: null,
  presetId: null,
  tool: null,
  remainingPercent: null,
  isEmpty: false,
}

function trayFor(
  filament: UsedFilament,
  trays: readonly Tray[],
  externals: readonly Tray[],
  current: Tray | null,
): Tray {
  // Without feeding units and with one nozzle there is nothing to choose: a person hung up what is to be printed.
  if (trays.length === 0 && externals.length < 2) return externals[0] ?? externalUnknown
  const loaded = [...trays, ...externals].filter(({ isEmpty }) => !isEmpty)
  const fitting = loaded
    .filter(({ type }) => isSameType(type, filament.type))
    .sort((a, b) => rank(a, filament, current) - rank(b, filament, current))
  // An external holder that is not described is most likely bare, unless the printer says that it prints from it.
  const unnamed = loaded.filter(
    (tray) => tray.type === null && (!isExternal(tray) || tray.number === current?.number || trays.length === 0),
  )
  const inUse = unnamed.find(({ number }) => number === current?.number)
  // Of two nozzles the right one is the main one.
  const main = unnamed.find(({ number }) => number === RIGHT_EXTERNAL_TRAY)
  const chosen = fitting[0] ?? inUse ?? main ?? unnamed[0]
  if (chosen) return chosen
  throw new DriverError('REFUSED', `no spool in the printer is of ${filament.type ?? 'a known type'}`)
}

function isSameType(loaded: string | null, wanted: string | null): boolean {
  return loaded !== null && (wanted === null || loaded.toUpperCase() === wanted.toUpperCase())
}

/** Less is better: the distance of the colours, and a hair for not being in use. */
function rank(tray: Tray, filament: UsedFilament, current: Tray | null): number {
  return distance(tray.colorHex, filament.colorHex) + (tray.number === current?.number ? 0 : 0.5)
}

function distance(a: string | null, b: string | null): number {
  if (a === null || b === null) return 0
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [1, 3, 5].reduce((sum, at) => sum + Math.abs(channel(a, at) - channel(b, at)), 0)
}

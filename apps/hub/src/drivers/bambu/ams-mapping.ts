import { DriverError } from '../driver.ts'
import { EXTERNAL_TRAY, isExternal, RIGHT_EXTERNAL_TRAY, type Tray } from './bambu-filament.ts'
import type { PlateFilament } from './plate-filaments.ts'

/** From which spool each filament of a project is printed, in the three forms that firmware wants to have it. */
export interface AmsMapping {
  use_ams: boolean
  /** One entry for each filament of the project: a tray, or −1 for an external spool and for what is not used. */
  ams_mapping: number[]
  ams_mapping2: { ams_id: number; slot_id: number }[]
}

const unused = { ams_id: 255, slot_id: 255 }

/**
 * Chooses a spool for each filament of a plate: of the same type, of the nearest colour, the one in use when in doubt. A number
 * that the printer does not have would make it wait for ever, so none is ever made up: rejects with `REFUSED` instead.
 */
export function mapFilaments(
  filaments: readonly PlateFilament[],
  trays: readonly Tray[],
  externals: readonly Tray[],
  current: Tray | null,
): AmsMapping {
  const length = Math.max(1, ...filaments.map(({ index }) => index + 1))
  const mapping: AmsMapping = {
    use_ams: false,
    ams_mapping: Array.from({ length }, () => -1),
    ams_mapping2: Array.from({ length }, () => unused),
  }
  for (const filament of filaments) {
    const tray = trayFor(filament, trays, externals, current)
    mapping.ams_mapping[filament.index] = isExternal(tray) ? -1 : tray.number
    mapping.ams_mapping2[filament.index] = { ams_id: tray.unit, slot_id: tray.slot }
    mapping.use_ams ||= !isExternal(tray)
  }
  return mapping
}

const externalUnknown: Tray = {
  number: EXTERNAL_TRAY,
  unit: 255,
  slot: 0,
  type: null,
  colorHex: null,
  remainingPercent: null,
  isEmpty: false,
}

function trayFor(
  filament: PlateFilament,
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
  // An external holder that nobody described is most likely bare, unless the printer says that it prints from it.
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
function rank(tray: Tray, filament: PlateFilament, current: Tray | null): number {
  return distance(tray.colorHex, filament.colorHex) + (tray.number === current?.number ? 0 : 0.5)
}

function distance(a: string | null, b: string | null): number {
  if (a === null || b === null) return 0
  const channel = (color: string, at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return [1, 3, 5].reduce((sum, at) => sum + Math.abs(channel(a, at) - channel(b, at)), 0)
}

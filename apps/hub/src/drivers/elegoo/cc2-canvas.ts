import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { chosenPlaces, onlyPlace, type PrintToStart, type SpoolPlace } from '../print/filament-map.ts'
import { countIn, memberOf, textIn } from '../wire/wire-values.ts'

/** A tray of a Canvas, the unit that changes filament. */
export interface CanvasTray extends SpoolPlace {
  canvasId: number
  trayId: number
  type: string | null
  /** `#RRGGBB`, upper case. */
  colorHex: string | null
  /** The maker's number of the material. */
  code: string | null
  isActive: boolean
}

/** A unit has four trays. */
const TRAYS = 4
const MOST_SLOTS = 64
const EMPTY = 0
const ACTIVE = 2

/**
 * The trays of all connected units, from `canvas_info` in the answer to method 2005; empty without a Canvas. Source of the fields:
 * elegoo-link, and danielcherubini/elegoo-homeassistant #411 for what a start names.
 */
export function traysOf(canvasInfo: unknown): CanvasTray[] {
  const units = memberOf(canvasInfo, 'canvas_list')
  if (!Array.isArray(units)) return []
  const trays = units.flatMap((unit: unknown) => {
    const canvasId = countIn(memberOf(unit, 'canvas_id'))
    const list = memberOf(unit, 'tray_list')
    if (canvasId === null || !Array.isArray(list) || countIn(memberOf(unit, 'connected')) === 0) return []
    return list.flatMap((tray: unknown) => trayOf(canvasId, tray))
  })
  return trays.slice(0, MOST_SLOTS)
}

function trayOf(canvasId: number, tray: unknown): CanvasTray | [] {
  const trayId = countIn(memberOf(tray, 'tray_id'))
  const number = canvasId * TRAYS + (trayId ?? TRAYS)
  if (trayId === null || trayId >= TRAYS || number > 255) return []
  const status = countIn(memberOf(tray, 'status'))
  return {
    number,
    name: `Canvas ${canvasId + 1} tray ${trayId + 1}`,
    isEmpty: status === null || status === EMPTY,
    canvasId,
    trayId,
    type: textIn(memberOf(tray, 'filament_type'), 50),
    colorHex: colorOf(memberOf(tray, 'filament_color')),
    code: textIn(memberOf(tray, 'filament_code'), 50),
    isActive: status === ACTIVE,
  }
}

/** The trays as the rest of the hub knows them; null without a Canvas. */
export function canvasSlots(trays: readonly CanvasTray[]): FilamentSlot[] | null {
  if (trays.length === 0) return null
  return trays.map(({ number, name, isEmpty, type, colorHex, code, isActive }) => ({
    slot: number,
    name,
    filament_type: isEmpty ? null : type,
    filament_color_hex: isEmpty ? null : colorHex,
    preset_id: isEmpty ? null : code,
    is_external: false,
    remaining_percent: null,
    is_empty: isEmpty,
    is_active: isActive,
  }))
}

/** Name of the tray of one filament in a start: `t` is the `T` of the G-code, everything is counted from 0. */
interface SlotMapEntry {
  t: number
  canvas_id: number
  tray_id: number
}

/**
 * Answers what a start says about trays: nothing without a Canvas, else a tray for every filament of the print. The printer answers a tray
 * that it does not have with a yes, and prints from tray 0; so what is not certain is refused here.
 * @throws DriverError `NOT_MAPPED`
 */
export function slotMapFor(print: PrintToStart, trays: readonly CanvasTray[]): SlotMapEntry[] {
  const placed = chosenPlaces(print, trays) ?? (trays.length === 0 ? [] : onlyPlace(print, trays))
  return placed.map(({ filament, place }) => ({ t: filament, canvas_id: place.canvasId, tray_id: place.trayId }))
}

function colorOf(value: unknown): string | null {
  const text = textIn(value, 20)
  return text !== null && /^#[0-9a-f]{6}$/i.test(text) ? text.toUpperCase() : null
}

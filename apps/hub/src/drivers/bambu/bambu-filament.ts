import type { FilamentSlot } from '@printyard/protocol/printer-state'
import type { SpoolPlace } from '../print/filament-map.ts'
import { countIn, isTrue, memberOf, numberIn, percentIn, textIn } from '../wire/wire-values.ts'
import type { BambuPicture } from './bambu-report.ts'

/** A place for a spool that a printer can print from. */
export interface Tray extends SpoolPlace {
  /** `unit * 4 + slot`, 128 and up for units with one heated slot, 254 for an external spool, 255 for that of a second nozzle. */
  number: number
  unit: number
  slot: number
  /** `PLA`, `PETG`, …; null when no one said. */
  type: string | null
  /** `#RRGGBB`. */
  colorHex: string | null
  /** Amount left on the spool in percent; null when no one knows. */
  remainingPercent: number | null
  /** The maker's ID of the material: `GFA00`. */
  presetId: string | null
  /** The nozzle that it feeds: 0 is the right one or the only one, 1 the left one; null when the printer does not say. */
  tool: number | null
}

export const EXTERNAL_TRAY = 254
/** The AMS Lite of an A2L, whose slots a start names without the unit. Source: maziggy/bambuddy, a2l_lite_wire_ids. */
export const LITE_UNIT_OF_A2L = 16
/** Right external tray of printers with two nozzles: 254 feeds the left one. */
export const RIGHT_EXTERNAL_TRAY = 255
/** Name of the holder of a single nozzle as a unit. */
const EXTERNAL_UNIT = 255
const NO_TRAY = 255
const MOST_SLOTS = 64
/** Units with a single slot are numbered from here. */
const FIRST_HEATED_UNIT = 128

/** The slots of all units that feed filament by themselves, in order. */
export function amsTrays({ print }: BambuPicture): Tray[] {
  const units = memberOf(print, 'ams', 'ams')
  const exist = existBits(print)
  return list(units).flatMap((unit) => {
    const unitId = countIn(memberOf(unit, 'id'))
    if (unitId === null || unitId > 255) return []
    return list(memberOf(unit, 'tray')).flatMap((tray) => {
      const slot = countIn(memberOf(tray, 'id'))
      if (slot === null || slot > 3) return []
      const isHeated = unitId >= FIRST_HEATED_UNIT
      const number = isHeated ? unitId : unitId * 4 + slot
      const bit = isHeated ? 16 + (unitId - FIRST_HEATED_UNIT) : number
      const isThere = exist === null || bit > 31 || (exist & (1n << BigInt(bit))) !== 0n
      const name = isHeated ? `AMS HT ${unitId - FIRST_HEATED_UNIT + 1}` : `AMS ${unitId + 1} slot ${slot + 1}`
      return [readTray(tray, { number, name, unit: unitId, slot, tool: toolOf(unit), isThere })]
    })
  })
}

export const isExternal = ({ number }: Pick<Tray, 'number'>) => number >= EXTERNAL_TRAY

/** The spools that hang outside, that of the left nozzle first; none when the printer tells of none. */
export function externalTrays({ print }: BambuPicture): Tray[] {
  const slots = list(print.vir_slot)
  const holderOf = (number: number) => slots.find((slot) => countIn(memberOf(slot, 'id')) === number)
  const left = holderOf(EXTERNAL_TRAY)
  const right = holderOf(RIGHT_EXTERNAL_TRAY)
  if (left !== undefined && right !== undefined) {
    return [
      readTray(left, { ...holder(EXTERNAL_TRAY, 'external left'), unit: EXTERNAL_TRAY, tool: LEFT_NOZZLE }),
      readTray(right, { ...holder(RIGHT_EXTERNAL_TRAY, 'external right'), tool: RIGHT_NOZZLE }),
    ]
  }
  const spool = left ?? slots[0] ?? print.vt_tray
  if (typeof spool !== 'object' || spool === null) return []
  return [readTray(spool, holder(EXTERNAL_TRAY, 'external'))]
}

function holder(number: number, name: string): TrayPosition {
  return { number, name, unit: EXTERNAL_UNIT, slot: 0, tool: null, isThere: true }
}

/** Answers what the nozzle that works is fed with; null when with nothing, or when the printer cannot know. */
export function currentTray(picture: BambuPicture): Tray | null {
  const trays = amsTrays(picture)
  const externals = externalTrays(picture)
  const now = trayNow(picture)
  if (now === 'none' && trays.length > 0) return null
  if (now === 'none' || now === null) return knownOrNull(externals[0])
  const fed = [...trays, ...externals].find(({ number }) => number === now)
  return knownOrNull(fed ?? (isExternal({ number: now }) ? externals[0] : undefined))
}

/** All places for spools; null when the printer tells of none. */
export function slotsOf(picture: BambuPicture): FilamentSlot[] | null {
  const externals = externalTrays(picture)
  const current = currentTray(picture)
  const trays = [...amsTrays(picture), ...externals]
  if (trays.length === 0) return null
  return trays.slice(0, MOST_SLOTS).map((tray) => ({
    slot: tray.number,
    name: tray.name,
    filament_type: tray.isEmpty ? null : tray.type,
    filament_color_hex: tray.isEmpty ? null : tray.colorHex,
    preset_id: tray.isEmpty ? null : tray.presetId,
    is_external: isExternal(tray),
    tool: tray.tool,
    remaining_percent: tray.isEmpty ? null : tray.remainingPercent,
    is_empty: tray.isEmpty,
    is_active: tray.number === current?.number,
  }))
}

const RIGHT_NOZZLE = 0
const LEFT_NOZZLE = 1

/**
 * The nozzle that a unit feeds: four bits of its `info`, with 14 for a unit that is not set up yet. Source: DevFilaSystem.cpp of
 * BambuStudio.
 */
function toolOf(unit: unknown): number | null {
  const info = textIn(memberOf(unit, 'info'), 16)
  if (info === null || !/^[0-9a-f]+$/i.test(info)) return null
  const nozzle = Number((BigInt(`0x${info}`) >> 8n) & 15n)
  return nozzle === RIGHT_NOZZLE || nozzle === LEFT_NOZZLE ? nozzle : null
}

function knownOrNull(tray: Tray | undefined): Tray | null {
  return tray === undefined || tray.isEmpty ? null : tray
}

/** The number of the tray in use; null when the printer does not say. */
function trayNow({ print }: BambuPicture): number | 'none' | null {
  const snow = countIn(memberOf(activeExtruder(print), 'snow'))
  if (snow !== null) {
    const unit = (snow >> 8) & 255
    const slot = snow & 255
    if (snow >= 0xffff) return 'none'
    if (unit >= EXTERNAL_TRAY) return unit
    return unit >= FIRST_HEATED_UNIT ? unit : unit * 4 + slot
  }
  const now = countIn(memberOf(print, 'ams', 'tray_now'))
  return now === NO_TRAY ? 'none' : now
}

/** The nozzle that works, of printers that tell of several. */
export function activeExtruder(print: Record<string, unknown>): unknown {
  const state = countIn(memberOf(print, 'device', 'extruder', 'state')) ?? 0
  const nozzles = list(memberOf(print, 'device', 'extruder', 'info'))
  const active = (state >> 4) & 15
  return nozzles.find((nozzle) => countIn(memberOf(nozzle, 'id')) === active) ?? nozzles[0]
}

/** Position of a place, which its own fields do not say. */
interface TrayPosition extends Pick<Tray, 'number' | 'name' | 'unit' | 'slot' | 'tool'> {
  /** The printer has seen a spool in it. */
  isThere: boolean
}

function readTray(tray: unknown, { isThere, ...position }: TrayPosition): Tray {
  const type = textIn(memberOf(tray, 'tray_type'), 50)
  // Without a type an old firmware says 3 or less for a spool that is there and the new one 11; 9 is a slot without one.
  const state = numberIn(memberOf(tray, 'state'))
  const isDescribed = Object.keys(tray as object).some((key) => key !== 'id' && key !== 'state')
  const isEmpty = !isThere || (type === null && (!isDescribed || state === 9))
  // -1 is how "not known" is written.
  const remain = numberIn(memberOf(tray, 'remain'))
  const remainingPercent = remain === null || remain < 0 ? null : percentIn(remain)
  const presetId = textIn(memberOf(tray, 'tray_info_idx'), 50)
  return { ...position, type, colorHex: colorOf(memberOf(tray, 'tray_color')), presetId, remainingPercent, isEmpty }
}

function colorOf(value: unknown): string | null {
  const match = /^([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(textIn(value) ?? '')
  // Fully transparent is how "no one said" is written.
  return match?.[1] === undefined || match[2] === '00' ? null : `#${match[1].toUpperCase()}`
}

/** Answers which slots hold a spool; null when the printer does not know yet. */
function existBits(print: Record<string, unknown>): bigint | null {
  const text = textIn(memberOf(print, 'ams', 'tray_exist_bits'), 16)
  if (text === null || !/^[0-9a-f]+$/i.test(text)) return null
  const bits = BigInt(`0x${text}`)
  return bits === 0n && !isTrue(memberOf(print, 'ams', 'power_on_flag')) ? null : bits
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 64).filter((entry) => typeof entry === 'object' && entry !== null) : []
}

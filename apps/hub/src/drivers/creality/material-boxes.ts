import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { DriverError } from '../driver.ts'
import type { PlacedFilament, SpoolPlace } from '../print/filament-map.ts'
import { countIn, memberOf, percentIn, textIn } from '../wire/wire-values.ts'

/** One place for a spool; `1A` is the first place of the first box, `external` the spool holder. */
export interface MaterialSlot extends SpoolPlace {
  boxId: number
  materialId: number
  type: string | null
  /** `#RRGGBB`, upper case. */
  colorHex: string | null
  /** The colour as the printer wrote it: it wants it back like that. */
  color: string
  isExternal: boolean
  isSelected: boolean
  /** Amount left on the spool in percent; null when the printer does not say. */
  remainingPercent: number | null
}

const EXTERNAL_SLOT = 254
/** A box has four places. */
const PLACES = 4

/** The places of all boxes, from `boxsInfo`. */
export function slotsOf(boxsInfo: unknown): MaterialSlot[] {
  const boxes = memberOf(boxsInfo, 'materialBoxs')
  if (!Array.isArray(boxes)) return []
  return boxes.flatMap((box: unknown) => {
    const materials = memberOf(box, 'materials')
    const boxId = countIn(memberOf(box, 'id'))
    if (!Array.isArray(materials) || boxId === null) return []
    const isExternal = countIn(memberOf(box, 'type')) === 1
    return materials.flatMap((material: unknown) => {
      const materialId = countIn(memberOf(material, 'id'))
      if (materialId === null || materialId > 25) return []
      const type = textIn(memberOf(material, 'type'), 50)
      return {
        number: isExternal ? EXTERNAL_SLOT : (boxId - 1) * PLACES + materialId,
        // A holder that no one described may well have a spool.
        isEmpty: type === null && !isExternal,
        name: isExternal ? 'external' : `${boxId}${String.fromCharCode(65 + materialId)}`,
        boxId,
        materialId,
        type,
        colorHex: colorOf(memberOf(material, 'color')),
        color: textIn(memberOf(material, 'color'), 20) ?? '',
        isExternal,
        isSelected: countIn(memberOf(material, 'selected')) === 1,
        remainingPercent: percentIn(memberOf(material, 'percent')),
      }
    })
  })
}

const MOST_SLOTS = 64

/** The places as the rest of the hub knows them; null when the printer tells of none. */
export function filamentSlots(boxsInfo: unknown): FilamentSlot[] | null {
  const slots = slotsOf(boxsInfo).flatMap((slot): FilamentSlot[] => {
    const { number, isExternal } = slot
    if (number < 0 || number > EXTERNAL_SLOT) return []
    const isEmpty = slot.type === null
    return [
      {
        slot: number,
        name: slot.name,
        is_external: isExternal,
        filament_type: slot.type,
        filament_color_hex: isEmpty ? null : slot.colorHex,
        remaining_percent: isEmpty ? null : slot.remainingPercent,
        is_empty: isEmpty,
        is_active: slot.isSelected,
      },
    ]
  })
  return slots.length > 0 ? slots.slice(0, MOST_SLOTS) : null
}

/** True when a box is there that a print could draw from. */
export function hasMaterialBox(boxsInfo: unknown): boolean {
  return slotsOf(boxsInfo).some(({ isExternal }) => !isExternal)
}

/** Boxes write `#0RRGGBB`, with a digit that means nothing. */
function colorOf(value: unknown): string | null {
  const digits = /^#(?:[0-9a-f])?([0-9a-f]{6})$/i.exec(textIn(value, 20) ?? '')?.[1]
  return digits === undefined ? null : `#${digits.toUpperCase()}`
}

/** The places of a box go by letters, in files too: `T1A` is the first filament of a file and not a place. */
function fileNameOfFilament(filament: number): string {
  return `T${1 + Math.floor(filament / PLACES)}${String.fromCharCode(65 + (filament % PLACES))}`
}

/**
 * What a start from material boxes says of each filament. Source: CrealityPrint.cpp of OrcaSlicer.
 * @throws DriverError `NOT_MAPPED` when one of them comes from the holder, which cannot be had together with boxes.
 */
export function colorMatchOf(placed: readonly PlacedFilament<MaterialSlot>[]) {
  if (placed.some(({ place }) => place.isExternal)) {
    throw new DriverError('NOT_MAPPED', 'the printer does not print from its boxes and from the holder in one print')
  }
  return placed.map(({ filament, place: { type, color, boxId, materialId } }) => {
    return { id: fileNameOfFilament(filament), type, color, boxId, materialId }
  })
}

/**
 * True when all of a print comes from the spool holder.
 * @throws DriverError `NOT_MAPPED` for several filaments, of which the holder has one.
 */
export function isFromHolder(placed: readonly PlacedFilament<MaterialSlot>[]): boolean {
  if (!placed.every(({ place }) => place.isExternal)) return false
  if (placed.length > 1) throw new DriverError('NOT_MAPPED', 'several filaments cannot be printed from one holder')
  return true
}

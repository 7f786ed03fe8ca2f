import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { countIn, memberOf, percentIn, textIn } from '../wire/wire-values.ts'

/** One place for a spool. */
export interface MaterialSlot {
  /** What people call it: `1A` is the first place of the first box, `external` the spool holder. */
  name: string
  boxId: number
  materialId: number
  type: string | null
  /** `#RRGGBB`, upper case. */
  colorHex: string | null
  /** The colour as the printer wrote it: it wants it back like that. */
  color: string
  isExternal: boolean
  isSelected: boolean
  /** What is left on the spool in percent; null when the printer does not say. */
  remainingPercent: number | null
}

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
      return {
        name: isExternal ? 'external' : `${boxId}${String.fromCharCode(65 + materialId)}`,
        boxId,
        materialId,
        type: textIn(memberOf(material, 'type'), 50),
        colorHex: colorOf(memberOf(material, 'color')),
        color: textIn(memberOf(material, 'color'), 20) ?? '',
        isExternal,
        isSelected: countIn(memberOf(material, 'selected')) === 1,
        remainingPercent: percentIn(memberOf(material, 'percent')),
      }
    })
  })
}

const EXTERNAL_SLOT = 254
/** A box has four places. */
const PLACES = 4
const MOST_SLOTS = 64

/** The places as the rest of the hub knows them; null when the printer tells of none. */
export function filamentSlots(boxsInfo: unknown): FilamentSlot[] | null {
  const slots = slotsOf(boxsInfo).flatMap((slot): FilamentSlot[] => {
    const number = slot.isExternal ? EXTERNAL_SLOT : (slot.boxId - 1) * PLACES + slot.materialId
    if (number < 0 || number > EXTERNAL_SLOT) return []
    const isEmpty = slot.type === null
    return [
      {
        slot: number,
        name: slot.name,
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

/** Whether a box is there that a print could draw from. */
export function hasMaterialBox(boxsInfo: unknown): boolean {
  return slotsOf(boxsInfo).some(({ isExternal }) => !isExternal)
}

/** Boxes write `#0RRGGBB`, with a digit that means nothing. */
function colorOf(value: unknown): string | null {
  const digits = /^#(?:[0-9a-f])?([0-9a-f]{6})$/i.exec(textIn(value, 20) ?? '')?.[1]
  return digits === undefined ? null : `#${digits.toUpperCase()}`
}

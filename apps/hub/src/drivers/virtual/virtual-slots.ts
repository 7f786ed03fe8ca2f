import type { FilamentSlot } from '@printyard/protocol/printer-state'
import type { SpoolPlace } from '../print/filament-map.ts'

const MOST_SLOTS = 16
const hexForm = /^#[0-9a-f]{6}$/i

/** A place of the simulated changer. */
export interface VirtualSlot extends SpoolPlace {
  type: string | null
  colorHex: string | null
  tool: number | null
}

/** The changer as `connection.slots` describes it: `{type, color_hex, tool}` for each place, null for an empty one. */
export function readSlots(described: unknown): VirtualSlot[] {
  if (!Array.isArray(described)) return []
  return described.slice(0, MOST_SLOTS).map((slot: unknown, number) => {
    const { type, color_hex, tool } = typeof slot === 'object' && slot !== null ? (slot as Record<string, unknown>) : {}
    const isNamed = typeof type === 'string' && type !== ''
    return {
      number,
      name: `slot ${number + 1}`,
      type: isNamed ? type.slice(0, 50) : null,
      colorHex: isNamed && typeof color_hex === 'string' && hexForm.test(color_hex) ? color_hex.toUpperCase() : null,
      tool: typeof tool === 'number' && Number.isInteger(tool) && tool >= 0 && tool < MOST_SLOTS ? tool : null,
      isEmpty: !isNamed,
    }
  })
}

/** Answers what the printer tells of its changer; null without one. */
export function reportedSlots(slots: readonly VirtualSlot[], activeNumber: number | undefined): FilamentSlot[] | null {
  if (slots.length === 0) return null
  return slots.map(({ number, name, type, colorHex, tool, isEmpty }) => ({
    slot: number,
    name,
    filament_type: type,
    filament_color_hex: colorHex,
    tool,
    remaining_percent: null,
    is_empty: isEmpty,
    is_active: number === activeNumber,
  }))
}

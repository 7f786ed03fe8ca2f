import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { countIn, memberOf, numberIn, textIn } from '../wire/wire-values.ts'

const MOST_GATES = 64
const EMPTY = 0

/**
 * The gates of a changer that Happy Hare drives, from Klipper's object `mmu`; null when there is none. Source: the page about
 * printer variables of its documentation.
 */
export function gatesOf(mmu: unknown): FilamentSlot[] | null {
  const statuses = memberOf(mmu, 'gate_status')
  if (!Array.isArray(statuses) || statuses.length === 0) return null
  const active = countIn(memberOf(mmu, 'gate'))
  return statuses.slice(0, MOST_GATES).map((status: unknown, gate) => {
    const isEmpty = numberIn(status) === EMPTY
    return {
      slot: gate,
      name: `gate ${gate}`,
      filament_type: isEmpty ? null : textIn(memberOf(mmu, 'gate_material', gate), 50),
      filament_color_hex: isEmpty ? null : colorOf(memberOf(mmu, 'gate_color', gate)),
      remaining_percent: null,
      is_empty: isEmpty,
      is_active: gate === active,
    }
  })
}

/** Six digits, with or without a hash and what follows them; a name says nothing that can be compared. */
function colorOf(value: unknown): string | null {
  const digits = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(textIn(value, 50) ?? '')?.[1]
  return digits === undefined ? null : `#${digits.toUpperCase()}`
}

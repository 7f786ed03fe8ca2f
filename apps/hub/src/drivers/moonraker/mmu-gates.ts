import type { FilamentSlot } from '@printyard/protocol/printer-state'
import { DriverError } from '../driver.ts'
import { chosenPlaces, type PrintToStart, refuseFilamentMap } from '../print/filament-map.ts'
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
      is_external: false,
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

/**
 * The G-code that maps tools to gates as the command of a print maps them; what it does not use keeps its gate. Source: `MMU_TTG_MAP` in the
 * command reference of Happy Hare.
 * @throws DriverError `NOT_MAPPED` unless each filament has a gate with a spool.
 */
export function gateMapScript(print: PrintToStart, mmu: unknown): string {
  const gates = gatesOf(mmu)
  if (!gates) refuseFilamentMap(print)
  const places = (gates ?? []).map(({ slot, name, is_empty }) => ({ number: slot, name, isEmpty: is_empty }))
  const placed = chosenPlaces(print, places) ?? []
  const map = toolGates(memberOf(mmu, 'ttg_map')) ?? places.map(({ number }) => number)
  for (const { filament, place } of placed) {
    if (filament >= map.length) throw new DriverError('NOT_MAPPED', `the changer has no tool T${filament}`)
    map[filament] = place.number
  }
  return `MMU_TTG_MAP MAP="${map.join(',')}" QUIET=1`
}

/** @throws DriverError `NOT_MAPPED` unless the changer shows the map of the command. */
export function requireGateMap({ filament_map: map }: PrintToStart, shown: unknown): void {
  const gates = toolGates(shown)
  if (map?.every(({ filament, slot }) => gates?.[filament] === slot)) return
  throw new DriverError('NOT_MAPPED', 'the changer did not take over which gate each tool prints from')
}

/** The gate of each tool. */
function toolGates(ttgMap: unknown): number[] | null {
  if (!Array.isArray(ttgMap)) return null
  const gates = ttgMap.slice(0, MOST_GATES).map((gate: unknown) => countIn(gate))
  return gates.every((gate) => gate !== null) ? gates : null
}

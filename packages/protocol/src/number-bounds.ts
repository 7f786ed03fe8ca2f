import type { PrinterState } from './printer-state.ts'

/** What no real printer reports beyond; a number outside is a fault of its firmware, or hostile. */
export const temperatureC = { minimum: -300, maximum: 5_000 }
/** A million layers of 0.01 mm are ten metres. */
export const layers = { minimum: 0, maximum: 1_000_000 }
/** Ten years. */
export const remainingMinutes = { minimum: 0, maximum: 10 * 366 * 24 * 60 }
/** Counters and sizes: what a number holds exactly. */
export const count = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
/** Fences and versions begin at 1. */
export const serialNumber = { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

const boundsOfState = {
  nozzle_temp: temperatureC,
  bed_temp: temperatureC,
  chamber_temp: temperatureC,
  target_nozzle_temp: temperatureC,
  target_bed_temp: temperatureC,
  target_chamber_temp: temperatureC,
  layer_num: layers,
  total_layers: layers,
  remaining_time_minutes: remainingMinutes,
} as const satisfies Partial<Record<keyof PrinterState, { minimum: number; maximum: number }>>

/** The state with null for each number that the protocol refuses, so that one bad field never costs the whole picture. */
export function withinBounds(state: PrinterState): PrinterState {
  const unbelievable = Object.entries(boundsOfState).filter(([field, { minimum, maximum }]) => {
    const value = state[field as keyof typeof boundsOfState]
    return value !== null && !(value >= minimum && value <= maximum)
  })
  return unbelievable.length === 0
    ? state
    : { ...state, ...Object.fromEntries(unbelievable.map(([field]) => [field, null])) }
}

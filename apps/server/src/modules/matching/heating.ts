import type { PrinterState } from '@printyard/protocol/printer-state'

/** Below its target by more than this, a heater still draws full power; in °C. */
const nearTargetC = 5

/** True when a heater of the printer is on and still far from its target, as far as the printer tells. */
export function isWarmingUp(
  state: Pick<PrinterState, 'nozzle_temp' | 'target_nozzle_temp' | 'bed_temp' | 'target_bed_temp'>,
): boolean {
  return isBelow(state.nozzle_temp, state.target_nozzle_temp) || isBelow(state.bed_temp, state.target_bed_temp)
}

function isBelow(temp: number | null, target: number | null): boolean {
  return target !== null && target > 0 && (temp ?? 0) < target - nearTargetC
}

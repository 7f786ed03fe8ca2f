import type { PrinterState } from '@printyard/protocol/printer-state'

/**
 * A picture as the service gets it. A printer that seems idle and does not say yet what it printed last takes neither a print
 * nor a cleared plate, so it is not called idle before.
 */
export function asReported(state: PrinterState): PrinterState {
  if (state.status !== 'idle' || state.run_mark !== null) return state
  return { ...state, status: 'maintenance', status_reason: 'it does not say yet what it printed last' }
}

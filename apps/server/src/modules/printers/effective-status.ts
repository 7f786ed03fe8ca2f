import type { PrinterState, PrinterStatus } from '@printyard/protocol/printer-state'

export const printerStatuses = ['idle', 'printing', 'paused', 'maintenance', 'error', 'offline'] as const

interface PrinterStanding {
  /** A printer out of use is not watched by its hub, whatever was heard of it before. */
  isActive?: boolean
  /** Taken out of service by a person. */
  inMaintenance: boolean
  /** False as well for a printer without a hub. */
  hubOnline: boolean
  /** What the hub last said of it; undefined before its first report. */
  live: Pick<PrinterState, 'status'> | undefined
}

/** The status that people, filters and counts go by: maintenance wins, then what is out of reach is offline. */
export function effectiveStatus({ isActive = true, inMaintenance, hubOnline, live }: PrinterStanding): PrinterStatus {
  if (inMaintenance) return 'maintenance'
  if (!isActive || !hubOnline || live === undefined) return 'offline'
  return live.status
}

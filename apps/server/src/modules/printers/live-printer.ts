import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Live } from '../../live/live.ts'
import { findOwnLive } from '../../live/own-printer.ts'
import { effectiveStatus } from './effective-status.ts'

/** The columns by which live state is found and judged. */
export type PrinterPlace = Pick<PrinterRow, 'id' | 'hub_id' | 'is_active' | 'in_maintenance'>

/** The effective status of a printer at this moment, from memory. */
export function statusNow(
  live: Pick<Live, 'hubs' | 'printers'>,
  accountId: AccountId,
  printer: PrinterPlace,
): PrinterStatus {
  const own = findOwnLive(live, accountId, printer)
  return effectiveStatus({
    isActive: printer.is_active,
    inMaintenance: printer.in_maintenance,
    hubOnline: own.hubOnline,
    live: own.live?.state,
  })
}

import type { PrinterStatus } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { HubConnections, LivePrinter } from '../../live/hub-connections.ts'
import { effectiveStatus } from './effective-status.ts'

/** The columns by which live state is found and judged. */
export type PrinterPlace = Pick<PrinterRow, 'id' | 'hub_id' | 'is_active' | 'in_maintenance'>

/**
 * What the printer's own hub says of it now. A report of any other hub counts for nothing: not that of the hub it was
 * moved away from, and not that of one in another account.
 */
export function findOwnLive(
  hubs: Pick<HubConnections, 'find' | 'findLive'>,
  accountId: string,
  printer: Pick<PrinterPlace, 'id' | 'hub_id'>,
): { hubOnline: boolean; live: LivePrinter | undefined } {
  const hubOnline = printer.hub_id !== null && hubs.find(printer.hub_id)?.accountId === accountId
  const live = hubOnline ? hubs.findLive(printer.id) : undefined
  const isOwn = live?.hubId === printer.hub_id && live?.accountId === accountId
  return { hubOnline, live: isOwn ? live : undefined }
}

/** The effective status of a printer at this moment, from memory. */
export function statusNow(
  hubs: Pick<HubConnections, 'find' | 'findLive'>,
  accountId: string,
  printer: PrinterPlace,
): PrinterStatus {
  const { hubOnline, live } = findOwnLive(hubs, accountId, printer)
  return effectiveStatus({
    isActive: printer.is_active,
    inMaintenance: printer.in_maintenance,
    hubOnline,
    live: live?.state,
  })
}

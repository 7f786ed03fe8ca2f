import type { AccountId, HubId, PrinterId } from '../kernel/ids.ts'
import type { ConnectedHub, ConnectedHubs } from './hubs.ts'
import type { LivePrinter, LivePrinters, PastPrinter } from './printers.ts'

/** Which hub a printer belongs to, by the database. */
interface PrinterHub {
  id: PrinterId
  hub_id: HubId | null
}

interface Known {
  hubs: Pick<ConnectedHubs, 'find'>
  printers: Pick<LivePrinters, 'find'>
}

/** The connection of a hub of this account; undefined while it is away. */
export function findOwnHub(
  hubs: Pick<ConnectedHubs, 'find'>,
  accountId: AccountId,
  hubId: HubId | null,
): ConnectedHub | undefined {
  const connection = hubId === null ? undefined : hubs.find(hubId)
  return connection?.accountId === accountId ? connection : undefined
}

/**
 * Answers what the printer's own hub says of it now. A report of any other hub counts for nothing: not that of the hub it was
 * moved away from, and not that of one in another account.
 */
export function findOwnLive(
  { hubs, printers }: Known,
  accountId: AccountId,
  printer: PrinterHub,
): { hubOnline: boolean; live: LivePrinter | undefined } {
  const hubOnline = findOwnHub(hubs, accountId, printer.hub_id) !== undefined
  const live = hubOnline ? printers.find(printer.id) : undefined
  const isOwn = live?.hubId === printer.hub_id && live?.accountId === accountId
  return { hubOnline, live: isOwn ? live : undefined }
}

/** Answers what its own hub said of a printer until it came out of reach; undefined while it is in reach, or nothing was said. */
export function findOwnPast(
  { printers }: { printers: Pick<LivePrinters, 'findPast'> },
  accountId: AccountId,
  printer: PrinterHub,
): PastPrinter | undefined {
  const past = printers.findPast(printer.id)
  return past?.hubId === printer.hub_id && past.accountId === accountId ? past : undefined
}

/** True when only a person can see what a printer does: its hub is away, or gets no answer from it. */
export function isOutOfReach(known: Known, accountId: AccountId, printer: PrinterHub): boolean {
  const { live } = findOwnLive(known, accountId, printer)
  return live === undefined || live.state.status === 'offline'
}

/** True when the connected hub of a printer was told to run it. */
export function isRunByHub(hubs: Pick<ConnectedHubs, 'find'>, accountId: AccountId, printer: PrinterHub): boolean {
  return findOwnHub(hubs, accountId, printer.hub_id)?.printerIds.has(printer.id) === true
}

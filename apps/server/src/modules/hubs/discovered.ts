import { createHash } from 'node:crypto'
import type { Candidate } from '@printyard/protocol/messages'
import type { Context } from '../../context/context.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, HubId, PrinterId } from '../../kernel/ids.ts'
import { isOwnPort } from '../printers/connection/connection-identity.ts'
import { listPrintersByConnection, type PrinterByConnection } from '../printers/printers.queries.ts'
import { findHub } from './hubs.queries.ts'

/** A printer that a hub found, and the one of the account that it is. */
export interface FoundPrinter {
  id: string
  candidate: Candidate
  /** Time when the hub that found it connected: the time of candidates without one. */
  since: Date
  adopted_printer_id: PrinterId | null
}

/** Answers what a hub has found on its network, by name. Kept in memory for as long as it stays connected. */
export async function listFoundPrinters(
  context: Context,
  accountId: AccountId,
  hubId: HubId,
  { limit, offset, after }: PageBounds,
): Promise<PageRow<FoundPrinter>[]> {
  if (!(await findHub(context.db.sql, accountId, hubId))) throw notFound('hub')
  const connection = context.hubs.find(hubId)
  if (!connection) return []
  const rows = connection.candidates
    .map((candidate) => ({ candidate, page_key: candidate.name, id: digest(candidate) }))
    .filter((row) => !after || compareTexts([row.page_key, row.id], [after.key ?? '', after.id]) > 0)
  rows.sort((a, b) => compareTexts([a.page_key, a.id], [b.page_key, b.id]))
  const onPage = rows.slice(offset, offset + limit)
  const printers = await listPrintersByConnection(context.db.sql, accountId, {
    serials: onPage.flatMap(({ candidate: { serial } }) => serial?.toUpperCase() ?? []),
    hosts: onPage.flatMap(({ candidate: { address } }) => address ?? []),
  })
  return onPage.map((row) => ({
    ...row,
    since: connection.connectedAt,
    adopted_printer_id: printers.find((printer) => isSame(row.candidate, printer))?.id ?? null,
  }))
}

/** By serial number; by place only where one of the two has none, since an address passes from printer to printer. */
function isSame(
  { connection_type, serial, address, port = null }: Candidate,
  printer: Omit<PrinterByConnection, 'id'>,
): boolean {
  if (printer.connection_type !== connection_type) return false
  if (serial !== null && printer.connection_serial !== null) return serial.toUpperCase() === printer.connection_serial
  if (address === null || printer.connection_host !== address) return false
  const otherPort = port === null || isOwnPort(connection_type, port) ? null : port
  return printer.connection_port === otherPort
}

/** Tells found printers of one name apart, and stays the same when the hub looks again. */
function digest({ connection_type, serial, address, port = null, name }: Candidate): string {
  const identity = serial === null ? [connection_type, address, port, name] : [connection_type, serial.toUpperCase()]
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 32)
}

function compareTexts([a, x]: [string, string], [b, y]: [string, string]): number {
  if (a !== b) return a < b ? -1 : 1
  return x === y ? 0 : x < y ? -1 : 1
}

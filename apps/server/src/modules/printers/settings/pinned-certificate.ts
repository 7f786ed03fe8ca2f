import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { validationError } from '../../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../../kernel/ids.ts'
import { findSealedConnection, type PrinterRow } from '../printers.queries.ts'
import type { ChangePrinterBody } from './printers.schema.ts'

type Change = Omit<ChangePrinterBody, 'pinned_fingerprint'>

/**
 * The change with the certificate to believe within its `connection`: the one that is sent along, else the one that is kept,
 * so that no one must type its secrets again. The caller holds the printer.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
export async function withPinnedCertificate(
  { secrets }: Pick<Context, 'secrets'>,
  sql: Sql,
  accountId: AccountId,
  { id, connection_type }: Pick<PrinterRow, 'id' | 'connection_type'>,
  { pinned_fingerprint, ...change }: ChangePrinterBody,
): Promise<Change> {
  if (pinned_fingerprint === undefined) return change
  if (connection_type !== 'bambu') {
    throw validationError({ pinned_fingerprint: ['only a printer whose connection_type is bambu shows a certificate'] })
  }
  const known = change.connection ?? openConnection(secrets, await findSealedConnection(sql, accountId, id), id)
  // It would go before the fingerprint, and let anybody pose as the printer.
  const { allow_any_certificate: _, ...connection } = known
  return { ...change, connection: { ...connection, pinned_fingerprint: pinned_fingerprint.toUpperCase() } }
}

function openConnection(secrets: Context['secrets'], sealed: Buffer, printerId: PrinterId): Record<string, unknown> {
  try {
    // Only objects are sealed for printers, and what was tampered with does not open.
    return secrets.open(sealed, printerId) as Record<string, unknown>
  } catch {
    throw validationError({ pinned_fingerprint: ['the connection cannot be decrypted: send it whole, too'] })
  }
}

import type { Sql } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { AccountId, PrinterId } from '../../kernel/ids.ts'
import { findPrinter, type PrinterRow } from './printers.queries.ts'

/** @throws AppError `NOT_FOUND` */
export async function getPrinter(sql: Sql, accountId: AccountId, printerId: PrinterId): Promise<PrinterRow> {
  const printer = await findPrinter(sql, accountId, printerId)
  if (!printer) throw notFound('printer')
  return printer
}

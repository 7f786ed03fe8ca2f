import type { Sql } from '../../db/database.ts'
import { notFound } from '../../kernel/errors.ts'
import { findPrinter, type PrinterRow } from './printers.queries.ts'

/** @throws AppError `NOT_FOUND` */
export async function getPrinter(sql: Sql, accountId: string, printerId: string): Promise<PrinterRow> {
  const printer = await findPrinter(sql, accountId, printerId)
  if (!printer) throw notFound('printer')
  return printer
}

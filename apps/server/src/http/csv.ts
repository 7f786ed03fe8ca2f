import { stringify } from 'csv-stringify/sync'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { oneOf } from './schema.ts'

const csvType = 'text/csv'

const decimalNumber = /^-?[0-9]+([.][0-9]+)?$/

/** Format of the answer, in the query of a report. */
export const formatQuery = Type.Optional(
  oneOf(['json', 'csv'], {
    description: 'csv: rows of text for a spreadsheet; so does `Accept: text/csv`. Default: json',
  }),
)

/** True when a caller asks for text rows: by `format`, or else by `Accept`. */
export function wantsCsv(request: FastifyRequest, format: 'json' | 'csv' | undefined): boolean {
  if (format !== undefined) return format === 'csv'
  const accepted = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  return accepted.includes(csvType) && !accepted.includes('application/json')
}

/** The response schema of a report that is answered as JSON or as CSV. */
export function orCsv<T extends TSchema>(schema: T): T {
  const { description } = schema as { description?: string }
  const text = Type.String({ description: 'The same figures as rows, with the names of the columns in the first' })
  // Handlers answer the JSON form by this type; `sendCsv` answers the other.
  return {
    description,
    content: { 'application/json': { schema }, [csvType]: { schema: text } },
  } as unknown as T
}

/**
 * Rows as text for spreadsheets, with no text that a spreadsheet would take for a formula.
 *
 * @param columns names of the columns, which are those of the fields
 * @param isFirst whether the byte order mark and the names of the columns come first
 */
export function csvText<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
  { isFirst }: { isFirst: boolean },
): string {
  return stringify([...rows], {
    header: isFirst,
    columns: [...columns],
    bom: isFirst,
    escape_formulas: true,
    // A negative amount that is written as text is a number, and no formula.
    cast: { string: (value) => (decimalNumber.test(value) ? { value, escape_formulas: false } : value) },
    record_delimiter: 'windows',
  })
}

/** Answers rows as a file for spreadsheets: UTF-8 with a byte order mark. */
export function sendCsv<Row extends object>(
  reply: FastifyReply,
  name: string,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): FastifyReply {
  const text = csvText(columns, rows, { isFirst: true })
  return reply
    .header('Content-Disposition', `attachment; filename="${name}.csv"`)
    .type(`${csvType}; charset=utf-8`)
    .send(text)
}

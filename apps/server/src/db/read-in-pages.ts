import type { Fragment, Transaction } from './database.ts'

/** Rows that are read at once: made of what the server sent within a few ms. */
const rowsPerPage = 500

/**
 * Reads the rows of a select page by page, in a transaction: between two pages others have their turn in the process, however many
 * rows there are. All pages are of the moment in which it begins.
 *
 * @param name of the cursor; no other of the transaction is open under it
 */
export async function* readInPages<Row>(sql: Transaction, name: string, select: Fragment): AsyncGenerator<Row[], void> {
  // The plan of a cursor is made for its first rows, unless it is said that all of them will be read.
  await sql`select set_config('cursor_tuple_fraction', '1', true)`
  await sql`declare ${sql(name)} no scroll cursor for ${select}`
  for (;;) {
    const rows = await sql<Row[]>`fetch ${sql.unsafe(String(rowsPerPage))} from ${sql(name)}`
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerPage) break
  }
  await sql`close ${sql(name)}`
}

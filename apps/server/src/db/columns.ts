import type { Sql } from './database.ts'
import type { Fragment } from './driver/statement.ts'

declare const rowOfColumns: unique symbol

/** Columns of a table that are read together: the part of a statement that names them. */
interface Columns<Row> {
  (sql: Sql): Fragment
  /** For `RowOf` alone. */
  readonly [rowOfColumns]?: Row
}

/** The rows that a statement with these columns answers. */
export type RowOf<Listed extends Columns<unknown>> = Listed extends Columns<infer Row> ? Row : never

/**
 * A list of columns of the table with these rows, each spelled once for the statement and for the type of what it answers.
 * `alias` is that of the table in statements that join it.
 */
export function columnsOf<Row>(alias?: string) {
  return <const Name extends keyof Row & string>(...names: Name[]): Columns<Pick<Row, Name>> => {
    const text = names.map((name) => (alias === undefined ? name : `${alias}.${name}`)).join(', ')
    // One template for all uses, as a literal has one wherever its line is run.
    const template = Object.assign([text], { raw: [text] }) as TemplateStringsArray
    return (sql) => sql(template)
  }
}

import type { Fragment, Sql } from '../../db/database.ts'

/** When a turn was due that is over now, and when the next one is to be. */
export interface NextTurn {
  seen: Date
  next: Date
}

/**
 * When the next turn of what is held by a lease is due, as the value of this column. A turn that someone asked for while this one went on stays
 * due: what was read or told may be older than what they asked for. Times are written in ms.
 */
export const whenNext = (sql: Sql, column: string, { seen, next }: NextTurn): Fragment => sql`
  case date_trunc('milliseconds', ${sql(column)}) when ${seen}::timestamptz then ${next}::timestamptz else ${sql(column)} end`

import type { Paged } from '@printyard/sdk/pagination'
import { note } from '../answer.ts'
import type { RemoteOptions } from './connection.ts'

export interface ListOptions extends RemoteOptions {
  /** Number of rows at most. */
  limit: number
}

/** The most rows that the service gives in one page. */
const largestPage = 100

/** Size of the pages to ask for, with one row more than wanted, which tells whether there are more. */
export function pageOf({ limit }: ListOptions): { limit: number } {
  return { limit: Math.min(limit + 1, largestPage) }
}

/** The first rows of a list; says on standard error when there are more. */
export async function readRows<Row, Meta>(list: Paged<Row, Meta>, { limit }: ListOptions): Promise<Row[]> {
  const rows = await list.all(limit + 1)
  if (rows.length > limit) note(`Only the first ${limit}; --limit shows more.`)
  return rows.slice(0, limit)
}

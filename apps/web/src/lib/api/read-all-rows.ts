import { api } from './api.ts'
import type { CallOptions } from './api-client.ts'
import type { ListName, RowOf } from './api-routes.ts'

/** Beyond this a list is no longer one to be held as a whole. */
const mostPages = 20

/** All rows of a list that is small by its nature, page after page: printers, hubs, models. */
export async function readAllRows<Name extends ListName>(
  name: Name,
  options: Omit<CallOptions<Name>, 'signal'> | undefined,
  signal: AbortSignal,
): Promise<RowOf<Name>[]> {
  const rows: RowOf<Name>[] = []
  let cursor: string | undefined
  for (let count = 0; count < mostPages; count += 1) {
    const page = await api.pageAfter(name, options, cursor, signal)
    rows.push(...page.rows)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  return rows
}

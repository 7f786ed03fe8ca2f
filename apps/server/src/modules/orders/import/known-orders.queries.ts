import type { Sql } from '../../../db/database.ts'
import type { AccountId, OrderId } from '../../../kernel/ids.ts'
import type { Shop } from '../listings/listing-maps.queries.ts'
import type { Outcome } from './import-orders.ts'

/**
 * Answers which orders of a file their shop has already: by the ID that they have there or, where one of the two has none, by number. A number
 * that an order with another ID has is not free.
 */
export async function findKnownOrders(
  sql: Sql,
  accountId: AccountId,
  { platform, shop }: Shop,
  { numbers, externalIds }: { numbers: string[]; externalIds: string[] },
): Promise<(order: { order_number?: string | undefined; external_id?: string | undefined }) => Outcome | undefined> {
  const rows = await sql<{ id: OrderId; order_number: string; external_id: string; external_id_repeated: boolean }[]>`
    select id, order_number, external_id, external_id_repeated from orders
    where account_id = ${accountId} and platform = ${platform} and shop = ${shop}
      and (order_number = any(${numbers})
        or (external_id = any(${externalIds}) and external_id <> '' and not external_id_repeated))`
  const byNumber = new Map(rows.map((row) => [row.order_number, row]))
  const byExternalId = new Map(rows.filter((row) => !row.external_id_repeated).map((row) => [row.external_id, row]))
  return ({ order_number: number = '', external_id: externalId = '' }) => {
    const same = externalId === '' ? undefined : byExternalId.get(externalId)
    if (same) return { outcome: 'exists', orderId: same.id }
    const numbered = number === '' ? undefined : byNumber.get(number)
    if (!numbered) return undefined
    if (externalId === '' || numbered.external_id === '') return { outcome: 'exists', orderId: numbered.id }
    const message = 'is the number of another order of this shop'
    return { outcome: 'refused', orderId: null, problem: { field: 'order_number', message } }
  }
}

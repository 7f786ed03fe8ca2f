import type { Sql } from '../../../db/database.ts'
import type { AccountId, OrderId } from '../../../kernel/ids.ts'
import { searchWords } from './search-words.ts'

/** What an order is found by: what is not among these words finds it no more. */
export async function writeSearchWords(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
  words: string[],
): Promise<void> {
  await sql`
    update orders set search_words = array_to_tsvector(${words}::text[])
    where account_id = ${accountId} and id = ${orderId}`
}

/** The same orders are found by these texts too. */
export async function addSearchWords(
  sql: Sql,
  accountId: AccountId,
  orderIds: readonly OrderId[],
  texts: readonly string[],
): Promise<void> {
  await sql`
    update orders set search_words = search_words || array_to_tsvector(${searchWords(texts)}::text[])
    where account_id = ${accountId} and id = any(${[...orderIds]})`
}

import type { Database } from '@printyard/server/db/database'
import type { AccountId, OrderId } from '@printyard/server/kernel/ids'
import { workIn } from '@printyard/server/modules/events/work'
import { insertPromises } from '@printyard/server/modules/promises/forecasts.queries'

/**
 * What was promised of the order that has left: that it leaves by its `ship_by`. The forecasts that are made from now on tell nothing of the
 * time before.
 */
export async function seedPromises(db: Database, accountId: AccountId): Promise<void> {
  await db.begin(async (sql) => {
    const left = await sql<{ id: OrderId; order_date: Date; ship_by: Date }[]>`
      select id, order_date, ship_by from orders
      where account_id = ${accountId} and shipped_at is not null and ship_by is not null`
    for (const { id, order_date, ship_by } of left) {
      const promise = { order_id: id, ready_p50_at: ship_by, ready_p90_at: ship_by, promised_at: ship_by }
      const work = workIn(sql, { accountId, actor: 'demo', now: order_date })
      // A forecast that came before the order was sent off has promised something after that: the reports would leave it out.
      await sql`delete from order_promises where account_id = ${accountId} and order_id = ${id}`
      await insertPromises(work, [{ ...promise, number: 1 }])
    }
  })
}

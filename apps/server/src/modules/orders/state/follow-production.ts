import type { OrderProgressRow } from '../../../db/rows.generated.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** Open orders stand where their units are. Those that were shipped, fulfilled or ended meanwhile are left alone. */
export async function followProduction(
  work: Work,
  orders: readonly Pick<OrderProgressRow, 'order_id' | 'status'>[],
): Promise<void> {
  const { sql, accountId, now } = work
  const moved = await sql<{ id: OrderId; status: OrderProgressRow['status'] }[]>`
    update orders o set status = w.status, updated_at = ${now}
    from unnest(
      ${orders.map((order) => order.order_id)}::text[], ${orders.map(({ status }) => status)}::text[]
    ) as w (order_id, status)
    where o.account_id = ${accountId} and o.id = w.order_id and o.status <> w.status
      and o.status in ('pending', 'processing', 'printed', 'assembled')
    returning o.id, o.status`
  await work.recordAll(
    moved.map(({ id, status }) => ({ type: 'order.updated', subjectId: id, data: { fields: ['status'], status } })),
  )
}

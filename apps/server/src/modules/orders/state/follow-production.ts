import type { OrderProgressRow } from '../../../db/rows.generated.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

/** An open order stands where its units are. One that was shipped, fulfilled or ended meanwhile is left alone. */
export async function followProduction(
  work: Work,
  orderId: OrderId,
  status: OrderProgressRow['status'],
): Promise<void> {
  const { sql, accountId, now } = work
  const [order] = await sql<{ id: OrderId }[]>`
    update orders set status = ${status}, updated_at = ${now}
    where account_id = ${accountId} and id = ${orderId} and status <> ${status}
      and status in ('pending', 'processing', 'printed', 'assembled')
    returning id`
  if (order) await work.record({ type: 'order.updated', subjectId: orderId, data: { fields: ['status'], status } })
}

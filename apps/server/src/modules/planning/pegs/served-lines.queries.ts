import type { Sql } from '../../../db/database.ts'
import type { OrderRow, PegRow } from '../../../db/rows.generated.ts'
import type { AccountId, AssemblyTaskId, JobId, OrderId, OrderItemId } from '../../../kernel/ids.ts'

/** The most lines that are told of one job or task. */
const mostLines = 50

/** A line of an order that holds units of a job or of an assembly task by the last plan. */
export type ServedLine = Pick<PegRow, 'product_sku_id' | 'units'> &
  Pick<OrderRow, 'order_number' | 'ship_by'> & {
    order_id: OrderId
    order_item_id: OrderItemId
    personalisation: { name: string; value: string }[]
  }

/** The most urgent first, by the index `pegs_by_supply`. */
export async function listServedLines(
  sql: Sql,
  accountId: AccountId,
  kind: 'job' | 'assembly_task',
  id: JobId | AssemblyTaskId,
): Promise<ServedLine[]> {
  return sql<ServedLine[]>`
    select p.product_sku_id, p.units, o.id as order_id, o.order_number, o.ship_by, i.id as order_item_id, i.personalisation
    from pegs p
    join order_items i on i.account_id = p.account_id and i.id = p.demand_id
    join orders o on o.account_id = i.account_id and o.id = i.order_id
    where p.account_id = ${accountId} and p.supply_kind = ${kind} and p.supply_id = ${id} and p.demand_kind = 'order_item'
    order by o.ship_by nulls last, o.order_date, i.id
    limit ${mostLines}`
}

import type { Sql } from '../../../db/database.ts'
import type { OrderRow, PegRow } from '../../../db/rows.generated.ts'
import type { AccountId, AssemblyTaskId, JobId, OrderId, OrderItemId, SkuId } from '../../../kernel/ids.ts'

/** The most lines that are told of one job or task. */
const mostLines = 50

/** A line of an order that holds units of a job or of an assembly task by the last plan. */
export type ServedLine = Pick<PegRow, 'product_sku_id' | 'units'> &
  Pick<OrderRow, 'order_number' | 'ship_by'> & {
    order_id: OrderId
    order_item_id: OrderItemId
    personalisation: { name: string; value: string }[]
  }

const lineOfPeg = (sql: Sql) => sql`
  p.product_sku_id, p.units, o.id as order_id, o.order_number, o.ship_by, i.id as order_item_id, i.personalisation`

/** Lines that a job serves: the most urgent first, by the index `pegs_by_supply`. */
export async function listServedLines(sql: Sql, accountId: AccountId, id: JobId): Promise<ServedLine[]> {
  return sql<ServedLine[]>`
    select ${lineOfPeg(sql)}
    from pegs p
    join order_items i on i.account_id = p.account_id and i.id = p.demand_id
    join orders o on o.account_id = i.account_id and o.id = i.order_id
    where p.account_id = ${accountId} and p.supply_kind = 'job' and p.supply_id = ${id} and p.demand_kind = 'order_item'
    order by o.ship_by nulls last, o.order_date, i.id
    limit ${mostLines}`
}

/** What is known of an assembly task: it may be made for one line alone, also once no plan holds units of it any more. */
interface ServingTask {
  id: AssemblyTaskId
  product_sku_id: SkuId
  order_item_id: OrderItemId | null
  quantity: number
}

/** Lines of each of these assembly tasks: those that hold its units by the last plan, or else the line that it was made for. */
export async function listLinesOfAssemblies(
  sql: Sql,
  accountId: AccountId,
  tasks: readonly ServingTask[],
): Promise<Map<AssemblyTaskId, ServedLine[]>> {
  if (tasks.length === 0) return new Map()
  const rows = await sql<(ServedLine & { task_id: AssemblyTaskId })[]>`
    select t.id as task_id, ${lineOfPeg(sql)}
    from unnest(
      ${tasks.map(({ id }) => id)}::text[], ${tasks.map((task) => task.product_sku_id)}::text[],
      ${tasks.map((task) => task.order_item_id)}::text[], ${tasks.map(({ quantity }) => quantity)}::bigint[]
    ) as t (id, sku_id, order_item_id, quantity)
    cross join lateral (
      (select product_sku_id, units, demand_id from pegs
       where account_id = ${accountId} and supply_kind = 'assembly_task' and supply_id = t.id and demand_kind = 'order_item'
       order by demand_id limit ${mostLines})
      union all
      (select t.sku_id, t.quantity, t.order_item_id
       where t.order_item_id is not null and not exists (
         select from pegs
         where account_id = ${accountId} and supply_kind = 'assembly_task' and supply_id = t.id and demand_kind = 'order_item'))
    ) p
    join order_items i on i.account_id = ${accountId} and i.id = p.demand_id
    join orders o on o.account_id = i.account_id and o.id = i.order_id
    order by o.ship_by nulls last, o.order_date, i.id`
  const lines = new Map<AssemblyTaskId, ServedLine[]>()
  for (const { task_id: id, ...line } of rows) lines.set(id, [...(lines.get(id) ?? []), line])
  return lines
}

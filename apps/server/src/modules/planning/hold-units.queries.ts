import type { Sql } from '../../db/database.ts'
import type { AccountId, JobId, OrderId, OrderItemId, SkuId } from '../../kernel/ids.ts'

interface LineToHold {
  product_sku_id: SkuId | null
  /** Units that the line still wants; none when it, or its order, has ended. */
  open_units: number
}

export async function findLineToHold(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
  itemId: OrderItemId,
): Promise<LineToHold | undefined> {
  const [line] = await sql<LineToHold[]>`
    select i.product_sku_id,
           case when i.fulfillment_status in ('pending', 'partial')
                 and o.status in ('pending', 'processing', 'printed', 'assembled')
                then (i.quantity - i.quantity_fulfilled) * i.pack_size else 0 end as open_units
    from order_items i join orders o on o.account_id = i.account_id and o.id = i.order_id
    where i.account_id = ${accountId} and i.id = ${itemId} and i.order_id = ${orderId}`
  return line
}

/** Units of a supply that no person holds for another line; undefined when there is no such supply. */
export async function findHeldSupply(
  sql: Sql,
  accountId: AccountId,
  { skuId, jobId, besides }: { skuId: SkuId; jobId: JobId | null; besides: OrderItemId },
): Promise<number | undefined> {
  const supplyId = jobId ?? skuId
  const held = sql`
    coalesce((
      select sum(p.units) from pinned_pegs p
      where p.account_id = ${accountId} and p.product_sku_id = ${skuId} and p.supply_id = ${supplyId}
        and p.supply_kind = ${jobId === null ? 'ready_stock' : 'job'} and p.order_item_id <> ${besides}), 0)`
  const [supply] =
    jobId === null
      ? await sql<{ units: number }[]>`
          select (ready_stock - ${held})::bigint as units from inventory_items
          where account_id = ${accountId} and product_sku_id = ${skuId}`
      : await sql<{ units: number }[]>`
          select (u.units - u.units_rejected - u.units_credited - ${held})::bigint as units
          from jobs j join job_outputs u on u.account_id = j.account_id and u.job_id = j.id
          where j.account_id = ${accountId} and j.id = ${jobId} and u.product_sku_id = ${skuId}
            and j.status in ('queued', 'processing', 'printing', 'paused')`
  return supply && Math.max(0, supply.units)
}

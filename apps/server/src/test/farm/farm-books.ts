import type { Sql } from '../../db/database.ts'
import type { AccountId, InventoryItemId } from '../../kernel/ids.ts'

/** What does not add up in the books of a farm, once all is planned; there is never any. */
export async function findFaults(sql: Sql, id: AccountId) {
  return {
    // What was found bad after it had left is missing: by no more than that a stock is below nothing.
    ledgers: await sql<{ id: InventoryItemId }[]>`
      select i.id, i.ready_stock, i.quantity_needs_assembly,
             jsonb_object_agg(m.stock || ' ' || m.reason || ' ' || m.id, m.change) filter (where m.id is not null) as moved
      from inventory_items i
      left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id
      where i.account_id = ${id} group by i.account_id, i.id
      having i.ready_stock <> coalesce(sum(m.change) filter (where m.stock = 'ready'), 0)
        or i.quantity_needs_assembly <> coalesce(sum(m.change) filter (where m.stock = 'needs_assembly'), 0)
        or i.ready_stock < coalesce(sum(m.change) filter (where m.stock = 'ready' and m.reason = 'units_rejected'), 0)
        or i.quantity_needs_assembly < 0`,
    overpegged: await sql`
      select p.product_sku_id, p.supply_kind, p.supply_id, sum(p.units) as pegged
      from pegs p
      left join inventory_items i on i.account_id = p.account_id and i.product_sku_id = p.supply_id
      left join job_outputs u on u.account_id = p.account_id and u.job_id = p.supply_id
        and u.product_sku_id = p.product_sku_id
      left join assembly_tasks a on a.account_id = p.account_id and a.id = p.supply_id
      where p.account_id = ${id}
      group by p.product_sku_id, p.supply_kind, p.supply_id, i.ready_stock, i.quantity_needs_assembly, u.units,
               u.units_rejected, a.quantity, a.quantity_completed, a.quantity_rejected
      having sum(p.units) > case p.supply_kind
        when 'ready_stock' then i.ready_stock
        when 'needs_assembly' then i.quantity_needs_assembly
        when 'job' then u.units - u.units_rejected
        else a.quantity - a.quantity_completed - a.quantity_rejected end`,
    uncounted: await sql`
      select i.id, (i.quantity - i.quantity_fulfilled) * i.pack_size as open, sum(s.units) as counted
      from order_items i
      join orders o on o.account_id = i.account_id and o.id = i.order_id
      left join order_item_states s on s.account_id = i.account_id and s.order_item_id = i.id
      where i.account_id = ${id} and i.product_sku_id is not null
      group by i.account_id, i.id, o.status
      having coalesce(sum(s.units), 0) <> case
        when i.fulfillment_status in ('pending', 'partial') and o.status in ('pending', 'processing', 'printed', 'assembled')
        then (i.quantity - i.quantity_fulfilled) * i.pack_size else 0 end`,
    forgotten: await sql`select product_sku_id from replan_requests where account_id = ${id}`,
    materials: await sql`
      select m.id from materials m
      left join material_movements v on v.account_id = m.account_id and v.material_id = m.id
      where m.account_id = ${id} group by m.account_id, m.id
      having m.remaining <> coalesce(sum(v.change), 0) or m.remaining < 0`,
    // What left is in a parcel, and what of it is to be made again did not leave.
    parcels: await sql`
      select i.id from order_items i
      where i.account_id = ${id} and i.quantity_fulfilled <> coalesce((
        select sum(s.quantity) from shipment_items s where s.account_id = i.account_id and s.order_item_id = i.id), 0)
        - coalesce((
        select sum(r.quantity) from order_returns r
        where r.account_id = i.account_id and r.order_item_id = i.id and r.disposition = 'remake'), 0)`,
    // Each SKU left the shelf in parcels alone, and came back by returns alone.
    left: await sql`
      select v.product_sku_id from inventory_items v
      where v.account_id = ${id} and (
        coalesce((select sum(m.change) from stock_movements m
          where m.account_id = v.account_id and m.inventory_item_id = v.id and m.reason = 'order_fulfilled'), 0)
        + coalesce((select sum(s.units) from shipment_items s
          join order_items i on i.account_id = s.account_id and i.id = s.order_item_id
          where s.account_id = v.account_id and i.product_sku_id = v.product_sku_id), 0) <> 0
        or coalesce((select sum(m.change) from stock_movements m
          where m.account_id = v.account_id and m.inventory_item_id = v.id and m.reason = 'returned'), 0)
        <> coalesce((select sum(r.units) from order_returns r
          join order_items i on i.account_id = r.account_id and i.id = r.order_item_id
          where r.account_id = v.account_id and i.product_sku_id = v.product_sku_id and r.disposition = 'restock'), 0))`,
    picked: await sql`
      select p.order_item_id from order_picks p
      join order_items i on i.account_id = p.account_id and i.id = p.order_item_id
      where p.account_id = ${id} and p.units > (i.quantity - i.quantity_fulfilled) * i.pack_size`,
  }
}

export const noFaults = {
  ledgers: [],
  overpegged: [],
  uncounted: [],
  forgotten: [],
  materials: [],
  parcels: [],
  left: [],
  picked: [],
}

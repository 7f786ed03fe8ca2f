import type { Sql } from '../../db/database.ts'
import type { OrderItemRow, OrderRow } from '../../db/rows.generated.ts'
import type { AccountId, MaterialId, OrderId, OrderItemId, SkuId } from '../../kernel/ids.ts'

/** What people call the things that a plan names by their IDs. */
export interface Names {
  skus: ReadonlyMap<SkuId, { sku: string; product_name: string }>
  materials: ReadonlyMap<MaterialId, string>
  items: ReadonlyMap<OrderItemId, NamedItem>
}

export type NamedItem = Pick<OrderItemRow, 'id' | 'order_id' | 'sku' | 'product_name' | 'product_sku_id'> &
  Pick<OrderRow, 'order_number'> & {
    units: number
    fulfilled: number
    is_cancelled: boolean
  }

/** A line of an order, with what was taken off the shelf for it and has not left yet. */
export type OrderedLine = NamedItem & { picked: number }

const namedItems = (sql: Sql) => sql`
  i.id, i.order_id, i.sku, i.product_name, i.product_sku_id, o.order_number,
  i.quantity * i.pack_size as units, i.quantity_fulfilled * i.pack_size as fulfilled,
  i.fulfillment_status = 'cancelled' as is_cancelled`

/** All lines of an order, also those that ask for nothing any more. */
export async function listOrderedLines(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderedLine[]> {
  return sql<OrderedLine[]>`
    select ${namedItems(sql)}, coalesce(p.units, 0)::bigint as picked
    from order_items i
    join orders o on o.account_id = i.account_id and o.id = i.order_id
    left join order_picks p on p.account_id = i.account_id and p.order_item_id = i.id
    where i.account_id = ${accountId} and i.order_id = ${orderId} order by i.id`
}

export async function loadNames(
  sql: Sql,
  accountId: AccountId,
  ids: { skus: readonly SkuId[]; materials: readonly MaterialId[]; items: readonly OrderItemId[] },
): Promise<Names> {
  const [skus, materials, items] = await Promise.all([
    sql<{ id: SkuId; sku: string; product_name: string }[]>`
      select s.id, s.sku, p.name as product_name
      from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
      where s.account_id = ${accountId} and s.id = any(${[...ids.skus]})`,
    sql<{ id: MaterialId; name: string }[]>`
      select id, coalesce(nullif(name, ''), type) as name from materials
      where account_id = ${accountId} and id = any(${[...ids.materials]})`,
    sql<NamedItem[]>`
      select ${namedItems(sql)}
      from order_items i join orders o on o.account_id = i.account_id and o.id = i.order_id
      where i.account_id = ${accountId} and i.id = any(${[...ids.items]})`,
  ])
  return {
    skus: new Map(skus.map(({ id, ...names }) => [id, names])),
    materials: new Map(materials.map(({ id, name }) => [id, name])),
    items: new Map(items.map((item) => [item.id, item])),
  }
}

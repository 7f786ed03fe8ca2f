import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { OrderItemRow as OrderItemTableRow, OrderRow as OrderTableRow } from '../../db/rows.generated.ts'
import { type AccountId, newId, type OrderId, type OrderItemId, type SkuId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { ItemStatus, OrderStatus } from './order-status.ts'
import type { NewOrder, OrderChanges, OrderFilter } from './orders.schema.ts'

const columns = columnsOf<OrderTableRow>()(
  'id',
  'order_number',
  'platform',
  'status',
  'customer_name',
  'customer_email',
  'customer_phone',
  'order_date',
  'items_total',
  'shipping_cost',
  'tax_amount',
  'discount_amount',
  'total_revenue',
  'shipping_street',
  'shipping_city',
  'shipping_state',
  'shipping_zip',
  'shipping_country',
  'tracking_number',
  'tracking_url',
  'shipped_at',
  'external_id',
  'notes',
  'created_at',
  'updated_at',
)

export type OrderRow = RowOf<typeof columns>

const itemColumns = columnsOf<OrderItemTableRow>()(
  'id',
  'product_sku_id',
  'sku',
  'product_name',
  'quantity',
  'unit_price',
  'total_price',
  'quantity_fulfilled',
  'fulfillment_status',
  'notes',
  'created_at',
)

export type OrderItemRow = RowOf<typeof itemColumns>
export type OrderWithItems = OrderRow & { items: OrderItemRow[] }

export async function findOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderWithItems | undefined> {
  const [order] = await sql<OrderRow[]>`
    select ${columns(sql)} from orders where account_id = ${accountId} and id = ${orderId}`
  return order && { ...order, items: await listOrderItems(sql, accountId, orderId) }
}

/** The order, locked until the transaction ends, so that it and its items change one request after the other. */
export async function lockOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderWithItems | undefined> {
  const [order] = await sql<OrderRow[]>`
    select ${columns(sql)} from orders where account_id = ${accountId} and id = ${orderId} for update`
  return order && { ...order, items: await listOrderItems(sql, accountId, orderId) }
}

/** In the order of the lines. */
async function listOrderItems(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OrderItemRow[]> {
  return sql<OrderItemRow[]>`
    select ${itemColumns(sql)}
    from order_items where account_id = ${accountId} and order_id = ${orderId} order by id`
}

type OrderConditions = Omit<OrderFilter, keyof PageBounds>

const matching = (sql: Sql, { status, platform, from, to }: OrderConditions) => sql`
  ${status === undefined ? sql`` : sql`and status = ${status}`}
  ${platform === undefined ? sql`` : sql`and platform = ${platform}`}
  ${from === undefined ? sql`` : sql`and order_date >= ${from}::timestamptz`}
  ${to === undefined ? sql`` : sql`and order_date <= ${to}::timestamptz`}`

/** The latest first, by the index `orders_by_date` or, for one status, `orders_by_status`. */
export async function listOrders(sql: Sql, accountId: AccountId, filter: OrderFilter): Promise<PageRow<OrderRow>[]> {
  return sql<PageRow<OrderRow>[]>`
    select ${columns(sql)}, order_date::text as page_key from orders where account_id = ${accountId} ${matching(sql, filter)}
      ${filter.after ? sql`and (order_date, id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by order_date desc, id desc
    limit ${filter.limit} offset ${filter.offset}`
}

export async function countOrders(sql: Sql, accountId: AccountId, filter: OrderConditions): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from orders where account_id = ${accountId} ${matching(sql, filter)}`
  return row?.total ?? 0
}

interface OrderedSku {
  id: SkuId
  sku: string
  product_name: string
}

/** SKUs by their IDs or codes. */
export async function listOrderedSkus(
  sql: Sql,
  accountId: AccountId,
  { ids, codes }: { ids: SkuId[]; codes: string[] },
): Promise<OrderedSku[]> {
  return sql<OrderedSku[]>`
    select s.id, s.sku, p.name as product_name
    from skus s
    join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and (s.id = any(${ids}) or s.sku = any(${codes}))`
}

/** False when the number is taken, and then nothing is written. */
export async function insertOrder(
  { sql, accountId, now }: Work,
  orderId: OrderId,
  order: NewOrder & { order_number: string; items_total: number },
): Promise<boolean> {
  const rows = await sql`
    insert into orders
      (account_id, id, order_number, platform, customer_name, customer_email, customer_phone, order_date, items_total,
       shipping_cost, tax_amount, discount_amount, stated_total, shipping_street, shipping_city, shipping_state, shipping_zip,
       shipping_country, external_id, notes, created_at, updated_at)
    values (${accountId}, ${orderId}, ${order.order_number}, ${order.platform}, ${order.customer_name ?? ''},
            ${order.customer_email ?? ''}, ${order.customer_phone ?? ''},
            ${order.order_date ?? now}::timestamptz, ${order.items_total},
            ${order.shipping_cost ?? 0}, ${order.tax_amount ?? 0}, ${order.discount_amount ?? 0},
            ${order.total_revenue ?? null},
            ${order.shipping_street ?? ''}, ${order.shipping_city ?? ''}, ${order.shipping_state ?? ''},
            ${order.shipping_zip ?? ''}, ${order.shipping_country ?? ''}, ${order.external_id ?? ''},
            ${order.notes ?? ''}, ${now}, ${now})
    on conflict on constraint orders_number_key do nothing
    returning id`
  return rows.length > 0
}

/** A line of a new order, with the SKU that it names. */
export type OrderedLine = NewOrder['items'][number] & { product_sku_id: SkuId; sku: string; product_name: string }

export async function insertOrderItems(
  { sql, accountId, now }: Work,
  orderId: OrderId,
  lines: OrderedLine[],
): Promise<void> {
  const rows = lines.map((line) => ({
    account_id: accountId,
    id: newId('orderItem', now.getTime()),
    order_id: orderId,
    product_sku_id: line.product_sku_id,
    sku: line.sku,
    product_name: line.product_name,
    quantity: line.quantity,
    unit_price: line.unit_price,
    notes: line.notes ?? '',
    created_at: now,
    updated_at: now,
  }))
  await sql`insert into order_items ${sql(rows)}`
}

/**
 * Writes what is given; the fields are those of the schema, and never none. `isShipped` stamps the order, unless it was
 * stamped before. Fails on `orders_number_key`.
 */
export async function updateOrder(
  { sql, accountId, now }: Work,
  orderId: OrderId,
  changes: Omit<OrderChanges, 'status'> & { status?: OrderStatus; stated_total?: null },
  { isShipped = false } = {},
): Promise<void> {
  await sql`
    update orders set ${sql(changes)}, updated_at = ${now}
      ${isShipped ? sql`, shipped_at = coalesce(shipped_at, ${now})` : sql``}
    where account_id = ${accountId} and id = ${orderId}`
}

/** Units taken for an item, all told, and its status by them. */
export async function updateItemFulfilment(
  { sql, accountId, now }: Work,
  itemId: OrderItemId,
  { quantity_fulfilled, fulfillment_status }: { quantity_fulfilled: number; fulfillment_status: ItemStatus },
): Promise<void> {
  await sql`
    update order_items set quantity_fulfilled = ${quantity_fulfilled}, fulfillment_status = ${fulfillment_status},
      updated_at = ${now}
    where account_id = ${accountId} and id = ${itemId}`
}

/** What is still open of an order will not be fulfilled any more. */
export async function cancelOpenItems({ sql, accountId, now }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update order_items set fulfillment_status = 'cancelled', updated_at = ${now}
    where account_id = ${accountId} and order_id = ${orderId} and fulfillment_status in ('pending', 'partial')`
}

export interface OrderStats {
  recent: Record<'total_orders' | 'total_revenue' | 'total_shipping' | 'total_tax' | 'total_discount', number>
  by_status: { status: OrderStatus; orders: number; revenue: number }[]
  by_platform: { platform: OrderRow['platform']; orders: number }[]
  units_to_fulfill: number
}

export async function readOrderStats(sql: Sql, accountId: AccountId, recentFrom: Date): Promise<OrderStats> {
  // The sums of an account may exceed int8 as JSON carries it; as floats they lose a cent before they fail.
  const byStatus = await sql<OrderStats['by_status']>`
    select status, count(*) as orders, sum(total_revenue)::float8 as revenue
    from orders where account_id = ${accountId} group by status`
  const byPlatform = await sql<OrderStats['by_platform']>`
    select platform, count(*) as orders from orders where account_id = ${accountId} group by platform`
  const [open] = await sql<{ units: number }[]>`
    select coalesce(sum(quantity - quantity_fulfilled), 0)::float8 as units
    from order_items where account_id = ${accountId} and fulfillment_status in ('pending', 'partial')`
  const [recent] = await sql<OrderStats['recent'][]>`
    select count(*) as total_orders, coalesce(sum(total_revenue), 0)::float8 as total_revenue,
           coalesce(sum(shipping_cost), 0)::float8 as total_shipping, coalesce(sum(tax_amount), 0)::float8 as total_tax,
           coalesce(sum(discount_amount), 0)::float8 as total_discount
    from orders
    where account_id = ${accountId} and order_date >= ${recentFrom} and status not in ('cancelled', 'refunded')`
  return {
    by_status: byStatus,
    by_platform: byPlatform,
    units_to_fulfill: open?.units ?? 0,
    recent: recent ?? { total_orders: 0, total_revenue: 0, total_shipping: 0, total_tax: 0, total_discount: 0 },
  }
}

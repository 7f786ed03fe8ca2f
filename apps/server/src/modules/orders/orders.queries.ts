import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { OrderItemRow as OrderItemTableRow, OrderRow as OrderTableRow } from '../../db/rows.generated.ts'
import { type AccountId, newId, type OrderId, type OrderItemId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import { isAtRisk } from '../promises/shown/promise.queries.ts'
import type { Shop } from './listings/listing-maps.queries.ts'
import type { NamedLine } from './listings/name-lines.ts'
import type { NewOrder, OrderChanges, OrderFilter } from './orders.schema.ts'
import { searchFor } from './search/search-words.ts'
import { type ItemStatus, type OrderStatus, waitingStatuses } from './state/order-status.ts'

const columnNames = [
  'id',
  'order_number',
  'platform',
  'shop',
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
  'currency',
  'priority',
  'ship_by',
  'is_paid',
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
] as const
const columns = columnsOf<OrderTableRow>()(...columnNames)
const listColumns = columnsOf<OrderTableRow>('o')(...columnNames)

export type OrderRow = RowOf<typeof columns>

const itemColumns = columnsOf<OrderItemTableRow>()(
  'id',
  'product_sku_id',
  'sku',
  'seller_sku',
  'listing_id',
  'variation',
  'mapped_by',
  'product_name',
  'quantity',
  'pack_size',
  'unit_price',
  'total_price',
  'quantity_fulfilled',
  'fulfillment_status',
  'personalisation',
  'notes',
  'external_id',
  'created_at',
)

/** What a customer wants on their piece. */
interface Personalisation {
  name: string
  value: string
}

export type OrderItemRow = Omit<RowOf<typeof itemColumns>, 'personalisation'> & { personalisation: Personalisation[] }
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

const matching = (
  sql: Sql,
  { status, platform, shop, search, unmapped, at_risk, ship_before, from, to }: OrderConditions,
) => {
  const words = search === undefined ? undefined : searchFor(search)
  return sql`
    ${status === undefined ? sql`` : sql`and o.status = ${status}`}
    ${platform === undefined ? sql`` : sql`and o.platform = ${platform}`}
    ${shop === undefined ? sql`` : sql`and o.shop = ${shop}`}
    ${words === undefined ? sql`` : sql`and o.search_words @@ ${words}::text::tsquery`}
    ${unmapped === undefined ? sql`` : unmapped ? sql`and ${hasUnmapped(sql)}` : sql`and not ${hasUnmapped(sql)}`}
    ${at_risk === undefined ? sql`` : at_risk ? sql`and ${isAtRisk(sql)}` : sql`and not ${isAtRisk(sql)}`}
    ${ship_before === undefined ? sql`` : sql`and o.status = any(${[...waitingStatuses]}) and o.ship_by < ${ship_before}::timestamptz`}
    ${from === undefined ? sql`` : sql`and o.order_date >= ${from}::timestamptz`}
    ${to === undefined ? sql`` : sql`and o.order_date <= ${to}::timestamptz`}`
}

/** Without a comparison around it, the few orders with such lines are found by the index `order_items_unmapped`. */
const hasUnmapped = (sql: Sql) => sql`exists (
  select from order_items i
  where i.account_id = o.account_id and i.order_id = o.id and i.product_sku_id is null)`

/** The latest first, by the index `orders_by_date` or, for one status, `orders_by_status`. */
export async function listOrders(sql: Sql, accountId: AccountId, filter: OrderFilter): Promise<PageRow<OrderRow>[]> {
  return sql<PageRow<OrderRow>[]>`
    select ${listColumns(sql)}, o.order_date::text as page_key
    from orders o where o.account_id = ${accountId} ${matching(sql, filter)}
      ${filter.after ? sql`and (o.order_date, o.id) < (${filter.after.key}::timestamptz, ${filter.after.id})` : sql``}
    order by o.order_date desc, o.id desc
    limit ${filter.limit} offset ${filter.offset}`
}

/** Answers how many lines of each of these orders stand for no SKU; orders without any are left out. */
export async function countUnmappedItems(
  sql: Sql,
  accountId: AccountId,
  orderIds: OrderId[],
): Promise<Map<OrderId, number>> {
  const rows = await sql<{ order_id: OrderId; items: number }[]>`
    select order_id, count(*)::int as items from order_items
    where account_id = ${accountId} and order_id = any(${orderIds}) and product_sku_id is null
    group by order_id`
  return new Map(rows.map(({ order_id, items }) => [order_id, items]))
}

export async function countOrders(sql: Sql, accountId: AccountId, filter: OrderConditions): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total from orders o where o.account_id = ${accountId} ${matching(sql, filter)}`
  return row?.total ?? 0
}

/** An order of a shop by the ID that it has there; of those that were recorded twice the first one. */
export async function findOrderByExternalId(
  sql: Sql,
  accountId: AccountId,
  { platform, shop }: Shop,
  externalId: string,
): Promise<OrderId | undefined> {
  const [order] = await sql<{ id: OrderId }[]>`
    select id from orders
    where account_id = ${accountId} and platform = ${platform} and shop = ${shop} and external_id = ${externalId}
      and external_id <> '' and not external_id_repeated`
  return order?.id
}

/** What is written of a new order. `ship_by` null: none is known; `currency` null: that of the account, which names none. */
export type OrderToInsert = Omit<NewOrder, 'items' | 'allow_unmapped' | 'ship_by' | 'currency'> & {
  id: OrderId
  shop: string
  order_number: string
  items_total: number
  currency: string | null
  ship_by: Date | string | null
  /** What it is found by. */
  words: string[]
}

/** Answers the IDs of those that were written: one whose number or external ID its shop has already is left out. */
export async function insertOrders(
  { sql, accountId, now }: Work,
  orders: readonly OrderToInsert[],
): Promise<OrderId[]> {
  const rows = orders.map((order) => ({
    account_id: accountId,
    id: order.id,
    order_number: order.order_number,
    platform: order.platform,
    shop: order.shop,
    currency: order.currency,
    priority: order.priority,
    ship_by: order.ship_by,
    is_paid: order.is_paid ?? true,
    customer_name: order.customer_name ?? '',
    customer_email: order.customer_email ?? '',
    customer_phone: order.customer_phone ?? '',
    order_date: order.order_date ?? now,
    items_total: order.items_total,
    shipping_cost: order.shipping_cost ?? 0,
    tax_amount: order.tax_amount ?? 0,
    discount_amount: order.discount_amount ?? 0,
    stated_total: order.total_revenue ?? null,
    shipping_street: order.shipping_street ?? '',
    shipping_city: order.shipping_city ?? '',
    shipping_state: order.shipping_state ?? '',
    shipping_zip: order.shipping_zip ?? '',
    shipping_country: order.shipping_country ?? '',
    external_id: order.external_id ?? '',
    notes: order.notes ?? '',
    search_words: sql`array_to_tsvector(${order.words}::text[])`,
    created_at: now,
    updated_at: now,
  }))
  const written = await sql<{ id: OrderId }[]>`insert into orders ${sql(rows)} on conflict do nothing returning id`
  return written.map(({ id }) => id)
}

/** A line of a new order, and what it was found to stand for. */
export type OrderedLine = Pick<LineToRecord, 'quantity' | 'unit_price' | 'personalisation' | 'notes' | 'external_id'> &
  NamedLine

/** A line as it is told; `external_id` is its ID in its shop, where that is known. */
export type LineToRecord = NewOrder['items'][number] & { external_id?: string }

export async function insertOrderItems(
  { sql, accountId, now }: Work,
  lines: readonly (OrderedLine & { order_id: OrderId })[],
): Promise<void> {
  const rows = lines.map((line) => ({
    account_id: accountId,
    id: newId('orderItem', now.getTime()),
    order_id: line.order_id,
    product_sku_id: line.product_sku_id,
    sku: line.sku,
    seller_sku: line.seller_sku,
    listing_id: line.listing_id,
    variation: line.variation,
    mapped_by: line.mapped_by,
    product_name: line.product_name,
    quantity: line.quantity,
    pack_size: line.pack_size,
    unit_price: line.unit_price,
    personalisation: sql.json((line.personalisation ?? []) as never),
    notes: line.notes ?? '',
    external_id: line.external_id ?? '',
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
  changes: Omit<OrderChanges, 'status' | 'force'> & {
    status?: OrderStatus
    stated_total?: number | null
    items_total?: number
    external_id_repeated?: false
  },
  { isShipped = false } = {},
): Promise<void> {
  await sql`
    update orders set ${sql(changes)}, updated_at = ${now}
      ${isShipped ? sql`, shipped_at = coalesce(shipped_at, ${now})` : sql``}
    where account_id = ${accountId} and id = ${orderId}`
}

/** Units of a line that have left. */
interface ItemFulfilment {
  id: OrderItemId
  quantity_fulfilled: number
  fulfillment_status: ItemStatus
}

export async function updateItemFulfilments(
  { sql, accountId, now }: Work,
  items: readonly ItemFulfilment[],
): Promise<void> {
  await sql`
    update order_items i set quantity_fulfilled = c.quantity_fulfilled, fulfillment_status = c.fulfillment_status,
      updated_at = ${now}
    from jsonb_to_recordset(${sql.json(items)}::jsonb) as c (id text, quantity_fulfilled int8, fulfillment_status text)
    where i.account_id = ${accountId} and i.id = c.id`
}

/** The customer of the order was erased, once and for all. */
export async function recordErasure({ sql, accountId, now }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update orders set customer_erased_at = ${now}
    where account_id = ${accountId} and id = ${orderId} and customer_erased_at is null`
}

export async function isCustomerErased(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<boolean> {
  const [row] = await sql<{ is_erased: boolean }[]>`
    select customer_erased_at is not null as is_erased from orders where account_id = ${accountId} and id = ${orderId}`
  return row?.is_erased === true
}

/** What is still open of an order will not be fulfilled any more. */
export async function cancelOpenItems({ sql, accountId, now }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update order_items set fulfillment_status = 'cancelled', updated_at = ${now}
    where account_id = ${accountId} and order_id = ${orderId} and fulfillment_status in ('pending', 'partial')`
}

/** Forgets what the lines of an order say of its customer. */
export async function emptyPersonalOfItems({ sql, accountId, now }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update order_items set notes = '', personalisation = '[]', updated_at = ${now}
    where account_id = ${accountId} and order_id = ${orderId} and (notes <> '' or personalisation <> '[]')`
}

/** The same of its shipments and returns. */
export async function emptyPersonalOfShipments({ sql, accountId }: Work, orderId: OrderId): Promise<void> {
  await sql`
    update shipments set tracking_number = '', tracking_url = '' where account_id = ${accountId} and order_id = ${orderId}`
  await sql`update order_returns set notes = '' where account_id = ${accountId} and order_id = ${orderId}`
}

export async function hasPersonalShipments(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<boolean> {
  const [row] = await sql<{ has: boolean }[]>`
    select exists (
      select from shipments
      where account_id = ${accountId} and order_id = ${orderId} and (tracking_number <> '' or tracking_url <> '')
    ) or exists (
      select from order_returns where account_id = ${accountId} and order_id = ${orderId} and notes <> ''
    ) as has`
  return row?.has === true
}

export async function listTrackingNumbers(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<string[]> {
  const rows = await sql<{ tracking_number: string }[]>`
    select tracking_number from shipments where account_id = ${accountId} and order_id = ${orderId}`
  return rows.map((row) => row.tracking_number)
}

type Amounts = Record<'total_revenue' | 'total_shipping' | 'total_tax' | 'total_discount', number>

export interface OrderStats {
  by_status: { status: OrderStatus; orders: number }[]
  by_platform: { platform: OrderRow['platform']; orders: number }[]
  by_currency: { currency: string; orders: number; revenue: number }[]
  recent: (Amounts & { currency: string; total_orders: number })[]
  units_to_fulfill: number
}

/** `accountCurrency` is that of orders from before the account named one. */
export async function readOrderStats(
  sql: Sql,
  accountId: AccountId,
  { recentFrom, accountCurrency }: { recentFrom: Date; accountCurrency: string },
): Promise<OrderStats> {
  const byStatus = await sql<OrderStats['by_status']>`
    select status, count(*) as orders from orders where account_id = ${accountId} group by status`
  const byPlatform = await sql<OrderStats['by_platform']>`
    select platform, count(*) as orders from orders where account_id = ${accountId} group by platform`
  // The sums of an account may exceed int8 as JSON carries it; as floats they lose a cent before they fail.
  const byCurrency = await sql<OrderStats['by_currency']>`
    select coalesce(currency, ${accountCurrency}::text) as currency, count(*) as orders,
           sum(total_revenue)::float8 as revenue
    from orders where account_id = ${accountId} and status not in ('cancelled', 'refunded')
    group by 1 order by 1`
  const [open] = await sql<{ units: number }[]>`
    select coalesce(sum((quantity - quantity_fulfilled) * pack_size), 0)::float8 as units
    from order_items where account_id = ${accountId} and fulfillment_status in ('pending', 'partial')`
  const recent = await sql<OrderStats['recent']>`
    select coalesce(currency, ${accountCurrency}::text) as currency, count(*) as total_orders,
           sum(total_revenue)::float8 as total_revenue, sum(shipping_cost)::float8 as total_shipping,
           sum(tax_amount)::float8 as total_tax, sum(discount_amount)::float8 as total_discount
    from orders
    where account_id = ${accountId} and order_date >= ${recentFrom} and status not in ('cancelled', 'refunded')
    group by 1 order by 1`
  return {
    by_status: byStatus,
    by_platform: byPlatform,
    by_currency: byCurrency,
    units_to_fulfill: open?.units ?? 0,
    recent,
  }
}

import type { Sql } from '../../../db/database.ts'
import type { PageRow } from '../../../db/page-bounds.ts'
import type {
  AssemblyTaskRow,
  JobRow,
  OrderRow,
  ProductImageRow,
  ProductRow,
  SkuRow,
} from '../../../db/rows.generated.ts'
import type { AccountId, AssemblyTaskId, JobId, OrderId, ProductId, SkuId } from '../../../kernel/ids.ts'
import { recipesWithFiles, servesSku } from '../../catalogue/recipes/recipes.queries.ts'
import type { Blocker } from '../plan/plan.ts'
import type { NeedsFilter, ShelfFilter } from './needs.schema.ts'

/** The most orders that are named of one SKU. */
const mostOrders = 5

interface ShownSku
  extends Pick<SkuRow, 'sku' | 'color' | 'filament_type' | 'restock_point' | 'restock_to' | 'auto_produce'> {
  id: SkuId
  product_id: ProductId
  product_name: ProductRow['name']
  image_token: ProductImageRow['token'] | null
  /** True when a recipe or a bill of materials says how it is made. */
  is_makeable: boolean
  /** True when it is put together of parts: what is printed are those. */
  is_assembled: boolean
}

const shownSku = (sql: Sql) => sql`
  s.id, s.sku, s.color, s.filament_type, s.restock_point, s.restock_to, s.auto_produce, s.product_id,
  p.name as product_name, hero.token as image_token,
  (exists (select from ${recipesWithFiles(sql)} where ${servesSku(sql)}
             and r.is_active and f.deleted_at is null and v.is_sliced)
   or exists (select from bom_children b where b.account_id = s.account_id and b.sku_id = s.id)) as is_makeable,
  exists (select from bom_children b where b.account_id = s.account_id and b.sku_id = s.id) as is_assembled`

const aroundSku = (sql: Sql) => sql`
  join products p on p.account_id = s.account_id and p.id = s.product_id
  left join product_images hero on hero.account_id = s.account_id and hero.product_id = s.product_id and hero.sort_order = 0`

const isSearched = (sql: Sql, search: string | undefined) =>
  search === undefined
    ? sql``
    : sql`and (strpos(lower(s.sku), lower(${search})) > 0 or strpos(lower(p.name), lower(${search})) > 0)`

/** An order that waits for units of a SKU. */
export interface WaitingOrder extends Pick<OrderRow, 'order_number'> {
  order_id: OrderId
  ship_by: string | null
  to_print: number
  blocked: number
}

export interface NeedRow extends ShownSku {
  to_print: number
  blocked: number
  orders_waiting: number
  due_at: Date | null
  orders: WaitingOrder[]
  blockers: Blocker[]
  shelf_units: number
}

/** What the shelf of a SKU lacks by the last plan: nothing while more than its restock point is there or on its way. */
const shelfGaps = (sql: Sql, accountId: AccountId) => sql`
  select s.id as sku_id, case when covered.units > s.restock_point then 0 else s.restock_to - covered.units end as units
  from skus s
  cross join lateral (
    select coalesce(sum(g.units), 0) as units from pegs g
    where g.account_id = s.account_id and g.demand_id = s.id and g.product_sku_id = s.id
  ) covered
  where s.account_id = ${accountId} and s.restock_to is not null and s.is_active`

/** The SKUs that nothing covers for an order or for the shelf, by the last plan: what is due first, first. */
export async function listNeeds(
  sql: Sql,
  accountId: AccountId,
  { due_before: dueBefore, for: purpose, is_blocked: isBlocked, search, after, limit, offset }: NeedsFilter,
): Promise<PageRow<NeedRow>[]> {
  const isForOrders = purpose !== 'shelf'
  const isForShelf = purpose !== 'orders' && dueBefore === undefined
  return sql<PageRow<NeedRow>[]>`
    with lines as (
      select i.product_sku_id as sku_id, i.order_id, t.state, t.units, t.blockers
      from order_item_states t
      join order_items i on i.account_id = t.account_id and i.id = t.order_item_id
      where t.account_id = ${accountId} and t.state in ('to_print', 'blocked') and i.product_sku_id is not null
        and ${isForOrders}
    ), waiting as (
      select l.sku_id, o.id as order_id, o.order_number, o.ship_by, o.order_date,
             coalesce(sum(l.units) filter (where l.state = 'to_print'), 0)::bigint as to_print,
             coalesce(sum(l.units) filter (where l.state = 'blocked'), 0)::bigint as blocked
      from lines l join orders o on o.account_id = ${accountId} and o.id = l.order_id
      ${dueBefore === undefined ? sql`` : sql`where o.ship_by < ${dueBefore}`}
      group by l.sku_id, o.id, o.order_number, o.ship_by, o.order_date
    ), placed as (
      select w.*, row_number() over (partition by w.sku_id order by w.ship_by nulls last, w.order_date, w.order_id) as place
      from waiting w
    ), ordered as (
      select sku_id, sum(to_print)::bigint as to_print, sum(blocked)::bigint as blocked, count(*) as orders_waiting,
             min(ship_by) as due_at,
             jsonb_agg(jsonb_build_object('order_id', order_id, 'order_number', order_number, 'ship_by', ship_by,
               'to_print', to_print, 'blocked', blocked) order by place) filter (where place <= ${mostOrders}) as orders
      from placed group by sku_id
    ), reasons as (
      select l.sku_id, jsonb_agg(distinct b.blocker) as blockers
      from lines l cross join lateral jsonb_array_elements(l.blockers) b (blocker)
      group by l.sku_id
    ), shelf as (
      select sku_id, units::bigint as units from (${shelfGaps(sql, accountId)}) gap where units > 0 and ${isForShelf}
    ), needs as (
      select coalesce(n.sku_id, h.sku_id) as sku_id, coalesce(n.to_print, 0) as to_print, coalesce(n.blocked, 0) as blocked,
             coalesce(n.orders_waiting, 0) as orders_waiting, n.due_at, coalesce(n.orders, '[]') as orders,
             coalesce(h.units, 0) as shelf_units,
             coalesce(to_char(n.due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
               case when n.sku_id is null then 'shelf' else 'order' end) as page_key
      from ordered n full join shelf h on h.sku_id = n.sku_id
    )
    select ${shownSku(sql)}, n.to_print, n.blocked, n.orders_waiting, n.due_at, n.orders, n.shelf_units, n.page_key,
           coalesce(w.blockers, '[]') as blockers
    from needs n
    join skus s on s.account_id = ${accountId} and s.id = n.sku_id
    ${aroundSku(sql)}
    left join reasons w on w.sku_id = n.sku_id
    where true ${isSearched(sql, search)}
      ${isBlocked === undefined ? sql`` : sql`and (n.blocked > 0) = ${isBlocked}`}
      ${after ? sql`and (n.page_key collate "C", n.sku_id collate "C") > (${after.key}, ${after.id})` : sql``}
    order by n.page_key collate "C", n.sku_id collate "C"
    limit ${limit} offset ${offset}`
}

export interface ShelfRow extends ShownSku {
  restock_point: number
  restock_to: number
  ready: number
  on_the_way: number
  missing: number
}

/** SKUs of which some are to be on the shelf, by their code. */
export async function listShelf(
  sql: Sql,
  accountId: AccountId,
  { search, after, limit, offset }: ShelfFilter,
): Promise<PageRow<ShelfRow>[]> {
  return sql<PageRow<ShelfRow>[]>`
    select ${shownSku(sql)}, s.sku as page_key, held.ready, held.on_the_way, gap.units::bigint as missing
    from skus s
    ${aroundSku(sql)}
    join (${shelfGaps(sql, accountId)}) gap on gap.sku_id = s.id
    cross join lateral (
      select coalesce(sum(g.units) filter (where g.supply_kind = 'ready_stock'), 0)::bigint as ready,
             coalesce(sum(g.units) filter (where g.supply_kind <> 'ready_stock'), 0)::bigint as on_the_way
      from pegs g where g.account_id = s.account_id and g.demand_id = s.id and g.product_sku_id = s.id
    ) held
    where s.account_id = ${accountId} ${isSearched(sql, search)}
      ${after ? sql`and s.sku > ${after.key}` : sql``}
    order by s.sku
    limit ${limit} offset ${offset}`
}

export type UnwantedJobRow = Pick<JobRow, 'product_name' | 'file_name' | 'number_of_units' | 'plates_total'> & {
  id: JobId
  /** Code of its SKU; null for none. */
  sku: SkuRow['sku'] | null
  created_at: Date
}

export async function listUnwantedJobs(
  sql: Sql,
  accountId: AccountId,
  jobIds: readonly JobId[],
): Promise<UnwantedJobRow[]> {
  if (jobIds.length === 0) return []
  return sql<UnwantedJobRow[]>`
    select j.id, j.product_name, s.sku, j.file_name, j.number_of_units, j.plates_total, j.created_at
    from jobs j left join skus s on s.account_id = j.account_id and s.id = j.product_sku_id
    where j.account_id = ${accountId} and j.id = any(${[...jobIds]})
    order by j.created_at, j.id`
}

export type UnwantedTaskRow = Pick<AssemblyTaskRow, 'product_name' | 'sku' | 'quantity'> & {
  id: AssemblyTaskId
  created_at: Date
}

export async function listUnwantedTasks(
  sql: Sql,
  accountId: AccountId,
  taskIds: readonly AssemblyTaskId[],
): Promise<UnwantedTaskRow[]> {
  if (taskIds.length === 0) return []
  return sql<UnwantedTaskRow[]>`
    select id, product_name, sku, quantity, created_at from assembly_tasks
    where account_id = ${accountId} and id = any(${[...taskIds]})
    order by created_at, id`
}

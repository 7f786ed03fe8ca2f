import type { Sql } from '../../../db/database.ts'
import type {
  BomChildrenRow,
  BomMaterialRow,
  InventoryItemRow,
  JobOutputRow,
  JobRow,
  MaterialRow,
  OrderItemRow,
  OrderRow,
  PinnedPegRow,
  PrintFileVersionRow,
  RecipeRow,
  SkuRow,
} from '../../../db/rows.generated.ts'
import type { AccountId, MaterialId, OrderId, SkuId } from '../../../kernel/ids.ts'
import { alsoMadeBy, type RecipeOutput, recipesWithFiles, servesSku } from '../../catalogue/recipes/recipes.queries.ts'
import type { OpenAssembly } from '../plan/facts.ts'
import { inScope, type SkuScope } from '../stored/sku-scope.ts'

/** Orders that want nothing more. */
const endedOrders = ['shipped', 'fulfilled', 'cancelled', 'refunded']

export type BomChild = Pick<BomChildrenRow, 'sku_id' | 'child_sku_id' | 'quantity_required'>

/** All of an account: what is above and below a SKU is found in memory. */
export async function listBomChildren(sql: Sql, accountId: AccountId): Promise<BomChild[]> {
  return sql<BomChild[]>`
    select sku_id, child_sku_id, quantity_required from bom_children where account_id = ${accountId}`
}

export type BomMaterial = Pick<BomMaterialRow, 'sku_id' | 'material_id' | 'quantity_required'> &
  Pick<MaterialRow, 'kind'>

export async function listBomMaterials(sql: Sql, accountId: AccountId): Promise<BomMaterial[]> {
  return sql<BomMaterial[]>`
    select b.sku_id, b.material_id, b.quantity_required, m.kind
    from bom_materials b join materials m on m.account_id = b.account_id and m.id = b.material_id
    where b.account_id = ${accountId}`
}

export async function listScarceMaterials(sql: Sql, accountId: AccountId): Promise<MaterialId[]> {
  const rows = await sql<{ material_id: MaterialId }[]>`
    select material_id from scarce_materials where account_id = ${accountId}`
  return rows.map((row) => row.material_id)
}

export async function listMaterialStock(
  sql: Sql,
  accountId: AccountId,
  materialIds: readonly MaterialId[],
): Promise<Pick<MaterialRow, 'id' | 'remaining'>[]> {
  if (materialIds.length === 0) return []
  return sql<Pick<MaterialRow, 'id' | 'remaining'>[]>`
    select id, remaining from materials where account_id = ${accountId} and id = any(${[...materialIds]})`
}

export type OpenLine = Pick<OrderItemRow, 'id' | 'order_id' | 'product_sku_id'> &
  Pick<OrderRow, 'ship_by' | 'priority' | 'order_date'> & { units: number; is_dedicated: boolean }

const openLines = (sql: Sql, accountId: AccountId) => sql`
  select i.id, i.order_id, i.product_sku_id, o.ship_by, o.priority, o.order_date,
         (i.quantity - i.quantity_fulfilled) * i.pack_size as units, i.personalisation <> '[]' as is_dedicated
  from order_items i join orders o on o.account_id = i.account_id and o.id = i.order_id
  where i.account_id = ${accountId} and i.fulfillment_status in ('pending', 'partial')
    and o.status <> all(${endedOrders})`

/** Open lines of orders, by the index `order_items_open_by_sku`. */
export async function listOpenLines(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<OpenLine[]> {
  return sql<OpenLine[]>`
    ${openLines(sql, accountId)} and i.product_sku_id is not null ${inScope(sql, sql`i.product_sku_id`, scope)}`
}

/** Open lines of one order, those that are not mapped among them. */
export async function listOpenLinesOfOrder(sql: Sql, accountId: AccountId, orderId: OrderId): Promise<OpenLine[]> {
  return sql<OpenLine[]>`${openLines(sql, accountId)} and i.order_id = ${orderId} order by i.id`
}

export type PlannedSku = Pick<SkuRow, 'id' | 'is_active' | 'restock_point' | 'restock_to'> &
  Pick<InventoryItemRow, 'ready_stock' | 'quantity_needs_assembly'>

export async function listPlannedSkus(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<PlannedSku[]> {
  return sql<PlannedSku[]>`
    select s.id, s.is_active, s.restock_point, s.restock_to, i.ready_stock, i.quantity_needs_assembly
    from skus s join inventory_items i on i.account_id = s.account_id and i.product_sku_id = s.id
    where s.account_id = ${accountId} ${inScope(sql, sql`s.id`, scope)}`
}

export type OutputOfJob = Pick<JobOutputRow, 'job_id' | 'product_sku_id'> &
  Pick<JobRow, 'order_item_id' | 'status' | 'plates_done' | 'plates_total' | 'estimated_print_time_minutes'> & {
    units: number
    is_untouched: boolean
  }

/**
 * Answers what live jobs will yield: they are credited when they end, plates that are done already among it, less what was
 * credited already.
 */
export async function listLiveOutputs(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<OutputOfJob[]> {
  return sql<OutputOfJob[]>`
    select u.job_id, u.product_sku_id, u.units - u.units_rejected - u.units_credited as units, j.order_item_id, j.status, j.plates_done,
           j.plates_total, j.estimated_print_time_minutes,
           j.status = 'queued' and j.plates_done = 0 as is_untouched
    from jobs j join job_outputs u on u.account_id = j.account_id and u.job_id = j.id
    where j.account_id = ${accountId} and j.status in ('queued', 'processing', 'printing', 'paused')
      ${inScope(sql, sql`u.product_sku_id`, scope)}`
}

/** SKUs that come from one plate. */
interface SharedPlate {
  sku_ids: SkuId[]
}

/** Those of live jobs whose plates yield several, by the index `job_outputs_mixed`. */
export async function listMixedJobs(sql: Sql, accountId: AccountId): Promise<SharedPlate[]> {
  return sql<SharedPlate[]>`
    select array_agg(u.product_sku_id) as sku_ids
    from job_outputs m
    join jobs j on j.account_id = m.account_id and j.id = m.job_id
    join job_outputs u on u.account_id = j.account_id and u.job_id = j.id
    where m.account_id = ${accountId} and not m.is_main and j.status in ('queued', 'processing', 'printing', 'paused')
    group by j.id`
}

export async function listOpenAssemblies(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<OpenAssembly[]> {
  return sql<OpenAssembly[]>`
    select t.id, t.kind, t.product_sku_id as "skuId", t.quantity - t.quantity_completed - t.quantity_rejected as "unitsLeft",
           t.order_item_id as "orderItemId", coalesce(i.personalisation <> '[]', false) as "isDedicated"
    from assembly_tasks t
    left join order_items i on i.account_id = t.account_id and i.id = t.order_item_id
    where t.account_id = ${accountId} and t.status in ('pending', 'in_progress')
      ${inScope(sql, sql`t.product_sku_id`, scope)}`
}

export type RecipeOfSku = Pick<RecipeRow, 'id' | 'units_per_plate' | 'rank'> &
  Pick<PrintFileVersionRow, 'printer_model' | 'print_time_seconds'> & { sku_id: SkuId; also_makes: RecipeOutput[] }

/** Active recipes by the SKUs that they serve. */
export async function listRecipesBySku(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<RecipeOfSku[]> {
  return sql<RecipeOfSku[]>`
    select r.id, s.id as sku_id, r.units_per_plate, r.rank, v.printer_model, v.print_time_seconds,
           ${alsoMadeBy(sql)} as also_makes
    from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and r.is_active and f.deleted_at is null and v.is_sliced
      ${inScope(sql, sql`s.id`, scope)}`
}

/** The SKUs of active recipes whose plates yield several, whether or not their files can be printed now. */
export async function listMixedRecipes(sql: Sql, accountId: AccountId): Promise<SharedPlate[]> {
  return sql<SharedPlate[]>`
    select array_agg(m.product_sku_id) || coalesce(
             array_agg(r.product_sku_id) filter (where r.product_sku_id is not null),
             (select array_agg(s.id) from skus s where s.account_id = ${accountId} and s.product_id = r.product_id)
           ) as sku_ids
    from recipe_outputs m join recipes r on r.account_id = m.account_id and r.id = m.recipe_id
    where m.account_id = ${accountId} and r.is_active
    group by r.id, r.product_id`
}

/** The models of printers that are in use. */
export async function listFarmModels(sql: Sql, accountId: AccountId): Promise<string[]> {
  const rows = await sql<{ model: string }[]>`
    select distinct model from printers where account_id = ${accountId} and is_active`
  return rows.map((row) => row.model)
}

export type Pin = Pick<PinnedPegRow, 'order_item_id' | 'product_sku_id' | 'supply_kind' | 'supply_id' | 'units'>

export async function listPins(sql: Sql, accountId: AccountId, scope: SkuScope): Promise<Pin[]> {
  return sql<Pin[]>`
    select order_item_id, product_sku_id, supply_kind, supply_id, units
    from pinned_pegs where account_id = ${accountId} ${inScope(sql, sql`product_sku_id`, scope)}`
}

/** The SKUs of open lines of orders. */
export async function listSkusOfOrders(sql: Sql, accountId: AccountId, orderIds: readonly OrderId[]): Promise<SkuId[]> {
  if (orderIds.length === 0) return []
  const rows = await sql<{ product_sku_id: SkuId }[]>`
    select distinct product_sku_id from order_items
    where account_id = ${accountId} and order_id = any(${[...orderIds]}) and product_sku_id is not null
      and fulfillment_status in ('pending', 'partial')`
  return rows.map((row) => row.product_sku_id)
}

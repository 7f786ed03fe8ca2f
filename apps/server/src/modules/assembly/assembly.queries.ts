import { columnsOf, type RowOf } from '../../db/columns.ts'
import type { Sql } from '../../db/database.ts'
import type { PageBounds, PageRow } from '../../db/page-bounds.ts'
import type { ProductImageRow, SkuRow, AssemblyTaskRow as TableRow } from '../../db/rows.generated.ts'
import type { AccountId, AssemblyTaskId, InventoryItemId, JobId, MaterialId, OrderId, SkuId } from '../../kernel/ids.ts'
import { recipesWithFiles, servesSku } from '../catalogue/recipes/recipes.queries.ts'
import type { Work } from '../events/work.ts'
import { listHeldFromAssembly } from '../planning/pegs/reserved.queries.ts'

const columns = columnsOf<TableRow>()(
  'id',
  'kind',
  'status',
  'product_sku_id',
  'product_name',
  'sku',
  'quantity',
  'quantity_completed',
  'quantity_rejected',
  'job_id',
  'order_item_id',
  'assigned_to',
  'notes',
  'created_at',
  'updated_at',
  'completed_at',
)

export type AssemblyRow = RowOf<typeof columns>

export async function findAssembly(
  sql: Sql,
  accountId: AccountId,
  id: AssemblyTaskId,
): Promise<AssemblyRow | undefined> {
  const [task] = await sql<AssemblyRow[]>`
    select ${columns(sql)} from assembly_tasks where account_id = ${accountId} and id = ${id}`
  return task
}

/** Tasks for lines of an order alone. */
export async function listAssembliesOfOrder(
  sql: Sql,
  accountId: AccountId,
  orderId: OrderId,
): Promise<Pick<AssemblyRow, 'id' | 'quantity' | 'product_name'>[]> {
  return sql<Pick<AssemblyRow, 'id' | 'quantity' | 'product_name'>[]>`
    select a.id, a.quantity, a.product_name
    from order_items i join assembly_tasks a on a.account_id = i.account_id and a.order_item_id = i.id
    where i.account_id = ${accountId} and i.order_id = ${orderId}`
}

/** Forgets what people noted on these. Answers how many had any notes. */
export async function emptyNotes({ sql, accountId, now }: Work, ids: readonly AssemblyTaskId[]): Promise<number> {
  const rows = await sql`
    update assembly_tasks set notes = '', updated_at = ${now}
    where account_id = ${accountId} and id = any(${[...ids]}) and notes <> '' returning id`
  return rows.length
}

/** Locked until the transaction ends. Anyone who also locks its stock or its worklist task locks this first. */
export async function lockAssembly(
  sql: Sql,
  accountId: AccountId,
  id: AssemblyTaskId,
): Promise<AssemblyRow | undefined> {
  const [task] = await sql<AssemblyRow[]>`
    select ${columns(sql)} from assembly_tasks where account_id = ${accountId} and id = ${id} for update`
  return task
}

/** The open assembly of what a job printed, locked. */
export async function lockAssemblyOfJob(
  sql: Sql,
  accountId: AccountId,
  jobId: JobId,
  skuId: SkuId,
): Promise<AssemblyRow | undefined> {
  const [task] = await sql<AssemblyRow[]>`
    select ${columns(sql)} from assembly_tasks
    where account_id = ${accountId} and job_id = ${jobId} and product_sku_id = ${skuId} and status in ('pending', 'in_progress') for update`
  return task
}

/** Units of a job that were put together. */
export async function countAssembledOfJob(sql: Sql, accountId: AccountId, jobId: JobId, skuId: SkuId): Promise<number> {
  const [row] = await sql<{ units: number }[]>`
    select coalesce(sum(quantity_completed), 0)::bigint as units from assembly_tasks
    where account_id = ${accountId} and job_id = ${jobId} and product_sku_id = ${skuId}`
  return row?.units ?? 0
}

interface AssemblyFilter extends PageBounds {
  status?: AssemblyRow['status']
  kind?: AssemblyRow['kind']
}

/**
 * Those in progress, those that wait, those completed and those cancelled; within each the newest first. By the index
 * `assembly_tasks_by_rank`, and of one status by `assembly_tasks_by_age`.
 */
export async function listAssemblies(
  sql: Sql,
  accountId: AccountId,
  filter: AssemblyFilter,
): Promise<PageRow<AssemblyRow>[]> {
  return sql<PageRow<AssemblyRow>[]>`
    select ${columns(sql)}, status_rank || ' ' || created_at as page_key from assembly_tasks
    where account_id = ${accountId}
      ${filter.status ? sql`and status = ${filter.status}` : sql``}
      ${filter.kind ? sql`and kind = ${filter.kind}` : sql``}
      ${after(sql, filter.after)}
    order by status_rank desc, created_at desc, id desc limit ${filter.limit} offset ${filter.offset}`
}

function after(sql: Sql, position: PageBounds['after']) {
  if (!position) return sql``
  const [rank = '', ...time] = (position.key ?? '').split(' ')
  return sql`
    and (status_rank, created_at, id) < (${Number(rank)}::smallint, ${time.join(' ')}::timestamptz, ${position.id})`
}

export async function findSkuToAssemble(
  sql: Sql,
  accountId: AccountId,
  skuId: SkuId,
): Promise<(Pick<SkuRow, 'id' | 'sku'> & { product_name: string }) | undefined> {
  const [sku] = await sql<(Pick<SkuRow, 'id' | 'sku'> & { product_name: string })[]>`
    select s.id, s.sku, p.name as product_name
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.id = ${skuId}`
  return sku
}

/** Printed units of a SKU that wait to be finished. */
export async function countWaiting(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<number> {
  const [item] = await sql<{ units: number }[]>`
    select quantity_needs_assembly as units from inventory_items
    where account_id = ${accountId} and product_sku_id = ${skuId}`
  return item?.units ?? 0
}

/** True when a recipe prints a SKU. */
export async function hasRecipe(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<boolean> {
  const recipes = await sql`
    select r.id from skus s join (${recipesWithFiles(sql)}) on ${servesSku(sql)}
    where s.account_id = ${accountId} and s.id = ${skuId} and r.is_active and f.deleted_at is null limit 1`
  return recipes.length > 0
}

/** The SKU of an inventory item. */
export async function findSkuOfItem(
  sql: Sql,
  accountId: AccountId,
  itemId: InventoryItemId,
): Promise<SkuId | undefined> {
  const [item] = await sql<{ product_sku_id: SkuId }[]>`
    select product_sku_id from inventory_items where account_id = ${accountId} and id = ${itemId}`
  return item?.product_sku_id
}

type NewAssembly = Pick<
  TableRow,
  | 'id'
  | 'kind'
  | 'product_sku_id'
  | 'product_name'
  | 'sku'
  | 'quantity'
  | 'job_id'
  | 'assigned_to'
  | 'notes'
  | 'created_by'
  | 'order_item_id'
>

/** Fails on `assembly_tasks_assignee_fkey`. */
export async function insertAssembly({ sql, accountId, now }: Work, task: NewAssembly): Promise<AssemblyRow> {
  const [row] = await sql<AssemblyRow[]>`
    insert into assembly_tasks ${sql({ account_id: accountId, ...task, created_at: now, updated_at: now })}
    returning ${columns(sql)}`
  // An insert without a condition answers its row or fails.
  return row as AssemblyRow
}

export type AssemblyChange = Partial<
  Pick<
    TableRow,
    'status' | 'quantity' | 'quantity_completed' | 'quantity_rejected' | 'assigned_to' | 'notes' | 'completed_at'
  >
>

/** Updates a task that this transaction has locked. Fails on `assembly_tasks_assignee_fkey`. */
export async function updateAssembly(
  { sql, accountId, now }: Work,
  id: AssemblyTaskId,
  change: AssemblyChange,
): Promise<AssemblyRow> {
  const [row] = await sql<AssemblyRow[]>`
    update assembly_tasks set ${sql({ ...change, updated_at: now })}
    where account_id = ${accountId} and id = ${id} returning ${columns(sql)}`
  return row as AssemblyRow
}

export async function deleteAssemblyRow({ sql, accountId }: Work, id: AssemblyTaskId): Promise<void> {
  await sql`delete from assembly_tasks where account_id = ${accountId} and id = ${id}`
}

export interface AssemblyCounts {
  pending: number
  in_progress: number
  completed: number
  cancelled: number
  units_open: number
  units_completed: number
  units_rejected: number
  /** Units of all tasks of a status. */
  quantities: Record<AssemblyRow['status'], number>
}

export async function countAssemblies(sql: Sql, accountId: AccountId): Promise<AssemblyCounts> {
  const [counts] = await sql<AssemblyCounts[]>`
    select count(*) filter (where status = 'pending') as pending,
           count(*) filter (where status = 'in_progress') as in_progress,
           count(*) filter (where status = 'completed') as completed,
           count(*) filter (where status = 'cancelled') as cancelled,
           coalesce(sum(quantity - quantity_completed - quantity_rejected)
             filter (where status in ('pending', 'in_progress')), 0)::bigint as units_open,
           coalesce(sum(quantity_completed), 0)::bigint as units_completed,
           coalesce(sum(quantity_rejected), 0)::bigint as units_rejected,
           jsonb_build_object(
             'pending', coalesce(sum(quantity) filter (where status = 'pending'), 0),
             'in_progress', coalesce(sum(quantity) filter (where status = 'in_progress'), 0),
             'completed', coalesce(sum(quantity) filter (where status = 'completed'), 0),
             'cancelled', coalesce(sum(quantity) filter (where status = 'cancelled'), 0)) as quantities
    from assembly_tasks where account_id = ${accountId}`
  // An aggregate without groups has one row.
  return counts as AssemblyCounts
}

/** A part that one unit of a SKU takes, with where it lies and what is there of it. */
export interface AssemblyPart {
  sku_id: SkuId | null
  material_id: MaterialId | null
  /** Code of the SKU; empty for a component. */
  sku: string
  name: string
  bin: string
  image_token: string | null
  per_unit: number
  available: number
}

/** Answers what a task may take for its units: parts that are held for orders that want none of them are not there. */
export async function listPartsFor(
  sql: Sql,
  accountId: AccountId,
  task: Pick<AssemblyRow, 'product_sku_id' | 'order_item_id'>,
): Promise<AssemblyPart[]> {
  const parts = await listPartsOf(sql, accountId, task.product_sku_id)
  const held = await listHeldFromAssembly(sql, accountId, {
    skuIds: parts.flatMap(({ sku_id }) => sku_id ?? []),
    assembledSkuId: task.product_sku_id,
    orderItemId: task.order_item_id,
  })
  return parts.map((part) => {
    const heldOfIt = part.sku_id === null ? 0 : (held.get(part.sku_id) ?? 0)
    return { ...part, available: Math.max(0, part.available - heldOfIt) }
  })
}

/** Answers what one unit takes by its bill of materials: parts that are printed, then components. Packaging goes with the shipment. */
async function listPartsOf(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<AssemblyPart[]> {
  return sql<AssemblyPart[]>`
    select s.id as sku_id, null as material_id, s.sku, p.name, i.bin, hero.token as image_token,
           b.quantity_required as per_unit, greatest(i.ready_stock, 0) as available, 0 as kind, b.position
    from bom_children b
    join skus s on s.account_id = b.account_id and s.id = b.child_sku_id
    join products p on p.account_id = s.account_id and p.id = s.product_id
    join inventory_items i on i.account_id = s.account_id and i.product_sku_id = s.id
    left join product_images hero
      on hero.account_id = s.account_id and hero.product_id = s.product_id and hero.sort_order = 0
    where b.account_id = ${accountId} and b.sku_id = ${skuId}
    union all
    select null, m.id, '', coalesce(nullif(m.name, ''), m.type), m.location, null,
           b.quantity_required, greatest(m.remaining, 0), 1, b.position
    from bom_materials b
    join materials m on m.account_id = b.account_id and m.id = b.material_id
    where b.account_id = ${accountId} and b.sku_id = ${skuId} and m.kind = 'components'
    order by kind, position`
}

/** The first picture of the product of a SKU. */
export async function findPictureOfSku(sql: Sql, accountId: AccountId, skuId: SkuId): Promise<string | null> {
  const [row] = await sql<Pick<ProductImageRow, 'token'>[]>`
    select hero.token from skus s
    join product_images hero on hero.account_id = s.account_id and hero.product_id = s.product_id and hero.sort_order = 0
    where s.account_id = ${accountId} and s.id = ${skuId}`
  return row?.token ?? null
}

import type { Sql } from '../../../db/database.ts'
import type { MaterialRow } from '../../../db/rows.generated.ts'
import type { AccountId, MaterialId } from '../../../kernel/ids.ts'
import { columnsOfFiles, type PlateForRules } from '../../matching/matching.queries.ts'

/** Different wishes of a farm that are looked at. */
const mostWishes = 5_000

/** Plates that jobs which are not over still print, those that want the same together. */
type PlateWanted = PlateForRules & {
  plates: number
  /** Those of them that are on a printer now. */
  running: number
}

/** By the index `jobs_unfinished`. The weight is that of one plate. */
export async function listPlatesWanted(sql: Sql, accountId: AccountId): Promise<PlateWanted[]> {
  return sql<PlateWanted[]>`
    select wanted.*, ${columnsOfFiles(sql)}
    from (
      select case when j.auto_assigned then null else j.printer_id end as assigned_printer_id, j.file_version_id,
             j.filament_type, j.color, j.any_color, 1 as plates_total,
             j.filament_needed_grams / j.plates_total as filament_needed_grams,
             sum(j.plates_total - j.plates_done)::int8 as plates,
             count(*) filter (where j.status <> 'queued') as running,
             min(j.created_at) as oldest
      from jobs j
      where j.account_id = ${accountId} and j.status in ('queued', 'processing', 'printing', 'paused')
      group by 1, 2, 3, 4, 5, 7
      order by oldest
      limit ${mostWishes}
    ) wanted
    join print_file_versions v on v.account_id = ${accountId} and v.id = wanted.file_version_id
    order by wanted.oldest`
}

/** Milligrams that were taken of each spool since then, what was used beyond what was known to be there included. */
export async function listUseOfSpools(
  sql: Sql,
  accountId: AccountId,
  since: Date,
): Promise<{ material_id: MaterialId; used: number }[]> {
  return sql<{ material_id: MaterialId; used: number }[]>`
    select m.material_id, sum(m.shortage - m.change)::int8 as used
    from material_movements m join materials k on k.account_id = m.account_id and k.id = m.material_id
    where m.account_id = ${accountId} and k.kind = 'filament' and m.reason in ('printed', 'consumed')
      and coalesce(m.happened_at, m.created_at) >= ${since}
    group by m.material_id`
}

export type SpoolOfFarm = Pick<
  MaterialRow,
  'id' | 'type' | 'color' | 'hex_code' | 'remaining' | 'printer_id' | 'slot' | 'loaded_at'
>

/** All spools, also used up ones: what was taken of them tells of their colour. */
export async function listSpoolsOfFarm(sql: Sql, accountId: AccountId): Promise<SpoolOfFarm[]> {
  return sql<SpoolOfFarm[]>`
    select id, type, color, hex_code, remaining, printer_id, slot, loaded_at from materials
    where account_id = ${accountId} and kind = 'filament'
    order by created_at desc, id desc limit 10000`
}

export type ItemWanted = Pick<MaterialRow, 'id' | 'kind' | 'type' | 'name' | 'color' | 'remaining'> & { needed: number }

/**
 * Components of what is to be put together, and packaging of units that are to be shipped, by their bills of materials. Open tasks are
 * for the orders that wait, as the planner takes them: of a SKU the more of both is put together.
 */
export async function listItemsWanted(sql: Sql, accountId: AccountId): Promise<ItemWanted[]> {
  return sql<ItemWanted[]>`
    select m.id, m.kind, m.type, m.name, m.color, m.remaining, sum(open.units * b.quantity_required)::int8 as needed
    from (
      select made.product_sku_id, 'components' as kind, greatest(sum(made.tasked), sum(made.waiting)) as units
      from (
        select t.product_sku_id, t.quantity - t.quantity_completed - t.quantity_rejected as tasked, 0 as waiting
        from assembly_tasks t
        where t.account_id = ${accountId} and t.status in ('pending', 'in_progress')
        union all
        select i.product_sku_id, 0, s.units
        from order_item_states s
        join order_items i on i.account_id = s.account_id and i.id = s.order_item_id
        join skus k on k.account_id = i.account_id and k.id = i.product_sku_id
        join products p on p.account_id = k.account_id and p.id = k.product_id
        where s.account_id = ${accountId} and (
          s.state in ('to_assemble', 'blocked')
          or s.state in ('on_live_job', 'to_print') and (
            p.requires_assembly
            or exists (select from bom_children c where c.account_id = k.account_id and c.sku_id = k.id)
          )
        )
      ) made
      group by made.product_sku_id
      union all
      select i.product_sku_id, 'packaging', sum(i.units - i.quantity_fulfilled * i.pack_size)
      from order_items i
      join orders o on o.account_id = i.account_id and o.id = i.order_id and o.status not in ('cancelled', 'refunded')
      where i.account_id = ${accountId} and i.fulfillment_status in ('pending', 'partial') and i.product_sku_id is not null
      group by i.product_sku_id
    ) open
    join bom_materials b on b.account_id = ${accountId} and b.sku_id = open.product_sku_id
    join materials m on m.account_id = b.account_id and m.id = b.material_id and m.kind = open.kind
    group by m.account_id, m.id
    order by m.kind, m.name, m.id`
}

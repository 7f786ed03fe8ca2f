import type { Sql } from '../../../db/database.ts'
import type { ComponentUseRow } from '../../../db/rows.generated.ts'
import type { AccountId, MaterialId, SkuId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { inScope, type SkuScope } from './sku-scope.ts'

/** Units of a component that a plan gave to those who want a SKU. */
export type ComponentUse = Pick<ComponentUseRow, 'product_sku_id' | 'material_id' | 'units'>

/** Answers how many of these components the last plans gave to other SKUs than these; those without any are left out. */
export async function sumOtherUses(
  sql: Sql,
  accountId: AccountId,
  materialIds: readonly MaterialId[],
  skuIds: readonly SkuId[],
): Promise<Map<MaterialId, number>> {
  if (materialIds.length === 0) return new Map()
  const rows = await sql<{ material_id: MaterialId; units: number }[]>`
    select material_id, sum(units)::int8 as units from component_uses
    where account_id = ${accountId} and material_id = any(${[...materialIds]}) and product_sku_id <> all(${[...skuIds]})
    group by material_id`
  return new Map(rows.map((row) => [row.material_id, row.units]))
}

/** Makes what is stored of the SKUs of a scope just these. What stays as it is is not written. */
export async function writeUses(
  { sql, accountId }: Work,
  scope: SkuScope,
  uses: readonly ComponentUse[],
): Promise<void> {
  const rows = sql`unnest(
      ${uses.map((use) => use.product_sku_id)}::text[], ${uses.map((use) => use.material_id)}::text[],
      ${uses.map((use) => use.units)}::bigint[]
    ) as w (product_sku_id, material_id, units)`
  await sql`
    delete from component_uses u
    where u.account_id = ${accountId} ${inScope(sql, sql`u.product_sku_id`, scope)}
      and not exists (select from ${rows} where w.product_sku_id = u.product_sku_id and w.material_id = u.material_id)`
  if (uses.length === 0) return
  await sql`
    insert into component_uses (account_id, product_sku_id, material_id, units)
    select ${accountId}, w.* from ${rows}
    on conflict (account_id, product_sku_id, material_id)
      do update set units = excluded.units where component_uses.units <> excluded.units`
}

import type { Sql } from '../../../db/database.ts'
import type {
  KitExtraRow,
  KitPartComponentRow,
  KitPartRow as KitPartTableRow,
  MaterialRow,
} from '../../../db/rows.generated.ts'
import {
  type AccountId,
  type KitPartId,
  type MaterialId,
  newId,
  type PrintFileId,
  type ProductId,
  type SkuId,
} from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'

type KitPartRow = Omit<KitPartTableRow, 'account_id' | 'is_active' | 'created_at' | 'updated_at'> & {
  file_name: string | null
}

/** What goes into a kit is counted by the piece. */
type PackedKind = Extract<MaterialRow['kind'], 'components' | 'packaging'>

type PartComponentRow = Omit<KitPartComponentRow, 'account_id' | 'position'> &
  Pick<MaterialRow, 'type'> & { kind: PackedKind; item_name: string }

export type ExtraRow = Omit<KitExtraRow, 'account_id' | 'position' | 'product_id'> &
  Pick<MaterialRow, 'remaining'> & { kind: PackedKind; item_name: string }

/** A SKU that is a part of a kit, with its stock. */
interface PartSkuRow {
  id: SkuId
  kit_part_id: KitPartId
  sku: string
  color: string
  filament_type: string
  is_active: boolean
  ready_stock: number
}

/** A kit as its tables hold it. */
export interface KitRows {
  parts: KitPartRow[]
  components: PartComponentRow[]
  extras: ExtraRow[]
  partSkus: PartSkuRow[]
  /** Which SKU of the kit is made of which of its parts. */
  uses: { sku_id: SkuId; child_sku_id: SkuId }[]
}

/** The kits among some products; by four statements however many they are. */
export async function loadKits(
  sql: Sql,
  accountId: AccountId,
  productIds: ProductId[],
): Promise<Map<ProductId, KitRows>> {
  const parts = await sql<KitPartRow[]>`
    select k.id, k.product_id, k.name, k.print_file_id, k.quantity_per_kit, k.fixed_color, k.fixed_hex_code,
           k.requires_assembly, k.position, f.name as file_name
    from kit_parts k
    left join print_files f on f.account_id = k.account_id and f.id = k.print_file_id
    where k.account_id = ${accountId} and k.product_id = any(${productIds}) and k.is_active
    order by k.product_id, k.position, k.id`
  if (parts.length === 0) return new Map()
  const partIds = parts.map(({ id }) => id)
  const [components, extras, partSkus, uses] = await Promise.all([
    sql<PartComponentRow[]>`
      select c.id, c.kit_part_id, c.material_id, c.quantity_required, c.notes, m.kind, m.type, m.name as item_name
      from kit_part_components c join materials m on m.account_id = c.account_id and m.id = c.material_id
      where c.account_id = ${accountId} and c.kit_part_id = any(${partIds})
      order by c.kit_part_id, c.position`,
    sql<(ExtraRow & { product_id: ProductId })[]>`
      select e.id, e.product_id, e.sku_id, e.material_id, e.quantity_required, e.created_at, m.kind, m.name as item_name,
             m.remaining
      from kit_extras e join materials m on m.account_id = e.account_id and m.id = e.material_id
      where e.account_id = ${accountId} and e.product_id = any(${productIds})
      order by e.product_id, e.position`,
    sql<PartSkuRow[]>`
      select s.id, s.kit_part_id, s.sku, s.color, s.filament_type, s.is_active, i.ready_stock
      from skus s join inventory_items i on i.account_id = s.account_id and i.product_sku_id = s.id
      where s.account_id = ${accountId} and s.kit_part_id = any(${partIds})
      order by s.kit_part_id, s.created_at, s.id`,
    sql<{ sku_id: SkuId; child_sku_id: SkuId }[]>`
      select b.sku_id, b.child_sku_id
      from bom_children b join skus s on s.account_id = b.account_id and s.id = b.child_sku_id
      where b.account_id = ${accountId} and s.kit_part_id = any(${partIds})
      order by b.sku_id, b.position`,
  ])
  const productOf = new Map(parts.map((part) => [part.id, part.product_id]))
  const skuProduct = new Map(partSkus.map((sku) => [sku.id, productOf.get(sku.kit_part_id)]))
  return new Map(
    [...Map.groupBy(parts, (part) => part.product_id)].map(([productId, own]) => [
      productId,
      {
        parts: own,
        components: components.filter((component) => productOf.get(component.kit_part_id) === productId),
        extras: extras.filter((extra) => extra.product_id === productId),
        partSkus: partSkus.filter((sku) => productOf.get(sku.kit_part_id) === productId),
        uses: uses.filter((use) => skuProduct.get(use.child_sku_id) === productId),
      },
    ]),
  )
}

/** A component that bills of materials of a product's SKUs name. */
export interface ComponentOfProduct {
  product_id: ProductId
  material_id: MaterialId
  component_name: string
  component_type: string
  /** The most that one of the SKUs takes. */
  quantity_required: number
}

export async function listComponentsOfProducts(
  sql: Sql,
  accountId: AccountId,
  productIds: ProductId[],
): Promise<ComponentOfProduct[]> {
  return sql<ComponentOfProduct[]>`
    select s.product_id, b.material_id, m.name as component_name, m.type as component_type,
           max(b.quantity_required) as quantity_required
    from skus s
    join bom_materials b on b.account_id = s.account_id and b.sku_id = s.id
    join materials m on m.account_id = b.account_id and m.id = b.material_id
    where s.account_id = ${accountId} and s.product_id = any(${productIds}) and m.kind = 'components'
    group by s.product_id, b.material_id, m.name, m.type
    order by s.product_id, m.name, b.material_id`
}

/** Answers which of these are print files that are not deleted. */
export async function listKnownFiles(sql: Sql, accountId: AccountId, ids: PrintFileId[]): Promise<PrintFileId[]> {
  const rows = await sql<{ id: PrintFileId }[]>`
    select id from print_files where account_id = ${accountId} and id = any(${ids}) and deleted_at is null`
  return rows.map(({ id }) => id)
}

/** Codes of SKUs that are these texts, or these with something behind. */
export async function listTakenCodes(sql: Sql, accountId: AccountId, beginnings: string[]): Promise<string[]> {
  const rows = await sql<{ sku: string }[]>`
    select s.sku from skus s
    where s.account_id = ${accountId}
      and exists (select from unnest(${beginnings}::text[]) beginning where starts_with(s.sku, beginning))
    limit 100000`
  return rows.map(({ sku }) => sku)
}

type WrittenPart = Omit<KitPartTableRow, 'account_id' | 'is_active' | 'created_at' | 'updated_at'>

/** A part that is new, or one that stays with what is said of it now; whether that is anything new. */
export async function writePart({ sql, accountId, now }: Work, part: WrittenPart): Promise<boolean> {
  const written = await sql`
    insert into kit_parts ${sql({ account_id: accountId, ...part, created_at: now, updated_at: now })}
    on conflict (account_id, id) do update set
      name = excluded.name, print_file_id = excluded.print_file_id, quantity_per_kit = excluded.quantity_per_kit,
      fixed_color = excluded.fixed_color, fixed_hex_code = excluded.fixed_hex_code,
      requires_assembly = excluded.requires_assembly, position = excluded.position, updated_at = excluded.updated_at
    where (kit_parts.name, kit_parts.print_file_id, kit_parts.quantity_per_kit, kit_parts.fixed_color,
           kit_parts.fixed_hex_code, kit_parts.requires_assembly, kit_parts.position)
      is distinct from (excluded.name, excluded.print_file_id, excluded.quantity_per_kit, excluded.fixed_color,
           excluded.fixed_hex_code, excluded.requires_assembly, excluded.position)
    returning id`
  return written.length > 0
}

/** Parts that leave their kit; those with SKUs that are kept stay, not active. */
export async function removeParts({ sql, accountId, now }: Work, partIds: KitPartId[]): Promise<void> {
  await sql`
    update kit_parts set is_active = false, updated_at = ${now} where account_id = ${accountId} and id = any(${partIds})`
  await sql`
    delete from kit_parts k where k.account_id = ${accountId} and k.id = any(${partIds})
      and not exists (select from skus s where s.account_id = k.account_id and s.kit_part_id = k.id)`
}

interface KitLine {
  material_id: MaterialId
  quantity_required: number
}

/** Puts these components in the place of those that a part has. */
export async function replaceComponents(
  { sql, accountId, now }: Work,
  partId: KitPartId,
  lines: (KitLine & { notes: string })[],
): Promise<void> {
  await sql`delete from kit_part_components where account_id = ${accountId} and kit_part_id = ${partId}`
  const rows = lines.map((line, position) => ({
    account_id: accountId,
    id: newId('kitLine', now.getTime()),
    kit_part_id: partId,
    position,
    ...line,
  }))
  if (rows.length > 0) await sql`insert into kit_part_components ${sql(rows)}`
}

/** Puts these extras in the place of those that a kit has. */
export async function replaceExtras(
  { sql, accountId, now }: Work,
  productId: ProductId,
  lines: (KitLine & { sku_id: SkuId | null })[],
): Promise<void> {
  await sql`delete from kit_extras where account_id = ${accountId} and product_id = ${productId}`
  const rows = lines.map((line, position) => ({
    account_id: accountId,
    id: newId('kitLine', now.getTime()),
    product_id: productId,
    position,
    created_at: now,
    ...line,
  }))
  if (rows.length > 0) await sql`insert into kit_extras ${sql(rows)}`
}

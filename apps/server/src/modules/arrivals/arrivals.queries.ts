import type { Sql } from '../../db/database.ts'
import type { PrinterRow, ProductRow, SkuRow } from '../../db/rows.generated.ts'
import type { AccountId, InventoryItemId, MaterialId } from '../../kernel/ids.ts'

/** The printer that has this name, or that is reached in this way. */
export async function findKnownPrinter(
  sql: Sql,
  accountId: AccountId,
  wanted: Pick<PrinterRow, 'name' | 'connection_type' | 'connection_serial' | 'connection_host' | 'connection_port'>,
): Promise<Pick<PrinterRow, 'id' | 'name'> | undefined> {
  const [printer] = await sql<Pick<PrinterRow, 'id' | 'name'>[]>`
    select id, name from printers
    where account_id = ${accountId} and (
      name = ${wanted.name}
      or connection_type = ${wanted.connection_type} and (
        connection_serial = ${wanted.connection_serial}
        or connection_serial is not distinct from ${wanted.connection_serial} and connection_host = ${wanted.connection_host}
          and connection_port is not distinct from ${wanted.connection_port}))
    order by name = ${wanted.name} desc, id limit 1`
  return printer
}

export async function findProductByName(
  sql: Sql,
  accountId: AccountId,
  name: string,
): Promise<Pick<ProductRow, 'id'> | undefined> {
  const [product] = await sql<Pick<ProductRow, 'id'>[]>`
    select id from products where account_id = ${accountId} and name = ${name}`
  return product
}

export async function findSkuByCode(
  sql: Sql,
  accountId: AccountId,
  code: string,
): Promise<(Pick<SkuRow, 'id' | 'product_id'> & { product_name: string }) | undefined> {
  const [sku] = await sql<(Pick<SkuRow, 'id' | 'product_id'> & { product_name: string })[]>`
    select s.id, s.product_id, p.name as product_name
    from skus s join products p on p.account_id = s.account_id and p.id = s.product_id
    where s.account_id = ${accountId} and s.sku = ${code}`
  return sku
}

export async function hasMovements(sql: Sql, accountId: AccountId, itemId: InventoryItemId): Promise<boolean> {
  const rows = await sql`
    select id from stock_movements where account_id = ${accountId} and inventory_item_id = ${itemId} limit 1`
  return rows.length > 0
}

export async function isMaterialThere(sql: Sql, accountId: AccountId, materialId: MaterialId): Promise<boolean> {
  const rows = await sql`select id from materials where account_id = ${accountId} and id = ${materialId}`
  return rows.length > 0
}

import { columnsOf, type RowOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type {
  CostSettingRow,
  FilamentPriceRow,
  MaterialRow,
  ModelPriceRow,
  PlatformFeeRow,
  PrinterPriceRow,
  PrinterRow,
} from '../../../db/rows.generated.ts'
import type { AccountId, MaterialId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { fallbackCurrency } from '../../orders/settings/currencies.ts'

const columns = columnsOf<CostSettingRow>('s')(
  'machine_hour_price',
  'watts',
  'energy_price',
  'labour_hour_price',
  'plate_labour_seconds',
  'assembly_labour_seconds',
  'order_labour_seconds',
)

export type CostColumns = RowOf<typeof columns>
export type CostSettingsRow = CostColumns & Pick<CostSettingRow, 'currency'>

/** Currency of the account's prices; of an account that has set none, the one of its orders. */
const currency = (sql: Sql) => sql`coalesce(s.currency, o.currency, ${fallbackCurrency}::text)`

/** Also those of an account that has set nothing: only its currency is known. */
export async function findCostSettings(sql: Sql, accountId: AccountId): Promise<CostSettingsRow | undefined> {
  const [row] = await sql<CostSettingsRow[]>`
    select ${columns(sql)}, ${currency(sql)} as currency
    from accounts a
    left join cost_settings s on s.account_id = a.id
    left join order_settings o on o.account_id = a.id
    where a.id = ${accountId}`
  return row
}

/** Holds the settings until the transaction ends, also those of an account that has set nothing yet. */
export async function lockCostSettings(sql: Sql, accountId: AccountId): Promise<void> {
  await sql`select id from accounts where id = ${accountId} for no key update`
}

/** From the first price on, an account has a currency of its prices, whatever becomes of that of its orders. */
export async function ensureCurrency({ sql, accountId, now }: Work): Promise<void> {
  await sql`
    insert into cost_settings (account_id, currency, updated_at)
    select a.id, coalesce(o.currency, ${fallbackCurrency}::text), ${now}
    from accounts a left join order_settings o on o.account_id = a.id
    where a.id = ${accountId}
    on conflict (account_id) do nothing`
}

export async function updateCostSettings(
  { sql, accountId, now }: Work,
  change: Partial<CostSettingsRow>,
): Promise<void> {
  await sql`update cost_settings set ${sql({ ...change, updated_at: now })} where account_id = ${accountId}`
}

type ModelPrice = Pick<ModelPriceRow, 'model' | 'machine_hour_price' | 'watts'>

export async function listModelPrices(sql: Sql, accountId: AccountId): Promise<ModelPrice[]> {
  return sql<ModelPrice[]>`
    select model, machine_hour_price, watts from model_prices where account_id = ${accountId} order by model`
}

export async function replaceModelPrices({ sql, accountId }: Work, prices: readonly ModelPrice[]): Promise<void> {
  await sql`delete from model_prices where account_id = ${accountId}`
  if (prices.length === 0) return
  await sql`
    insert into model_prices (account_id, model, machine_hour_price, watts)
    select ${accountId}, each.model, each.price, each.watts
    from unnest(
      ${prices.map(({ model }) => model)}::text[], ${prices.map((each) => each.machine_hour_price)}::int8[],
      ${prices.map(({ watts }) => watts)}::integer[]
    ) as each (model, price, watts)`
}

type PrinterPrice = Pick<PrinterPriceRow, 'printer_id' | 'machine_hour_price' | 'watts'>

export async function listPrinterPrices(
  sql: Sql,
  accountId: AccountId,
): Promise<(PrinterPrice & Pick<PrinterRow, 'name'>)[]> {
  return sql<(PrinterPrice & Pick<PrinterRow, 'name'>)[]>`
    select o.printer_id, o.machine_hour_price, o.watts, p.name
    from printer_prices o join printers p on p.account_id = o.account_id and p.id = o.printer_id
    where o.account_id = ${accountId} order by p.name, p.id`
}

/** Fails on the foreign key of a printer that is not there. */
export async function replacePrinterPrices({ sql, accountId }: Work, prices: readonly PrinterPrice[]): Promise<void> {
  await sql`delete from printer_prices where account_id = ${accountId}`
  if (prices.length === 0) return
  await sql`
    insert into printer_prices (account_id, printer_id, machine_hour_price, watts)
    select ${accountId}, each.printer_id, each.price, each.watts
    from unnest(
      ${prices.map((each) => each.printer_id)}::text[], ${prices.map((each) => each.machine_hour_price)}::int8[],
      ${prices.map(({ watts }) => watts)}::integer[]
    ) as each (printer_id, price, watts)`
}

type FilamentPrice = Pick<FilamentPriceRow, 'filament_type' | 'price'>

export async function listFilamentPrices(sql: Sql, accountId: AccountId): Promise<FilamentPrice[]> {
  return sql<FilamentPrice[]>`
    select filament_type, price from filament_prices where account_id = ${accountId} order by filament_type`
}

export async function replaceFilamentPrices({ sql, accountId }: Work, prices: readonly FilamentPrice[]): Promise<void> {
  await sql`delete from filament_prices where account_id = ${accountId}`
  if (prices.length === 0) return
  await sql`
    insert into filament_prices (account_id, filament_type, price)
    select ${accountId}, each.type, each.price
    from unnest(${prices.map((each) => each.filament_type)}::text[], ${prices.map(({ price }) => price)}::int8[])
      as each (type, price)`
}

type PlatformFee = Pick<PlatformFeeRow, 'platform' | 'share_ppm' | 'fixed'>

export async function listPlatformFees(sql: Sql, accountId: AccountId): Promise<PlatformFee[]> {
  return sql<PlatformFee[]>`
    select platform, share_ppm, fixed from platform_fees where account_id = ${accountId} order by platform`
}

export async function replacePlatformFees({ sql, accountId }: Work, fees: readonly PlatformFee[]): Promise<void> {
  await sql`delete from platform_fees where account_id = ${accountId}`
  if (fees.length === 0) return
  await sql`
    insert into platform_fees (account_id, platform, share_ppm, fixed)
    select ${accountId}, each.platform, each.share_ppm, each.fixed
    from unnest(
      ${fees.map(({ platform }) => platform)}::text[], ${fees.map((each) => each.share_ppm)}::integer[],
      ${fees.map(({ fixed }) => fixed)}::int8[]
    ) as each (platform, share_ppm, fixed)`
}

export type MaterialPriceRow = Pick<MaterialRow, 'id' | 'kind' | 'type' | 'color'> & { price: number | null }

/** Prices of materials that have one, the one that was set last first. */
export async function listMaterialPrices(
  sql: Sql,
  accountId: AccountId,
): Promise<(MaterialPriceRow & { price: number })[]> {
  return sql<(MaterialPriceRow & { price: number })[]>`
    select m.id, m.kind, m.type, m.color, o.price
    from material_prices o join materials m on m.account_id = o.account_id and m.id = o.material_id
    where o.account_id = ${accountId} order by o.updated_at desc, m.id desc`
}

/** A material with its price, null where it has none. */
export async function findMaterialPrice(
  sql: Sql,
  accountId: AccountId,
  id: MaterialId,
): Promise<MaterialPriceRow | undefined> {
  const [row] = await sql<MaterialPriceRow[]>`
    select m.id, m.kind, m.type, m.color, o.price
    from materials m left join material_prices o on o.account_id = m.account_id and o.material_id = m.id
    where m.account_id = ${accountId} and m.id = ${id}`
  return row
}

/** Holds the material until the transaction ends. */
export async function lockMaterialPrice(sql: Sql, accountId: AccountId, id: MaterialId): Promise<void> {
  await sql`select id from materials where account_id = ${accountId} and id = ${id} for no key update`
}

export async function writeMaterialPrice(
  { sql, accountId, now }: Work,
  id: MaterialId,
  price: number | null,
): Promise<void> {
  if (price === null) {
    await sql`delete from material_prices where account_id = ${accountId} and material_id = ${id}`
    return
  }
  await sql`
    insert into material_prices (account_id, material_id, price, updated_at)
    values (${accountId}, ${id}, ${price}, ${now})
    on conflict (account_id, material_id) do update set price = excluded.price, updated_at = excluded.updated_at`
}

import type { Sql } from '../../../db/database.ts'
import { isForeignKeyViolation } from '../../../db/database-errors.ts'
import { notFound, validationError } from '../../../kernel/errors.ts'
import type { AccountId, MaterialId } from '../../../kernel/ids.ts'
import { changedFields } from '../../events/changed-fields.ts'
import type { Work } from '../../events/work.ts'
import { requireCurrency } from '../../orders/settings/order-settings.service.ts'
import { isSameModel } from '../../printers/models/printer-models.ts'
import { comparable } from '../calculation/rates.ts'
import {
  type CostSettingsRow,
  ensureCurrency,
  findCostSettings,
  findMaterialPrice,
  listFilamentPrices,
  listModelPrices,
  listPlatformFees,
  listPrinterPrices,
  type MaterialPriceRow,
  replaceFilamentPrices,
  replaceModelPrices,
  replacePlatformFees,
  replacePrinterPrices,
  updateCostSettings,
  writeMaterialPrice,
} from './cost-settings.queries.ts'
import { type CostSettingsChange, costColumns, storedPrice, toPpm } from './cost-settings.schema.ts'

export interface AllCostSettings {
  settings: CostSettingsRow
  models: Awaited<ReturnType<typeof listModelPrices>>
  printers: Awaited<ReturnType<typeof listPrinterPrices>>
  filaments: Awaited<ReturnType<typeof listFilamentPrices>>
  platformFees: Awaited<ReturnType<typeof listPlatformFees>>
}

export async function getCostSettings(sql: Sql, accountId: AccountId): Promise<AllCostSettings> {
  const [settings, models, printers, filaments, platformFees] = await Promise.all([
    findCostSettings(sql, accountId),
    listModelPrices(sql, accountId),
    listPrinterPrices(sql, accountId),
    listFilamentPrices(sql, accountId),
    listPlatformFees(sql, accountId),
  ])
  if (!settings) throw notFound('account')
  return { settings, models, printers, filaments, platformFees }
}

/**
 * Changes what is given and leaves the rest as it is; a list is replaced whole. The settings are locked by the caller.
 *
 * @throws AppError `VALIDATION_ERROR`
 */
export async function changeCostSettings(work: Work, body: CostSettingsChange): Promise<AllCostSettings> {
  const { sql, accountId } = work
  if (body.currency !== undefined) requireCurrency(body.currency)
  refuseRepeated(body)
  const before = await getCostSettings(sql, accountId)
  const change = { ...costColumns(body), ...(body.currency !== undefined && { currency: body.currency }) }
  const lists = storedLists(body)
  const fields = [...changedFields(before.settings, change), ...changedLists(before, lists)]
  if (fields.length === 0) return before
  await ensureCurrency(work)
  await updateCostSettings(work, change)
  if (lists.models) await replaceModelPrices(work, lists.models)
  if (lists.printers) await replacePrinterPrices(work, lists.printers).catch(refusePrinter)
  if (lists.filaments) await replaceFilamentPrices(work, lists.filaments)
  if (lists.platformFees) await replacePlatformFees(work, lists.platformFees)
  await work.record({ type: 'cost_settings.updated', subjectId: accountId, data: { fields } })
  return getCostSettings(sql, accountId)
}

function storedLists({ models, printers, filaments, platform_fees: fees }: CostSettingsChange) {
  return {
    models: models?.map((each) => ({ ...each, machine_hour_price: storedPrice(each.machine_hour_price) })),
    printers: printers?.map((each) => ({ ...each, machine_hour_price: storedPrice(each.machine_hour_price) })),
    filaments: filaments?.map((each) => ({
      filament_type: each.filament_type.trim(),
      price: storedPrice(each.price) ?? 0,
    })),
    platformFees: fees?.map(({ platform, percent, fixed }) => ({
      platform,
      share_ppm: toPpm(percent),
      fixed: storedPrice(fixed) ?? 0,
    })),
  }
}

const listNames = {
  models: 'models',
  printers: 'printers',
  filaments: 'filaments',
  platformFees: 'platform_fees',
} as const

/** The lists that another one replaces, by their names in requests. What comes in another order is the same. */
function changedLists(before: AllCostSettings, lists: ReturnType<typeof storedLists>): string[] {
  const rows = (list: readonly object[]) =>
    list
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .filter(([name]) => name !== 'name')
            .toSorted(),
        ),
      )
      .toSorted()
  return (Object.keys(listNames) as (keyof typeof listNames)[]).flatMap((name) => {
    const list = lists[name]
    return list === undefined || String(rows(list)) === String(rows(before[name])) ? [] : [listNames[name]]
  })
}

/** Each thing of a list is there once. */
function refuseRepeated({ models, printers, filaments, platform_fees: fees }: CostSettingsChange): void {
  const isTwice: Record<string, boolean | undefined> = {
    models: models?.some(({ model }, at) => models.slice(0, at).some((each) => isSameModel(each.model, model))),
    printers: hasTwice(printers?.map(({ printer_id }) => printer_id)),
    filaments: hasTwice(filaments?.map(({ filament_type }) => comparable(filament_type))),
    platform_fees: hasTwice(fees?.map(({ platform }) => platform)),
  }
  for (const [name, twice] of Object.entries(isTwice)) {
    if (twice) throw validationError({ [name]: ['names the same twice'] })
  }
  if (fees?.some(({ percent }) => toPpm(percent) > 1_000_000)) {
    throw validationError({ platform_fees: ['percent must be at most 100'] })
  }
}

function hasTwice(names: readonly string[] | undefined): boolean {
  return names !== undefined && new Set(names).size < names.length
}

function refusePrinter(error: unknown): never {
  if (isForeignKeyViolation(error)) throw validationError({ printers: ['names a printer that is not there'] })
  throw error
}

/** A material with its price; for a spool without one, the price of its type counts. */
export interface MaterialPrice {
  material: MaterialPriceRow
  currency: string
  typePrice: number | null
}

/** @throws AppError `NOT_FOUND` */
export async function getMaterialPrice(sql: Sql, accountId: AccountId, id: MaterialId): Promise<MaterialPrice> {
  const [material, settings, filaments] = await Promise.all([
    findMaterialPrice(sql, accountId, id),
    findCostSettings(sql, accountId),
    listFilamentPrices(sql, accountId),
  ])
  if (!material || !settings) throw notFound('material')
  const ofType = filaments.find((each) => comparable(each.filament_type) === comparable(material.type))
  return {
    material,
    currency: settings.currency,
    typePrice: material.kind === 'filament' ? (ofType?.price ?? null) : null,
  }
}

/**
 * Sets what a material costs. The material is locked by the caller.
 *
 * @throws AppError `NOT_FOUND`
 */
export async function setMaterialPrice(work: Work, id: MaterialId, price: string | null): Promise<MaterialPrice> {
  const { sql, accountId } = work
  const before = await getMaterialPrice(sql, accountId, id)
  const stored = storedPrice(price)
  if (before.material.price === stored) return before
  await ensureCurrency(work)
  await writeMaterialPrice(work, id, stored)
  await work.record({ type: 'material_price.updated', subjectId: id, data: { fields: ['price'] } })
  return getMaterialPrice(sql, accountId, id)
}

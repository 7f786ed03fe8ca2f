import type { Sql } from '../../db/database.ts'
import type { AccountId, SkuId } from '../../kernel/ids.ts'
import type { PrintedPlates } from './calculation/plate-cost.ts'
import type { Rates } from './calculation/rates.ts'
import { createUnitCosts, type SkuFacts, type UnitCostOf } from './calculation/sku-cost.ts'
import { plannedPlate } from './planned-plate.ts'
import {
  listGoodUnits,
  listPlateLabour,
  listRuns,
  listSpoolsUsed,
  type PlateLabourRow,
  platesOfSkus,
  type RunRow,
  type SpoolRow,
} from './printed.queries.ts'
import {
  listAssemblyLabour,
  listChildren,
  listMaterials,
  listPreferredRecipes,
  listSkus,
  type PreferredRecipe,
} from './sku-facts.queries.ts'

/** What SKUs are, and what a unit of each costs. */
interface CostedSkus {
  skus: ReadonlyMap<SkuId, SkuFacts>
  unitCostOf: UnitCostOf
}

/** Answers what units of these SKUs cost, and of all that they are put together from; in as many statements for one as for a thousand. */
export async function loadUnitCosts(
  sql: Sql,
  accountId: AccountId,
  rates: Rates,
  skuIds: Iterable<SkuId>,
): Promise<CostedSkus> {
  const children = Map.groupBy(await listChildren(sql, accountId), (row) => row.sku_id)
  const wanted = new Set(skuIds)
  // A set is walked to its end, what is added on the way included.
  for (const id of wanted) for (const { child_sku_id } of children.get(id) ?? []) wanted.add(child_sku_id)
  const ids = [...wanted]
  const plates = platesOfSkus(ids)
  const [rows, materials, recipes, runs, spools, labour, units, assembled] = await Promise.all([
    listSkus(sql, accountId, ids),
    listMaterials(sql, accountId, ids),
    listPreferredRecipes(sql, accountId, ids),
    listRuns(sql, accountId, plates),
    listSpoolsUsed(sql, accountId, plates),
    listPlateLabour(sql, accountId, plates),
    listGoodUnits(sql, accountId, ids),
    listAssemblyLabour(sql, accountId, ids),
  ])
  const materialsOf = Map.groupBy(materials, (row) => row.sku_id)
  const recipeOf = new Map(recipes.map((row) => [row.sku_id, row]))
  const printedOf = groupPrinted({ runs, spools, labour })
  const unitsOf = new Map(units.map(({ key, units: count }) => [key, count]))
  const assembledOf = new Map(assembled.map((row) => [row.sku_id, row]))
  const skus = new Map(
    rows.map((row): [SkuId, SkuFacts] => {
      const recipe = recipeOf.get(row.id)
      const printed = printedOf.get(row.id)
      const { assembly_minutes: minutes } = row
      return [
        row.id,
        {
          id: row.id,
          name: row.sku,
          children: (children.get(row.id) ?? []).map((child) => ({
            skuId: child.child_sku_id,
            quantity: child.quantity_required,
          })),
          materials: (materialsOf.get(row.id) ?? []).map((each) => ({
            id: each.material_id,
            name: each.name,
            kind: each.kind,
            quantity: each.quantity_required,
          })),
          recipe: recipe
            ? {
                plate: plannedPlate(recipe, { filamentType: row.filament_type, color: row.color, grams: null }),
                units: unitsOfPlate(recipe),
              }
            : null,
          requiresAssembly: row.requires_assembly,
          assemblySeconds: minutes === null ? null : Math.round(minutes * 60),
          printed: printed ? { ...printed, goodUnits: unitsOf.get(row.id) ?? 0 } : null,
          assembled: assembledOf.get(row.id) ?? null,
        },
      ]
    }),
  )
  return { skus, unitCostOf: createUnitCosts(rates, skus) }
}

/** All that a plate yields: its cost is shared by them alike. */
function unitsOfPlate({ units_per_plate, also_makes }: Pick<PreferredRecipe, 'units_per_plate' | 'also_makes'>) {
  return also_makes.reduce((sum, { units }) => sum + units, units_per_plate)
}

interface PrintedRows {
  runs: readonly RunRow[]
  spools: readonly SpoolRow[]
  labour: readonly PlateLabourRow[]
}

/** Answers what plates took, by what they were summed up by. */
export function groupPrinted({ runs, spools, labour }: PrintedRows): Map<string, PrintedPlates> {
  const spoolsOf = Map.groupBy(spools, ({ key }) => key)
  const labourOf = new Map(labour.map((row) => [row.key, row]))
  return new Map(
    [...Map.groupBy(runs, ({ key }) => key)].map(([key, its]) => [
      key,
      {
        runs: its.map(({ printer_id: id, printer_name: name, model, seconds }) => ({
          printer: { id, name },
          model,
          seconds,
        })),
        spools: (spoolsOf.get(key) ?? []).map(({ material_id, type, name, milligrams }) => ({
          materialId: material_id,
          type,
          name,
          milligrams,
        })),
        unbooked: its.reduce((sum, { unbooked }) => sum + unbooked, 0),
        labourSeconds: labourOf.get(key)?.seconds ?? 0,
        untimedPlates: labourOf.get(key)?.untimed ?? 0,
      },
    ]),
  )
}

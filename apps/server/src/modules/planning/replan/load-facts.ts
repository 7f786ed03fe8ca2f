import type { Sql } from '../../../db/database.ts'
import type { AccountId, MaterialId, OrderId, SkuId } from '../../../kernel/ids.ts'
import { jobPriorities } from '../../jobs/job-priority.ts'
import { rememberModels } from '../../matching/farm-facts.ts'
import { isSlicedFor } from '../../matching/sliced-for.ts'
import type { BomFact, Demand, Facts, LiveOutput, OrderDemand, PinnedPeg, RecipeFact, Supply } from '../plan/facts.ts'
import { relatedSkus } from '../plan/related-skus.ts'
import type { SkuScope } from '../stored/sku-scope.ts'
import {
  type BomChild,
  type BomMaterial,
  listBomChildren,
  listBomMaterials,
  listFarmModels,
  listLiveOutputs,
  listMaterialStock,
  listMixedJobs,
  listMixedRecipes,
  listOpenAssemblies,
  listOpenLines,
  listOpenLinesOfOrder,
  listPins,
  listPlannedSkus,
  listRecipesBySku,
  type OpenLine,
  type OutputOfJob,
  type Pin,
  type PlannedSku,
  type RecipeOfSku,
} from './facts.queries.ts'

/** What connects the SKUs of an account, read once for a plan. */
interface FarmLinks {
  children: BomChild[]
  materials: BomMaterial[]
  /** SKUs that come from one plate, of a recipe or of a live job. */
  plates: SkuId[][]
}

export async function loadLinks(sql: Sql, accountId: AccountId): Promise<FarmLinks> {
  const [children, materials, recipes, jobs] = await Promise.all([
    listBomChildren(sql, accountId),
    listBomMaterials(sql, accountId),
    listMixedRecipes(sql, accountId),
    listMixedJobs(sql, accountId),
  ])
  return { children, materials, plates: [...recipes, ...jobs].map((row) => row.sku_ids) }
}

/** The SKUs whose plan a change of some of them may change, and that must be planned together. */
export function connectedSkus(
  skuIds: Iterable<SkuId>,
  { children, materials, plates }: FarmLinks,
  scarce: ReadonlySet<MaterialId>,
): SkuId[] {
  return [...relatedSkus(skuIds, { boms: bomFacts(children, materials), plates }, scarce)]
}

/** Everything that the plan of these SKUs depends on. `unmappedOf`: an order whose unmapped lines are wanted, too. */
export async function loadFacts(
  sql: Sql,
  accountId: AccountId,
  scope: SkuScope,
  { links, now, unmappedOf }: { links: FarmLinks; now: Date; unmappedOf?: OrderId },
): Promise<Facts> {
  const isWanted = isIn(scope)
  const boms = bomFacts(links.children, links.materials).filter(({ skuId }) => isWanted(skuId))
  const materialIds = [...new Set(boms.flatMap(({ materials }) => materials.map(({ materialId }) => materialId)))]
  const [lines, linesOfOrder, skus, outputs, assemblyTasks, recipes, models, materials, pins] = await Promise.all([
    listOpenLines(sql, accountId, scope),
    unmappedOf === undefined ? [] : listOpenLinesOfOrder(sql, accountId, unmappedOf),
    listPlannedSkus(sql, accountId, scope),
    listLiveOutputs(sql, accountId, scope),
    listOpenAssemblies(sql, accountId, scope),
    listRecipesBySku(sql, accountId, scope),
    listFarmModels(sql, accountId),
    listMaterialStock(sql, accountId, materialIds),
    listPins(sql, accountId, scope),
  ])
  const unmapped = linesOfOrder.filter((line) => line.product_sku_id === null)
  return {
    demands: [...[...lines, ...unmapped].map(orderDemand), ...skus.flatMap(restockDemand)],
    stock: skus.map((sku) => ({ skuId: sku.id, ready: sku.ready_stock, needsAssembly: sku.quantity_needs_assembly })),
    outputs: outputs.map((output) => liveOutput(output, now)),
    assemblyTasks,
    recipes: fitRecipes(recipes, models),
    boms,
    materials: materials.map(({ id, remaining }) => ({ materialId: id, units: Math.floor(remaining) })),
    pins: pins.map(pinnedPeg),
    blockedSkus: skus.filter((sku) => !sku.is_active).map((sku) => ({ skuId: sku.id, reason: 'sku_inactive' })),
  }
}

/** Answers whether a SKU is in the scope. */
export function isIn(scope: SkuScope): (skuId: SkuId) => boolean {
  if (scope === 'all') return () => true
  const skuIds = new Set(scope)
  return (skuId) => skuIds.has(skuId)
}

function bomFacts(children: readonly BomChild[], materials: readonly BomMaterial[]): BomFact[] {
  const facts = new Map<
    SkuId,
    { skuId: SkuId; children: BomFact['children'][number][]; materials: BomFact['materials'][number][] }
  >()
  const factOf = (skuId: SkuId) => {
    const fact = facts.get(skuId) ?? { skuId, children: [], materials: [] }
    facts.set(skuId, fact)
    return fact
  }
  for (const row of children)
    factOf(row.sku_id).children.push({ skuId: row.child_sku_id, units: row.quantity_required })
  for (const row of materials) {
    const kind = row.kind === 'packaging' ? ('packaging' as const) : ('component' as const)
    factOf(row.sku_id).materials.push({ materialId: row.material_id, kind, units: row.quantity_required })
  }
  return [...facts.values()]
}

function orderDemand(line: OpenLine): OrderDemand {
  return {
    kind: 'order_item',
    id: line.id,
    orderId: line.order_id,
    skuId: line.product_sku_id,
    units: line.units,
    shipByMs: line.ship_by?.getTime() ?? null,
    priority: jobPriorities.indexOf(line.priority),
    orderedAtMs: line.order_date.getTime(),
    isDedicated: line.is_dedicated,
  }
}

function restockDemand(sku: PlannedSku): Demand[] {
  if (sku.restock_to === null || sku.restock_point === null || !sku.is_active) return []
  return [{ kind: 'restock', id: sku.id, skuId: sku.id, units: sku.restock_to, restockPoint: sku.restock_point }]
}

/** A job that prints ends when its plates still to come have taken what they were sliced for; one that waits is not known. */
function liveOutput(output: OutputOfJob, now: Date): LiveOutput {
  const { status, plates_done: done, plates_total: total, estimated_print_time_minutes: minutes } = output
  const isKnown = minutes !== null && (status === 'printing' || status === 'processing')
  return {
    jobId: output.job_id,
    skuId: output.product_sku_id,
    units: Math.max(0, output.units),
    expectedAtMs: isKnown ? now.getTime() + (minutes * 60_000 * (total - done)) / total : null,
    dedicatedTo: output.order_item_id,
    isQueued: output.is_untouched,
  }
}

function recipeFact(recipe: RecipeOfSku): Omit<RecipeFact, 'unfitBecause'> {
  return {
    id: recipe.id,
    outputs: [
      { skuId: recipe.sku_id, units: recipe.units_per_plate },
      ...recipe.also_makes.map((output) => ({ skuId: output.product_sku_id, units: output.units })),
    ],
    rank: recipe.rank,
    plateSeconds: recipe.print_time_seconds,
  }
}

function fitRecipes(recipes: readonly RecipeOfSku[], models: readonly string[]): RecipeFact[] {
  const isSame = rememberModels()
  return recipes.map((recipe) => {
    const isFit = models.some((model) => isSlicedFor(model, recipe.printer_model, isSame))
    const why = recipe.printer_model === null ? 'the farm has no printer' : `no printer is a ${recipe.printer_model}`
    return { ...recipeFact(recipe), unfitBecause: isFit ? null : why }
  })
}

function pinnedPeg(pin: Pin): PinnedPeg {
  return {
    demandId: pin.order_item_id,
    skuId: pin.product_sku_id,
    // The two columns name one supply: the database checks the kind, and the writer its ID.
    supply: { kind: pin.supply_kind, id: pin.supply_id } as Supply,
    units: pin.units,
  }
}

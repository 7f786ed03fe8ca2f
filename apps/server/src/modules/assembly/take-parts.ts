import { AppError } from '../../kernel/errors.ts'
import type { AssemblyTaskId, MaterialId, OrderItemId, SkuId } from '../../kernel/ids.ts'
import { type Bom, componentsOf, loadBom } from '../catalogue/bom/bom.service.ts'
import { lockItemsOfSkus, moveStock, type StockLevels } from '../catalogue/inventory/stock-ledger.ts'
import type { Work } from '../events/work.ts'
import { moveMaterial } from '../materials/material-ledger.ts'
import { lockMaterials, type MaterialRow } from '../materials/materials.queries.ts'
import { listHeldFromAssembly } from '../planning/pegs/reserved.queries.ts'
import { needsOf, type Shortage, shortagesOf } from './kit-needs.ts'

/** The stock that an assembly moves, all of it locked. */
export interface LockedParts {
  bom: Bom
  /** By SKU: the assembled one and its children. */
  items: Map<SkuId, StockLevels>
  components: Map<MaterialId, MaterialRow>
  /** Units of children that the plan holds for lines of orders that want nothing of what is put together. */
  held: Map<SkuId, number>
}

/**
 * Locks the stock of a SKU and of all that its bill of materials takes: inventory items before materials, both in the order of
 * their IDs, as all who lock several of them do. So no one waits for one who waits for them.
 *
 * @param orderItemId the line that it is put together for; null for none
 */
export async function lockParts(
  { sql, accountId }: Work,
  skuId: SkuId,
  orderItemId: OrderItemId | null,
): Promise<LockedParts> {
  const bom = await loadBom(sql, accountId, skuId)
  const skuIds = [skuId, ...bom.children.map((child) => child.child_sku_id)]
  const items = await lockItemsOfSkus(sql, accountId, skuIds)
  const materialIds = needsOf(bom, 1).components.map(({ materialId }) => materialId)
  const components = await lockMaterials(sql, accountId, 'components', materialIds)
  return {
    bom,
    items: new Map(items.map((item) => [item.product_sku_id, item])),
    components: new Map(components.map((material) => [material.id, material])),
    held: await listHeldFromAssembly(sql, accountId, {
      skuIds: bom.children.map((child) => child.child_sku_id),
      assembledSkuId: skuId,
      orderItemId,
    }),
  }
}

/** Takes what some units are put together from: all of it, or INSUFFICIENT_FOR_KIT and nothing. */
export async function takeParts(work: Work, taskId: AssemblyTaskId, parts: LockedParts, units: number): Promise<void> {
  const needs = needsOf(parts.bom, units)
  refuseShortages(units, findShortages(parts, units))
  for (const { skuId, quantity } of needs.children) {
    const item = parts.items.get(skuId)
    if (!item) throw new Error(`SKU ${skuId} has no inventory item`)
    const movement = { stock: 'ready', reason: 'used_in_assembly', jobId: null, notes: '' } as const
    await moveStock(work, item, { ...movement, change: -quantity, assemblyTaskId: taskId })
  }
  for (const { materialId, quantity } of needs.components) {
    const material = parts.components.get(materialId)
    if (!material) throw new Error(`component ${materialId} is gone`)
    await moveMaterial(work, material, { reason: 'assembled', change: -quantity, assemblyTaskId: taskId })
  }
}

/** A bill that lost its lines since the task was made would make units of nothing. */
export function refuseEmptyBill({ bom }: LockedParts, units: number): void {
  if (bom.children.length > 0 || componentsOf(bom.materials).length > 0) return
  const shortages = 'nothing stands in its bill of materials any more'
  throw new AppError('INSUFFICIENT_FOR_KIT', { units: unitsText(units), shortages }, { details: { shortages: [] } })
}

const unitsText = (units: number) => (units === 1 ? '1 unit' : `${units} units`)

/** Answers what is missing for some units, by stock that is locked. */
function findShortages({ bom, items, components, held }: LockedParts, units: number): Shortage[] {
  return shortagesOf(needsOf(bom, units), {
    held,
    ready: new Map([...items].map(([skuId, item]) => [skuId, item.ready_stock])),
    remaining: new Map([...components].map(([id, material]) => [id, material.remaining])),
  })
}

/** The same by what a bill says that there is, with nothing locked. */
export function refuseUnbuildable(bom: Bom, units: number, held: ReadonlyMap<SkuId, number>): void {
  refuseShortages(
    units,
    shortagesOf(needsOf(bom, units), {
      held,
      ready: new Map(bom.children.map((child) => [child.child_sku_id, child.child_ready_stock])),
      remaining: new Map(bom.materials.map((line) => [line.material_id, line.remaining])),
    }),
  )
}

function describeShortage({ name, missing, held }: Shortage): string {
  return `${missing} × ${name} missing${held > 0 ? ` (${held} held for orders)` : ''}`
}

function refuseShortages(units: number, shortages: Shortage[]): void {
  if (shortages.length === 0) return
  const words = shortages.slice(0, 5).map(describeShortage)
  const more = shortages.length > 5 ? [`and ${shortages.length - 5} more`] : []
  throw new AppError(
    'INSUFFICIENT_FOR_KIT',
    { units: unitsText(units), shortages: [...words, ...more].join(', ') },
    { details: { shortages } },
  )
}

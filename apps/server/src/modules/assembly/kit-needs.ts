import type { MaterialId, SkuId } from '../../kernel/ids.ts'
import type { BomChild, BomMaterial } from '../catalogue/bom/bom.queries.ts'
import { componentsOf } from '../catalogue/bom/bom.service.ts'

/** What is missing of a line of a bill of materials. */
export interface Shortage {
  sku_id: SkuId | null
  inventory_item_id: MaterialId | null
  name: string
  required: number
  /** What may be taken: what is there, less what is held. */
  available: number
  missing: number
  /** Units that are there, and held for orders that want none of what is put together. */
  held: number
}

/** What some units take of SKUs and of components, by the lines of their bill. */
interface KitNeeds {
  children: { skuId: SkuId; name: string; quantity: number }[]
  components: { materialId: MaterialId; name: string; quantity: number }[]
}

export function needsOf(bom: { children: BomChild[]; materials: BomMaterial[] }, units: number): KitNeeds {
  return {
    children: bom.children.map((line) => ({
      skuId: line.child_sku_id,
      name: line.child_sku,
      quantity: line.quantity_required * units,
    })),
    components: componentsOf(bom.materials).map((line) => ({
      materialId: line.material_id,
      name: line.item_name,
      quantity: line.quantity_required * units,
    })),
  }
}

/** Answers what is missing of what is needed; stock below nothing is nothing, and what is held for others is not there. */
export function shortagesOf(
  { children, components }: KitNeeds,
  stock: {
    ready: ReadonlyMap<SkuId, number>
    held: ReadonlyMap<SkuId, number>
    remaining: ReadonlyMap<MaterialId, number>
  },
): Shortage[] {
  const lines = [
    ...children.map(({ skuId, name, quantity }) => {
      const ready = Math.max(0, stock.ready.get(skuId) ?? 0)
      const held = Math.min(ready, stock.held.get(skuId) ?? 0)
      return { sku_id: skuId, inventory_item_id: null, name, required: quantity, available: ready - held, held }
    }),
    ...components.map(({ materialId, name, quantity }) => ({
      sku_id: null,
      inventory_item_id: materialId,
      name,
      required: quantity,
      available: Math.max(0, stock.remaining.get(materialId) ?? 0),
      held: 0,
    })),
  ]
  return lines
    .filter(({ required, available }) => required > available)
    .map((line) => ({ ...line, missing: line.required - line.available }))
}

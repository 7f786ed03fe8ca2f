import type { MaterialId, ShipmentId, SkuId } from '../../../kernel/ids.ts'
import { listBomMaterials } from '../../catalogue/bom/bom.queries.ts'
import type { Work } from '../../events/work.ts'
import { moveMaterial } from '../../materials/material-ledger.ts'
import { lockMaterials } from '../../materials/materials.queries.ts'

/** Packaging that the units of a parcel need by the bills of their SKUs, and how much of it was there. */
export interface TakenPackaging {
  inventory_item_id: MaterialId
  item_name: string
  needed: number
  taken: number
}

/**
 * Takes the packaging of what is in a parcel: as much as there is. The rest is a shortage in the ledger, and holds the parcel up no
 * more than a box that was never counted. The stock of the SKUs is locked before, as all who lock both do.
 */
export async function takePackaging(
  work: Work,
  shipmentId: ShipmentId,
  shipped: readonly { skuId: SkuId; units: number }[],
): Promise<TakenPackaging[]> {
  const { sql, accountId } = work
  const lines = await listBomMaterials(sql, accountId, [...new Set(shipped.map(({ skuId }) => skuId))])
  const needs = new Map<MaterialId, number>()
  for (const { material_id, sku_id, quantity_required } of lines.filter(({ kind }) => kind === 'packaging')) {
    const units = shipped.reduce((sum, each) => (each.skuId === sku_id ? sum + each.units : sum), 0)
    needs.set(material_id, (needs.get(material_id) ?? 0) + units * quantity_required)
  }
  if (needs.size === 0) return []
  const packaging: TakenPackaging[] = []
  for (const material of await lockMaterials(sql, accountId, 'packaging', [...needs.keys()])) {
    const needed = needs.get(material.id) ?? 0
    const taken = Math.min(needed, material.remaining)
    await moveMaterial(work, material, { reason: 'shipped', change: -taken, shortage: needed - taken, shipmentId })
    packaging.push({ inventory_item_id: material.id, item_name: material.name, needed, taken })
  }
  return packaging
}

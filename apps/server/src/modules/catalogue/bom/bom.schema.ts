import Type, { type Static } from 'typebox'
import { answer, idOf, oneOf, request, resource } from '../../../http/schema.ts'
import type { BomChild, BomMaterial } from './bom.queries.ts'
import type { Bom } from './bom.service.ts'

/** Small enough that what any task takes of anything fits its ledger. */
const mostOfOne = 2_000
const mostLines = 100

const perUnit = Type.Integer({ minimum: 1, maximum: mostOfOne, description: 'Pieces that one unit takes' })

export const BomBody = request(
  {
    children: Type.Optional(
      Type.Array(
        request({
          child_sku_id: idOf('sku', 'Another SKU, which is in use and is not itself made of this one'),
          quantity_required: perUnit,
        }),
        { maxItems: mostLines, description: 'SKUs that it is put together from, each once; none when left out' },
      ),
    ),
    inventory: Type.Optional(
      Type.Array(
        request({
          inventory_item_id: idOf('material', 'ID of a component or of packaging'),
          quantity_required: perUnit,
        }),
        { maxItems: mostLines, description: 'Components and packaging, each once; none when left out' },
      ),
    ),
  },
  {
    minProperties: 1,
    examples: [
      {
        children: [{ child_sku_id: 'sku_01kaxq3v7m2e8h5t9w4c6y0b1d', quantity_required: 2 }],
        inventory: [{ inventory_item_id: 'mat_01kaxq3v7m2e8h5t9w4c6y0b1d', quantity_required: 4 }],
      },
    ],
  },
)
export type BomInput = Static<typeof BomBody>

export const SkuBom = resource('SkuBom', 'The bill of materials of a SKU: what one unit is put together from', {
  sku_id: Type.String({ description: 'The SKU' }),
  is_composite: Type.Boolean({ description: 'Whether it is put together from other SKUs' }),
  available_to_build: Type.Integer({
    description:
      'Units that the ready stock of its children and its components are enough for; packaging does not count',
  }),
  children: Type.Array(
    answer(
      {
        child_sku_id: Type.String({ description: 'The other SKU' }),
        quantity_required: Type.Integer({ description: 'Pieces that one unit takes' }),
        child_sku: Type.String({ description: 'Its code' }),
        child_color: Type.String({ description: 'Its colour; empty when unknown' }),
        child_is_composite: Type.Boolean({ description: 'Whether it is itself put together from other SKUs' }),
        child_ready_stock: Type.Integer({ description: 'Its ready stock' }),
      },
      { description: 'A SKU that it is put together from' },
    ),
    { description: 'SKUs that it is put together from, in their order' },
  ),
  inventory: Type.Array(
    answer(
      {
        inventory_item_id: Type.String({ description: 'ID of the component or packaging' }),
        quantity_required: Type.Integer({ description: 'Pieces that one unit takes' }),
        kind: oneOf(['components', 'packaging'], { description: 'Kind of material that it is listed under' }),
        item_name: Type.String({ description: 'Its name' }),
        remaining: Type.Integer({ description: 'Pieces in stock' }),
        unit: Type.String({ description: 'Unit of the quantity: pcs', examples: ['pcs'] }),
      },
      { description: 'A component, which assembly takes, or packaging, which shipping takes' },
    ),
    { description: 'Components and packaging, in their order' },
  ),
})

export function presentBom(bom: Bom): Static<typeof SkuBom> {
  return {
    sku_id: bom.sku_id,
    is_composite: bom.children.length > 0,
    available_to_build: bom.available_to_build,
    children: bom.children.map(presentChild),
    inventory: bom.materials.map(presentMaterialLine),
  }
}

function presentChild(child: BomChild) {
  return {
    child_sku_id: child.child_sku_id,
    quantity_required: child.quantity_required,
    child_sku: child.child_sku,
    child_color: child.child_color,
    child_is_composite: child.child_is_composite,
    child_ready_stock: child.child_ready_stock,
  }
}

function presentMaterialLine(line: BomMaterial) {
  return {
    inventory_item_id: line.material_id,
    quantity_required: line.quantity_required,
    kind: line.kind,
    item_name: line.item_name,
    remaining: line.remaining,
    unit: 'pcs',
  }
}

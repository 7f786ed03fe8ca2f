import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import {
  answer,
  hexCode,
  idOf,
  nullable,
  oneOf,
  request,
  resource,
  text,
  timestamp,
  wholeQuery,
} from '../../../http/schema.ts'
import type { Bom } from '../bom/bom.service.ts'
import { largestInteger, lowStockThreshold } from '../inventory/inventory.schema.ts'
import { effectiveStatus, stockStatuses } from '../inventory/stock-status.ts'
import type { RecipeRow } from '../recipes/recipes.queries.ts'
import type { SkuRow } from './skus.queries.ts'

const code = text(1, 100, 'Code of the SKU, unique in the account')
const color = text(0, 100, 'Colour; empty when unknown')
const filamentType = text(0, 50, 'Filament type such as PLA; empty when unknown')
const quantity = Type.Integer({ minimum: 1, maximum: largestInteger, description: 'Pieces in one unit of this SKU' })

export const NewSkuBody = request({
  product_id: idOf('product', 'The product that this is a variant of'),
  sku: code,
  color: Type.Optional(color),
  filament_type: Type.Optional(filamentType),
  hex_code: Type.Optional(hexCode('Colour')),
  quantity: Type.Optional(quantity),
  low_stock_threshold: Type.Optional(lowStockThreshold),
})
export type NewSku = Static<typeof NewSkuBody>

const restockPointText =
  'Restock point: the shelf is to be filled up when this many units or fewer are there and on their way'
const restockToText = 'Units that are then to be there'
const autoProduceText = 'Whether units missing on the shelf are queued automatically'
const restockLevel = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000, description })

export const SkuChangesBody = request(
  {
    sku: Type.Optional(code),
    color: Type.Optional(color),
    filament_type: Type.Optional(filamentType),
    hex_code: Type.Optional(hexCode('Colour')),
    quantity: Type.Optional(quantity),
    low_stock_threshold: Type.Optional(lowStockThreshold),
    is_active: Type.Optional(Type.Boolean({ description: 'Whether it is sold; its inventory item follows' })),
    restock_point: Type.Optional(
      nullable(restockLevel(`${restockPointText}; null together with restock_to: not restocked`)),
    ),
    restock_to: Type.Optional(nullable(restockLevel(`${restockToText}; more than restock_point`))),
    auto_produce: Type.Optional(Type.Boolean({ description: autoProduceText })),
  },
  { minProperties: 1 },
)
export type SkuChanges = Static<typeof SkuChangesBody>

export const SkusQuery = request({
  ...wholeQuery,
  product_id: Type.Optional(idOf('product', 'Only SKUs of this product')),
  color: Type.Optional(text(1, 100, 'Only SKUs of exactly this colour')),
  filament_type: Type.Optional(text(1, 50, 'Only SKUs of exactly this filament type')),
  low_stock: Type.Optional(
    Type.Boolean({ description: 'Only SKUs whose ready stock is at or below their threshold, or only all others' }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Only SKUs that are sold, or only those that are not' })),
  search: Type.Optional(text(1, 120, 'Part of the code or the colour, in any case')),
})
export type SkuFilter = PageFilter<Static<typeof SkusQuery>>

const skuProperties = {
  id: Type.String({ description: 'ID of the SKU' }),
  product_id: Type.String({ description: 'The product that this is a variant of' }),
  sku: Type.String({ description: 'Code of the SKU, unique in the account' }),
  color: Type.String({ description: 'Colour; empty when unknown' }),
  filament_type: Type.String({ description: 'Filament type such as PLA; empty when unknown' }),
  hex_code: Type.String({ description: 'Colour as # and six hexadecimal digits; empty when unknown' }),
  quantity: Type.Integer({ description: 'Pieces in one unit of this SKU' }),
  stock_level: Type.Integer({ description: 'Ready stock' }),
  low_stock_threshold: Type.Integer({ description: 'Ready stock at or below this counts as low' }),
  is_active: Type.Boolean({ description: 'Whether it is sold' }),
  is_composite: Type.Boolean({ description: 'Whether it is put together from other SKUs' }),
  created_at: timestamp('Time at which the SKU was created'),
  updated_at: timestamp('Time at which the SKU last changed; its stock has a time of its own'),
  finished_goods_stock: Type.Integer({ description: 'Ready stock, the same as stock_level' }),
}

export const Sku = resource('Sku', 'A SKU: one variant of a product, with its stock', skuProperties)

export function presentSku(sku: SkuRow): Static<typeof Sku> {
  return {
    id: sku.id,
    product_id: sku.product_id,
    sku: sku.sku,
    color: sku.color,
    filament_type: sku.filament_type,
    hex_code: sku.hex_code,
    quantity: sku.quantity,
    stock_level: sku.ready_stock,
    low_stock_threshold: sku.low_stock_threshold,
    is_active: sku.is_active,
    is_composite: sku.is_composite,
    created_at: sku.created_at.toISOString(),
    updated_at: sku.updated_at.toISOString(),
    finished_goods_stock: sku.ready_stock,
  }
}

export const RemovedSku = resource('RemovedSku', 'The SKU that is gone, or out of use', {
  id: Type.String({ description: 'ID of the SKU' }),
  deleted: Type.Boolean({ description: 'False when it stays out of use, because records name it' }),
})

export const SkuDetail = resource('SkuDetail', 'A SKU with how it is made: by its recipes, or of its parts', {
  ...Sku.properties,
  restock_point: nullable(Type.Integer({ description: `${restockPointText}; null: it is not restocked` })),
  restock_to: nullable(Type.Integer({ description: restockToText })),
  auto_produce: Type.Boolean({ description: autoProduceText }),
  available_to_build: Type.Integer({
    description:
      'Units that the ready stock of its children and its components are enough for; 0 when it has no children',
  }),
  effective_status: oneOf(stockStatuses, {
    description: 'Status of its stock, or needs_assembly where stock is short and units can be put together',
  }),
  recipes: Type.Array(
    answer({
      id: Type.String({ description: 'ID of the recipe' }),
      name: Type.String({ description: 'Name, for people' }),
      print_file_id: Type.String({ description: 'The print file' }),
      file_name: Type.String({ description: 'Name of the print file' }),
      printer_model: nullable(Type.String({ description: 'Model that the file is sliced for; null: any' })),
      units_per_plate: Type.Integer({ description: 'Units that one plate yields' }),
    }),
    { description: 'Recipes in use that serve it, the preferred one first' },
  ),
})

export function presentSkuDetail(
  sku: SkuRow,
  bom: Pick<Bom, 'available_to_build'>,
  recipes: readonly RecipeRow[],
): Static<typeof SkuDetail> {
  return {
    ...presentSku(sku),
    restock_point: sku.restock_point,
    restock_to: sku.restock_to,
    auto_produce: sku.auto_produce,
    available_to_build: bom.available_to_build,
    effective_status: effectiveStatus(sku.status, bom.available_to_build),
    recipes: recipes.map(({ id, name, print_file_id, file_name, printer_model, units_per_plate }) => ({
      id,
      name,
      print_file_id,
      file_name,
      printer_model,
      units_per_plate,
    })),
  }
}

import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import {
  idOf,
  nullable,
  oneOf,
  pageQuery,
  request,
  resource,
  text,
  timestamp,
  wholeLimit,
} from '../../../http/schema.ts'
import { imageUrl } from '../images/product-images.schema.ts'
import type { InventoryItemRow, MovementRow } from './inventory.queries.ts'
import type { AdjustedItem } from './inventory.service.ts'
import { adjustmentReasons, movementReasons, stocks } from './stock-ledger.ts'
import { stockStatus, stockStatuses } from './stock-status.ts'

/** The largest number that an `integer` column takes. */
export const largestInteger = 2_147_483_647

export const lowStockThreshold = Type.Integer({
  minimum: 0,
  maximum: largestInteger,
  description: 'Ready stock at or below this counts as low',
})

/** The largest page, and the page of one that is asked for by offset or cursor alone. */
export const mostItems = 500

export const InventoryQuery = request({
  limit: wholeLimit(mostItems, mostItems),
  offset: pageQuery.offset,
  cursor: pageQuery.cursor,
  low_stock: Type.Optional(
    Type.Boolean({ description: 'Only items whose ready stock is at or below their threshold, or only all others' }),
  ),
  product_sku_id: Type.Optional(idOf('sku', 'Only the item of this SKU')),
  is_active: Type.Optional(Type.Boolean({ description: 'Only items of SKUs that are sold, or only all others' })),
  sku: Type.Optional(text(1, 100, 'Only the item of the SKU with exactly this code')),
  material: Type.Optional(text(1, 50, 'Only items of exactly this filament type')),
  status: Type.Optional(oneOf(stockStatuses, { description: 'Only items with this status' })),
})
export type InventoryFilter = PageFilter<Static<typeof InventoryQuery>>

export const ThresholdBody = request({ low_stock_threshold: lowStockThreshold })

export const AdjustmentBody = request({
  adjustment: Type.Integer({
    minimum: -largestInteger,
    maximum: largestInteger,
    description: 'Units to add to the ready stock, or to take off it when negative; not 0',
  }),
  reason: oneOf(adjustmentReasons, { default: 'manual', description: 'Why the stock changes' }),
  notes: Type.Optional(text(0, 1000, 'For people: what happened')),
})
export type Adjustment = Static<typeof AdjustmentBody>

export const InventoryItem = resource('InventoryItem', 'The stock of one SKU', {
  id: Type.String({ description: 'ID of the inventory item' }),
  product_sku_id: Type.String({ description: 'The SKU whose stock this is' }),
  sku: Type.String({ description: 'Code of the SKU' }),
  color: Type.String({ description: 'Colour of the SKU; empty when unknown' }),
  material: Type.String({ description: 'Filament type of the SKU; empty when unknown' }),
  ready_stock: Type.Integer({ description: 'Units that can be shipped as they are' }),
  low_stock_threshold: Type.Integer({ description: 'Ready stock at or below this counts as low' }),
  status: oneOf(stockStatuses, {
    description:
      'out_of_stock: nothing there; needs_assembly: units wait for assembly; low_stock: at or below the threshold; else in_stock',
  }),
  image_url: Type.String({ description: 'Address of the first image of the product; empty when there is none' }),
  is_active: Type.Boolean({ description: 'False when the SKU is no longer sold; it then raises no alerts' }),
  created_at: timestamp('When the item was created'),
  updated_at: timestamp('When its stock, threshold or state last changed'),
})

export const StockAdjustment = resource(
  'StockAdjustment',
  'An inventory item after a correction, and what it changed',
  {
    ...InventoryItem.properties,
    previous_stock: Type.Integer({ description: 'Ready stock before' }),
    adjustment: Type.Integer({ description: 'Units added, or taken off when negative' }),
    new_stock: Type.Integer({ description: 'Ready stock after; the same as ready_stock' }),
    previous_status: oneOf(stockStatuses, { description: 'Status before' }),
    new_status: oneOf(stockStatuses, { description: 'Status after; the same as status' }),
    is_low_stock: Type.Boolean({ description: 'Whether the ready stock is now at or below the threshold' }),
    reason: oneOf(adjustmentReasons, { description: 'Why the stock changed' }),
  },
)

export const StockMovement = resource('StockMovement', 'One change of a stock', {
  id: Type.String({ description: 'ID of the movement' }),
  stock: oneOf(stocks, { description: 'Which quantity moved: units that are ready, or that wait for assembly' }),
  reason: oneOf(movementReasons, { description: 'Why the stock changed' }),
  change: Type.Integer({ description: 'Units added, or taken off when negative' }),
  quantity_before: Type.Integer({ description: 'The quantity before' }),
  quantity_after: Type.Integer({ description: 'The quantity after: before plus change' }),
  job_id: nullable(Type.String({ description: 'The job that made the units' })),
  order_id: nullable(Type.String({ description: 'The order for which the units left' })),
  notes: Type.String({ description: 'What a person wrote about it; empty for none' }),
  actor: Type.String({ description: 'Who changed the stock: `key:` or `hub:` and an ID, or `system`' }),
  created_at: timestamp('When the stock changed'),
})

/** `baseUrl` is where the service is reached. */
export function presentItem(item: InventoryItemRow, baseUrl: string): Static<typeof InventoryItem> {
  return {
    id: item.id,
    product_sku_id: item.product_sku_id,
    sku: item.sku,
    color: item.color,
    material: item.material,
    ready_stock: item.ready_stock,
    low_stock_threshold: item.low_stock_threshold,
    status: item.status,
    image_url: item.image_token === null ? '' : imageUrl(item.image_token, baseUrl),
    is_active: item.is_active,
    created_at: item.created_at.toISOString(),
    updated_at: item.updated_at.toISOString(),
  }
}

export function presentAdjustment(
  { item, before, adjustment, reason }: AdjustedItem,
  baseUrl: string,
): Static<typeof StockAdjustment> {
  return {
    ...presentItem(item, baseUrl),
    previous_stock: before.ready_stock,
    adjustment,
    new_stock: item.ready_stock,
    previous_status: stockStatus(before),
    new_status: item.status,
    is_low_stock: item.ready_stock <= item.low_stock_threshold,
    reason,
  }
}

export function presentMovement(movement: MovementRow): Static<typeof StockMovement> {
  return {
    id: movement.id,
    stock: movement.stock,
    reason: movement.reason,
    change: movement.change,
    quantity_before: movement.quantity_before,
    quantity_after: movement.quantity_after,
    job_id: movement.job_id,
    order_id: movement.order_id,
    notes: movement.notes,
    actor: movement.actor,
    created_at: movement.created_at.toISOString(),
  }
}

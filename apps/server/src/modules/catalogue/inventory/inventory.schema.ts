import Type, { type Static } from 'typebox'
import type { PageFilter } from '../../../db/page-bounds.ts'
import {
  answer,
  clearableText,
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
import { actorName } from '../../events/events.schema.ts'
import type { RecordName } from '../../events/record-names.queries.ts'
import type { Bom } from '../bom/bom.service.ts'
import { imageUrl } from '../images/product-images.schema.ts'
import type { AlertRow, AroundItem, InventoryCounts, InventoryItemRow, MovementRow } from './inventory.queries.ts'
import type { AdjustedItem } from './inventory.service.ts'
import { adjustmentReasons, movementReasons, stocks } from './stock-ledger.ts'
import { effectiveStatus, stockStatus, stockStatuses } from './stock-status.ts'

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
  search: Type.Optional(text(1, 120, 'Part of the code or the colour of the SKU, in any case')),
  bin: Type.Optional(text(1, 100, 'Only items whose bin begins so, in any case')),
})
export type InventoryFilter = PageFilter<Static<typeof InventoryQuery>>

export const ThresholdBody = request({ low_stock_threshold: lowStockThreshold })

export const AdjustmentBody = request({
  adjustment: Type.Integer({
    minimum: -largestInteger,
    maximum: largestInteger,
    description: 'Units to add to the ready stock, or to take off it when negative; not 0',
  }),
  reason: oneOf(adjustmentReasons, { default: 'manual', description: 'Reason of the change' }),
  notes: Type.Optional(text(0, 1000, 'Note for people on the change')),
})
export type Adjustment = Static<typeof AdjustmentBody>

const itemImage = clearableText(
  2_000,
  'Address of an image of its own (http or https); null or empty: the first image of the product',
  { pattern: '^(https?://[^\\s]+)?$' },
)

export const NewItemBody = request({
  product_sku_id: idOf('sku', 'The SKU whose item was taken out of use'),
  ready_stock: Type.Integer({
    minimum: 0,
    maximum: largestInteger,
    default: 0,
    description: 'Counted units; the difference is booked as a count',
  }),
  low_stock_threshold: { ...lowStockThreshold, default: 5 },
  image_url: Type.Optional(itemImage),
})
export type NewItem = Static<typeof NewItemBody>

export const ItemChangesBody = request(
  {
    image_url: Type.Optional(itemImage),
    is_active: Type.Optional(Type.Boolean({ description: 'Whether it raises alerts and is counted' })),
    low_stock_threshold: Type.Optional(lowStockThreshold),
    bin: Type.Optional(clearableText(100, 'Bin: the name of a shelf or box; null or empty: not known')),
    assembly_status: Type.Optional(
      oneOf(['printed', 'needs_assembly', 'assembled'], {
        description: 'Accepted and ignored: units that wait for assembly are known by their quantity',
      }),
    ),
  },
  { minProperties: 1 },
)
export type ItemChanges = Static<typeof ItemChangesBody>

export const InventoryItem = resource('InventoryItem', 'The stock of one SKU', {
  id: Type.String({ description: 'ID of the inventory item' }),
  product_sku_id: Type.String({ description: 'The SKU whose stock this is' }),
  sku: Type.String({ description: 'Code of the SKU' }),
  color: Type.String({ description: 'Colour of the SKU; empty when unknown' }),
  material: Type.String({ description: 'Filament type of the SKU; empty when unknown' }),
  ready_stock: Type.Integer({ description: 'Units that can be shipped' }),
  low_stock_threshold: Type.Integer({ description: 'Ready stock at or below this counts as low' }),
  status: oneOf(stockStatuses, {
    description:
      'out_of_stock: nothing there; needs_assembly: units wait for assembly; low_stock: at or below the threshold; else in_stock',
  }),
  image_url: Type.String({
    description: 'Address of its own image, or else of the first image of the product; empty when there is none',
  }),
  is_active: Type.Boolean({ description: 'False when the SKU is no longer sold; it then raises no alerts' }),
  created_at: timestamp('Time at which the item was created'),
  updated_at: timestamp('Time at which its stock, threshold or state last changed'),
})

/** The same with what is ours: what of it is spoken for. */
export const StockedItem = resource('StockedItem', 'The stock of one SKU, and the units of it that orders hold', {
  ...InventoryItem.properties,
  reserved: Type.Integer({
    description: 'Units of ready_stock that orders hold by the plan, as they are or as parts',
  }),
  available: Type.Integer({ description: 'Ready units that a new order would find: ready_stock less reserved' }),
  bin: Type.String({
    description: 'Bin: the name of a shelf or box; empty when not known',
    examples: ['A-03'],
  }),
})

export const StockAdjustment = resource('StockAdjustment', 'An inventory item after a correction, and the change', {
  ...StockedItem.properties,
  previous_stock: Type.Integer({ description: 'Ready stock before' }),
  adjustment: Type.Integer({ description: 'Units added, or taken off when negative' }),
  new_stock: Type.Integer({ description: 'Ready stock after; the same as ready_stock' }),
  previous_status: oneOf(stockStatuses, { description: 'Status before' }),
  new_status: oneOf(stockStatuses, { description: 'Status after; the same as status' }),
  reserved_missing: Type.Integer({
    description: 'Units that orders held and that are gone: they are to be made again; 0 for none',
  }),
  is_low_stock: Type.Boolean({ description: 'Whether the ready stock is now at or below the threshold' }),
  reason: oneOf(adjustmentReasons, { description: 'Reason of the change' }),
})

export const StockMovement = resource('StockMovement', 'One change of a stock', {
  id: Type.String({ description: 'ID of the movement' }),
  stock: oneOf(stocks, { description: 'Quantity that moved: units that are ready, or that wait for assembly' }),
  reason: oneOf(movementReasons, { description: 'Reason of the change' }),
  change: Type.Integer({ description: 'Units added, or taken off when negative' }),
  quantity_before: Type.Integer({ description: 'The quantity before' }),
  quantity_after: Type.Integer({ description: 'The quantity after: before plus change' }),
  job_id: nullable(Type.String({ description: 'The job that made the units' })),
  job_name: nullable(
    Type.String({
      description: 'Name of the product that the job printed, else of its file',
      examples: ['Shelf bracket'],
    }),
  ),
  order_id: nullable(Type.String({ description: 'The order for which the units left' })),
  order_number: nullable(Type.String({ description: 'Its number' })),
  assembly_task_id: nullable(Type.String({ description: 'The assembly that made or took the units' })),
  notes: Type.String({ description: 'Notes of a person; empty for none' }),
  actor: Type.String({ description: 'Actor that changed the stock: `user:`, `key:` or `hub:` and an ID, or `system`' }),
  actor_name: actorName,
  happened_at: nullable(
    timestamp(
      'Time at which the print that made the units ended, where the service learned of that later: its hub was away; null otherwise',
    ),
  ),
  created_at: timestamp('Time of the change in the ledger'),
})

export const InventoryItemDetail = resource(
  'InventoryItemDetail',
  'The stock of one SKU, and the units that can be built of it',
  {
    ...StockedItem.properties,
    product_id: Type.String({ description: 'The product of the SKU' }),
    product_name: Type.String({ description: 'Its name' }),
    is_composite: Type.Boolean({ description: 'Whether the SKU is put together from other SKUs' }),
    available_to_build: Type.Integer({
      description:
        'Units that the ready stock of its children and its components are enough for; 0 when it has no children',
    }),
    effective_status: oneOf(stockStatuses, {
      description: 'Its status, or needs_assembly where stock is short and units can be put together',
    }),
    parts_on_hand: Type.Array(
      answer(
        {
          part_sku_id: Type.String({ description: 'The SKU that is a part of it' }),
          part_name: Type.String({ description: 'Name of its product and its code' }),
          color: Type.String({ description: 'Its colour; empty when unknown' }),
          on_hand: Type.Integer({ description: 'Its ready stock' }),
          quantity_per_kit: Type.Integer({ description: 'Pieces that one unit takes' }),
          enough_for_one_kit: Type.Boolean({ description: 'Whether the stock is enough for one kit' }),
        },
        { description: 'A SKU that it is put together from' },
      ),
      { description: 'The children of its SKU in their order; empty when it has none' },
    ),
  },
)

export const InventoryAlert = resource('InventoryAlert', 'An inventory item that is short', {
  ...StockedItem.properties,
  product_name: Type.String({ description: 'Name of its product' }),
})

export const DeletedItem = resource('DeletedInventoryItem', 'The inventory item that is out of use', {
  id: Type.String({ description: 'ID of the item' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

const counted = (description: string) => Type.Integer({ minimum: 0, description })

export const InventoryStats = resource('InventoryStats', 'Active inventory items, counted', {
  total_items: counted('Active items'),
  total_ready: Type.Integer({ description: 'Ready units of all of them' }),
  total_needs_assembly: Type.Integer({ description: 'Units that wait for assembly' }),
  by_status: answer(
    {
      in_stock: counted('Items in stock'),
      low_stock: counted('Items at or below their threshold'),
      out_of_stock: counted('Items without stock'),
      needs_assembly: counted('Items whose units wait for assembly'),
    },
    { description: 'Active items by status' },
  ),
})

/** Most alerts to answer: those after it are no more urgent. */
export const mostAlerts = 500

function imageOf(item: Pick<InventoryItemRow, 'image_url' | 'image_token'>, baseUrl: string): string {
  if (item.image_url !== '') return item.image_url
  return item.image_token === null ? '' : imageUrl(item.image_token, baseUrl)
}

export function presentItemDetail(
  item: InventoryItemRow,
  { product_id, product_name }: AroundItem,
  bom: Bom,
  baseUrl: string,
): Static<typeof InventoryItemDetail> {
  return {
    ...presentStocked(item, baseUrl),
    product_id,
    product_name,
    is_composite: bom.children.length > 0,
    available_to_build: bom.available_to_build,
    effective_status: effectiveStatus(item.status, bom.available_to_build),
    parts_on_hand: bom.children.map((child) => ({
      part_sku_id: child.child_sku_id,
      part_name: `${child.child_product_name} ${child.child_sku}`,
      color: child.child_color,
      on_hand: child.child_ready_stock,
      quantity_per_kit: child.quantity_required,
      enough_for_one_kit: child.child_ready_stock >= child.quantity_required,
    })),
  }
}

export function presentAlert(item: AlertRow, baseUrl: string): Static<typeof InventoryAlert> {
  return { ...presentStocked(item, baseUrl), product_name: item.product_name }
}

export function presentInventoryStats(counts: InventoryCounts): Static<typeof InventoryStats> {
  const { total_items, total_ready, total_needs_assembly, ...by_status } = counts
  return { total_items, total_ready, total_needs_assembly, by_status }
}

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
    image_url: imageOf(item, baseUrl),
    is_active: item.is_active,
    created_at: item.created_at.toISOString(),
    updated_at: item.updated_at.toISOString(),
  }
}

/** Units that are there: what was rejected after it was sold leaves the stock below nothing. */
const unitsThere = ({ ready_stock }: InventoryItemRow) => Math.max(0, ready_stock)

export function presentStocked(item: InventoryItemRow, baseUrl: string): Static<typeof StockedItem> {
  return {
    ...presentItem(item, baseUrl),
    reserved: Math.min(item.reserved, unitsThere(item)),
    available: Math.max(0, item.ready_stock - item.reserved),
    bin: item.bin,
  }
}

export function presentAdjustment(
  { item, before, adjustment, reason }: AdjustedItem,
  baseUrl: string,
): Static<typeof StockAdjustment> {
  return {
    ...presentStocked(item, baseUrl),
    previous_stock: before.ready_stock,
    adjustment,
    new_stock: item.ready_stock,
    previous_status: stockStatus(before),
    new_status: item.status,
    reserved_missing: Math.max(0, item.reserved - unitsThere(item)),
    is_low_stock: item.ready_stock <= item.low_stock_threshold,
    reason,
  }
}

/**
 * @param actors names of those who did it, by `actor`
 * @param records names of jobs and orders by their IDs
 */
export function presentMovement(
  movement: MovementRow,
  actors: ReadonlyMap<string, string>,
  records: ReadonlyMap<string, RecordName>,
): Static<typeof StockMovement> {
  const nameOf = (id: string | null) => records.get(id ?? '')?.name ?? null
  return {
    id: movement.id,
    stock: movement.stock,
    reason: movement.reason,
    change: movement.change,
    quantity_before: movement.quantity_before,
    quantity_after: movement.quantity_after,
    job_id: movement.job_id,
    job_name: nameOf(movement.job_id),
    order_id: movement.order_id,
    order_number: nameOf(movement.order_id),
    assembly_task_id: movement.assembly_task_id,
    notes: movement.notes,
    actor: movement.actor,
    actor_name: actors.get(movement.actor) ?? null,
    happened_at: movement.happened_at?.toISOString() ?? null,
    created_at: movement.created_at.toISOString(),
  }
}

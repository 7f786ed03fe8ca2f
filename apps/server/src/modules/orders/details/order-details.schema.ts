import Type, { type Static } from 'typebox'
import { answer, nullable, oneOf, resource, timestamp } from '../../../http/schema.ts'
import type { PromiseRow } from '../../promises/shown/promise.queries.ts'
import { OrderPromise, presentPromise } from '../../promises/shown/promise.schema.ts'
import { platforms } from '../listings/platforms.ts'
import type { OrderItemRow, OrderWithItems } from '../orders.queries.ts'
import { ownProperties, presentOwn } from '../orders.schema.ts'
import { itemStatuses, orderStatuses } from '../state/order-status.ts'

const itemStates = ['mapped', 'unmapped'] as const

const DetailedItem = resource('OrderItemDetails', 'A line of an order, as its shop tells it and as it is made', {
  id: Type.String({ description: 'ID of the order item' }),
  state: oneOf(itemStates, { description: 'unmapped: without a SKU of the account yet' }),
  product_sku_id: nullable(Type.String({ description: 'The SKU that it is mapped to; null while it is unmapped' })),
  sku: Type.String({ description: "Code of the SKU; the seller's code while the line is unmapped" }),
  product_name: Type.String({ description: 'Name in the shop, or else the name of the product' }),
  seller_sku: Type.String({ description: "The seller's code in the shop; empty where the line names its SKU by ID" }),
  listing_id: Type.String({ description: 'ID or title of the listing; empty when it is not known' }),
  variation: Type.String({ description: 'Variation of the listing; empty for none' }),
  listing_map_id: nullable(
    Type.String({
      description: 'The mapping that decided on its SKU; null for none',
      examples: ['lmp_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  quantity: Type.Integer({ description: 'Ordered quantity, as the price counts it' }),
  pack_size: Type.Integer({ description: 'Units of the SKU in one of the quantity' }),
  units: Type.Integer({ description: 'Units of the SKU to be shipped: quantity × pack size' }),
  units_fulfilled: Type.Integer({ description: 'Units for which ready stock was taken' }),
  fulfillment_status: oneOf(itemStatuses, { description: 'Fulfilment status of the line' }),
  personalisation: Type.Array(
    answer({
      name: Type.String({ description: 'Name of the personalisation', examples: ['Name to engrave'] }),
      value: Type.String({ description: 'Message of the customer', examples: ['Ann'] }),
    }),
    { description: 'Personalisation of this piece; empty for none, or erased', 'x-pii': true },
  ),
  notes: Type.String({ description: 'Note for people; empty for none, or erased', 'x-pii': true }),
})

export const OrderDetails = resource('OrderDetails', 'An order as the farm handles it', {
  id: Type.String({ description: 'ID of the order' }),
  order_number: Type.String({ description: 'Number of the order, unique in its shop' }),
  platform: oneOf(platforms, { description: 'Platform on which the order was placed' }),
  ...ownProperties,
  external_id: Type.String({ description: 'ID of the order on its platform; empty for none' }),
  order_date: timestamp('Date of the order'),
  status: oneOf(orderStatuses, { description: 'Status of the order' }),
  updated_at: timestamp('Time at which the order or one of its items last changed'),
  promise: OrderPromise,
  items: Type.Array(DetailedItem, { description: 'The lines of the order, as they were given' }),
})

/** `accountCurrency` is that of orders from before the account named one. */
export function presentDetails(
  order: OrderWithItems,
  { accountCurrency, promise }: { accountCurrency: string; promise: PromiseRow | undefined },
): Static<typeof OrderDetails> {
  return {
    id: order.id,
    order_number: order.order_number,
    platform: order.platform,
    ...presentOwn(order, accountCurrency),
    external_id: order.external_id,
    order_date: order.order_date.toISOString(),
    status: order.status,
    updated_at: order.updated_at.toISOString(),
    promise: presentPromise(promise, order.ship_by),
    items: order.items.map(presentItem),
  }
}

function presentItem(item: OrderItemRow): Static<typeof DetailedItem> {
  return {
    id: item.id,
    state: item.product_sku_id === null ? 'unmapped' : 'mapped',
    product_sku_id: item.product_sku_id,
    sku: item.sku,
    product_name: item.product_name,
    seller_sku: item.seller_sku,
    listing_id: item.listing_id,
    variation: item.variation,
    listing_map_id: item.mapped_by,
    quantity: item.quantity,
    pack_size: item.pack_size,

    units: item.quantity * item.pack_size,
    units_fulfilled: item.quantity_fulfilled * item.pack_size,
    fulfillment_status: item.fulfillment_status,
    personalisation: item.personalisation,
    notes: item.notes,
  }
}

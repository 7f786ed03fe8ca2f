import Type, { type Static } from 'typebox'
import {
  answer,
  idOf,
  nullable,
  oneOf,
  optionalRequest,
  request,
  resource,
  text,
  timestamp,
} from '../../../http/schema.ts'
import type { OrderId } from '../../../kernel/ids.ts'
import { Order, presentOrder, trackingFields } from '../orders.schema.ts'
import { itemStatuses } from '../state/order-status.ts'
import type { CancelledOrder } from './cancel-order.ts'
import type { Fulfilment as FulfilmentResult } from './fulfil-order.ts'
import type { Returned } from './return-items.ts'
import type { OrderReturn, Shipment as ShipmentRow } from './shipments.queries.ts'

const dispositions = ['restock', 'scrap', 'remake'] as const

const itemId = idOf('orderItem', 'The line of the order')
const mostReturned = 100_000

export const FulfillBody = optionalRequest({
  ...trackingFields,
  carrier: Type.Optional(text(0, 100, 'Carrier of the parcel')),
  packed_by: Type.Optional(
    idOf('user', 'The member who packed the parcel; default: who is signed in, and none for a key'),
  ),
  items: Type.Optional(
    Type.Array(
      request({
        item_id: itemId,
        quantity: Type.Integer({
          minimum: 1,
          maximum: mostReturned,
          description: 'Largest part of the quantity of the line to take',
        }),
      }),
      { minItems: 1, maxItems: 500, description: 'Lines of the parcel; default: all that is open and in stock' },
    ),
  ),
  notify_customer: Type.Optional(
    Type.Boolean({ description: 'Taken and without effect: this service writes to no customers' }),
  ),
})
export type Fulfill = Static<typeof FulfillBody>

const FulfilledLine = resource('FulfilledLine', 'Units taken from stock for one item', {
  order_item_id: Type.String({ description: 'The order item' }),
  product_sku_id: Type.String({ description: 'Its SKU; empty while the item is unmapped' }),
  sku: Type.String({ description: 'Code of the SKU when it was ordered' }),
  needed: Type.Integer({ description: 'Units that were open before, or asked for' }),
  taken: Type.Integer({ description: 'Units of ready stock taken now' }),
  missing: Type.Integer({ description: 'Units still wanted: needed less taken' }),
  fulfillment_status: oneOf(itemStatuses, { description: 'Status of the item afterwards' }),
})

export const Fulfilment = resource(
  'Fulfilment',
  'An order after stock was taken for it, and the units taken for each item',
  {
    ...Order.properties,
    fulfillment_errors: Type.Array(Type.String({ description: 'Reason why a line is still open' }), {
      description:
        'A sentence for each line with units that are still open; empty when all was taken. That of a composite SKU ends with KIT_NOT_ASSEMBLED when its parts are there, or else with KIT_NOT_PRODUCED',
    }),
    shipment_id: Type.String({
      description: 'The parcel of the units that were taken',
      examples: ['shp_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
    packaging: Type.Array(
      resource('TakenPackaging', 'Packaging that a parcel takes by the bills of its SKUs', {
        inventory_item_id: Type.String({ description: 'ID of the packaging' }),
        item_name: Type.String({ description: 'Its name' }),
        needed: Type.Integer({ description: 'Pieces that the contents of the parcel need' }),
        taken: Type.Integer({ description: 'Pieces taken off what remains' }),
        missing: Type.Integer({
          description: 'Pieces that were not there: needed less taken. The parcel leaves without',
        }),
      }),
      { description: 'Packaging of the parcel; empty when the bills of its SKUs name none' },
    ),
    order: Order,
    lines: Type.Array(FulfilledLine, { description: 'Result for each line that was open' }),
  },
)

const Shipment = resource('Shipment', 'A parcel of an order', {
  id: Type.String({ description: 'ID of the shipment', examples: ['shp_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  order_id: Type.String({ description: 'The order' }),
  carrier: Type.String({ description: 'Carrier; empty when not known', examples: ['UPS'] }),
  tracking_number: Type.String({ description: 'Number of the parcel with its carrier; empty for none', 'x-pii': true }),
  tracking_url: Type.String({ description: 'Page of the carrier that follows it; empty for none', 'x-pii': true }),
  packed_by: nullable(
    Type.String({
      description: 'ID of the member who packed it; null when not known',
      examples: ['usr_01kaxq3v7m2e8h5t9w4c6y0b1d'],
    }),
  ),
  shipped_at: timestamp('Time at which its units were taken from stock'),
  items: Type.Array(
    answer({
      item_id: Type.String({ description: 'The line of the order', examples: ['itm_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
      quantity: Type.Integer({ description: 'Part of the quantity of the line that is in the parcel' }),
      units: Type.Integer({ description: 'Units of the SKU that these are' }),
    }),
    { description: 'Contents of the parcel' },
  ),
})

export const Shipments = Type.Array(Shipment, { description: 'The parcels of the order, the first one first' })

export const ReturnBody = request({
  items: Type.Array(
    request({
      item_id: itemId,
      quantity: Type.Integer({
        minimum: 1,
        maximum: mostReturned,
        description: 'Part of the quantity of the line that came back',
      }),
      disposition: oneOf(dispositions, {
        description:
          'restock: back into ready stock; scrap: no longer usable; remake: no longer usable, and the line is reopened for as many units',
      }),
      notes: Type.Optional(
        Type.String({ maxLength: 500, description: 'Note for people; erased with the customer', 'x-pii': true }),
      ),
    }),
    { minItems: 1, maxItems: 500, description: 'Returned units' },
  ),
})
export type ReturnedItems = Static<typeof ReturnBody>['items']

const OrderReturnAnswer = resource('OrderReturn', 'Returned units of a line of an order', {
  id: Type.String({ description: 'ID of the return', examples: ['ret_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  order_id: Type.String({ description: 'The order' }),
  item_id: Type.String({ description: 'The line', examples: ['itm_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  quantity: Type.Integer({ description: 'Part of the quantity of the line that came back' }),
  units: Type.Integer({ description: 'Units of the SKU that these are' }),
  disposition: oneOf(dispositions, { description: 'Disposition of the units' }),
  notes: Type.String({ description: 'Note for people; empty for none, or erased', 'x-pii': true }),
  actor: Type.String({ description: 'Actor that booked it: key:… or user:…' }),
  created_at: timestamp('Time at which it was booked'),
})

export const Returns = Type.Array(OrderReturnAnswer, { description: 'Returns of the order, the first one first' })

export const ReturnedOrder = resource('ReturnedOrder', 'An order after units of it came back', {
  order: Order,
  returns: Returns,
})

const flow = {
  order_item_id: Type.String({ description: 'The order item' }),
  sku: Type.String({ description: 'Code of its SKU' }),
  units: Type.Integer({ description: 'Units that were ordered' }),
  shipped: Type.Integer({ description: 'Units that left and did not come back' }),
  returned: Type.Integer({ description: 'Units that left and came back' }),
  cancelled: Type.Integer({ description: 'Units for which none were taken, or that were to be made again' }),
}

export const CancelledOrderAnswer = resource('CancelledOrder', 'An order after it was cancelled', {
  ...Order.properties,
  lines: Type.Array(resource('CancelledLine', 'Outcome of the units of a line', flow), {
    description: 'Outcome of the units of each line',
  }),
})

export function presentFulfilment({
  order,
  lines,
  shipmentId,
  packaging,
}: FulfilmentResult): Static<typeof Fulfilment> {
  return {
    ...presentOrder(order),
    fulfillment_errors: lines.filter(({ needed, taken }) => taken < needed).map(reasonOf),
    shipment_id: shipmentId,
    packaging: packaging.map((each) => ({ ...each, missing: each.needed - each.taken })),
    order: presentOrder(order),
    lines: lines.map(({ item, needed, taken, fulfillment_status }) => ({
      order_item_id: item.id,
      product_sku_id: item.product_sku_id ?? '',
      sku: item.sku,
      needed,
      taken,
      missing: needed - taken,
      fulfillment_status,
    })),
  }
}

function reasonOf({ item, needed, taken, kitProblem }: FulfilmentResult['lines'][number]): string {
  if (item.product_sku_id === null) return `${item.sku || item.product_name}: is mapped to no SKU`
  const sentence = `${item.sku}: ${needed - taken} of ${needed} units are not in stock`
  return kitProblem === undefined ? sentence : `${sentence} (${kitProblem})`
}

export function presentShipment(shipment: ShipmentRow): Static<typeof Shipment> {
  return {
    id: shipment.id,
    order_id: shipment.order_id,
    carrier: shipment.carrier,
    tracking_number: shipment.tracking_number,
    tracking_url: shipment.tracking_url,
    packed_by: shipment.packed_by,
    shipped_at: shipment.shipped_at.toISOString(),
    items: shipment.items.map(({ order_item_id, quantity, units }) => ({ item_id: order_item_id, quantity, units })),
  }
}

export function presentReturn(orderId: OrderId, row: OrderReturn): Static<typeof OrderReturnAnswer> {
  return {
    id: row.id,
    order_id: orderId,
    item_id: row.order_item_id,
    quantity: row.quantity,
    units: row.units,
    disposition: row.disposition,
    notes: row.notes,
    actor: row.actor,
    created_at: row.created_at.toISOString(),
  }
}

export function presentReturned({ order, returns }: Returned): Static<typeof ReturnedOrder> {
  return { order: presentOrder(order), returns: returns.map((row) => presentReturn(order.id, row)) }
}

export function presentCancelled({ order, lines }: CancelledOrder): Static<typeof CancelledOrderAnswer> {
  return { ...presentOrder(order), lines }
}

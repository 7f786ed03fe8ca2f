import Type, { type Static, type TSchema } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import {
  answer,
  idOf,
  nullable,
  oneOf,
  optionalRequest,
  pageEnvelope,
  pageQuery,
  request,
  requiredUnless,
  resource,
  text,
  timestamp,
} from '../../http/schema.ts'
import type { Fulfilment as FulfilmentResult } from './fulfil-order.ts'
import { itemStatuses, orderStatuses } from './order-status.ts'
import type { OrderItemRow, OrderRow, OrderStats as OrderStatsRow } from './orders.queries.ts'

const platforms = ['shopify', 'etsy', 'woocommerce', 'manual', 'other'] as const

/** Bounds that keep the largest order, 500 lines of both, within the whole numbers that JSON carries exactly. */
const mostUnits = 100_000
const highestPriceCents = 100_000_000
const highestChargeCents = 1_000_000_000_000

const moment = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description })
const charge = (description: string) => Type.Integer({ minimum: 0, maximum: highestChargeCents, description })

/** A text about the customer. `x-pii` marks personal data for the one who reads the API description. */
const personal = (maxLength: number, description: string) => Type.String({ maxLength, description, 'x-pii': true })

const customerFields = {
  customer_name: Type.Optional(personal(255, 'Name of the customer')),
  customer_email: Type.Optional(personal(320, 'E-mail address of the customer')),
  customer_phone: Type.Optional(personal(50, 'Telephone number of the customer')),
  shipping_street: Type.Optional(personal(500, 'Street and number to ship to')),
  shipping_city: Type.Optional(personal(200, 'City to ship to')),
  shipping_state: Type.Optional(personal(200, 'State or region to ship to')),
  shipping_zip: Type.Optional(personal(50, 'Postal code to ship to')),
  shipping_country: Type.Optional(personal(100, 'Country to ship to')),
}

const chargeFields = {
  shipping_cost: Type.Optional(charge('What the customer pays for shipping, in cents')),
  tax_amount: Type.Optional(charge('Tax on top of the prices, in cents')),
  discount_amount: Type.Optional(charge('Taken off the total, in cents; at most the total')),
}

const orderNumber = text(1, 100, 'Number of the order, unique in the account')
const platform = oneOf(platforms, { description: 'Where the order was placed' })
const externalId = text(0, 200, 'ID of the order on its platform')
const orderNotes = text(0, 2000, 'For people; not erased with the customer, so not the place for personal data')

export const NewOrderBody = request({
  order_number: Type.Optional(text(1, 100, 'Number of the order, unique in the account; made up when left out')),
  platform: oneOf(platforms, { default: 'manual', description: 'Where the order was placed' }),
  ...customerFields,
  ...chargeFields,
  total_revenue: Type.Optional(charge('What the customer pays, in cents; default: worked out from all of the above')),
  order_date: Type.Optional(moment('When the customer ordered; default: now')),
  notes: Type.Optional(orderNotes),
  external_id: Type.Optional(externalId),
  items: Type.Array(
    request(
      {
        product_sku_id: Type.Optional(idOf('sku', 'The SKU that is ordered; needed unless sku is given')),
        sku: Type.Optional(text(1, 100, 'Code of the SKU that is ordered, in the place of product_sku_id')),
        product_name: Type.Optional(text(1, 255, 'What it is called in this order; default: the name of the product')),
        quantity: Type.Integer({ minimum: 1, maximum: mostUnits, description: 'Units of the SKU' }),
        unit_price: Type.Integer({
          minimum: 0,
          maximum: highestPriceCents,
          description: 'Price of one unit, in cents',
        }),
        notes: Type.Optional(text(0, 1000, 'For people, such as what to engrave')),
      },
      { [requiredUnless]: { product_sku_id: 'sku' } },
    ),
    { minItems: 1, maxItems: 500, description: 'The lines of the order; a SKU may stand in several' },
  ),
})
export type NewOrder = Static<typeof NewOrderBody>

const trackingFields = {
  tracking_number: Type.Optional(personal(200, 'Number of the parcel with its carrier')),
  tracking_url: Type.Optional(
    Type.String({
      maxLength: 2000,
      pattern: '^([hH][tT][tT][pP][sS]?://.*)?$',
      description: 'Page of the carrier that follows the parcel: an http or https address; empty: none',
      'x-pii': true,
    }),
  ),
}

export const OrderChangesBody = request(
  {
    status: Type.Optional(
      oneOf(orderStatuses, {
        description:
          'Where the order stands. fulfilled takes ready stock for all that is open, or for nothing when it does not suffice; ' +
          'cancelled ends what is open. An order that is fulfilled, cancelled or refunded can only be refunded, and a refund ' +
          'cancels what is still open of it',
      }),
    ),
    order_number: Type.Optional(orderNumber),
    platform: Type.Optional(platform),
    ...customerFields,
    ...chargeFields,
    ...trackingFields,
    order_date: Type.Optional(moment('When the customer ordered')),
    notes: Type.Optional(orderNotes),
    external_id: Type.Optional(externalId),
  },
  { minProperties: 1 },
)
export type OrderChanges = Static<typeof OrderChangesBody>

export const FulfillBody = optionalRequest({
  ...trackingFields,
  notify_customer: Type.Optional(
    Type.Boolean({ description: 'Taken and without effect: this service writes to no customers' }),
  ),
})
export type Tracking = Pick<Static<typeof FulfillBody>, 'tracking_number' | 'tracking_url'>

export const OrdersQuery = request({
  status: Type.Optional(oneOf(orderStatuses, { description: 'Only orders of this status' })),
  platform: Type.Optional(oneOf(platforms, { description: 'Only orders of this platform' })),
  from: Type.Optional(moment('Ordered on or after this moment')),
  to: Type.Optional(moment('Ordered on or before this moment; a date alone is its first moment')),
  ...pageQuery,
})
export type OrderFilter = PageFilter<Static<typeof OrdersQuery>>

export const OrderItemParams = Type.Object(
  { id: idOf('order', 'ID of the order'), itemId: idOf('orderItem', 'ID of the order item') },
  { additionalProperties: false },
)

const OrderItem = resource('OrderItem', 'One line of an order: a SKU and how many of it', {
  id: Type.String({ description: 'ID of the order item' }),
  product_sku_id: Type.String({ description: 'The SKU that was ordered' }),
  sku: Type.String({ description: 'Code of the SKU when it was ordered' }),
  product_name: Type.String({ description: 'Name of its product when it was ordered' }),
  quantity: Type.Integer({ description: 'Units ordered' }),
  unit_price: Type.Integer({ description: 'Price of one unit, in cents' }),
  total_price: Type.Integer({ description: 'Quantity times unit price, in cents' }),
  quantity_fulfilled: Type.Integer({ description: 'Units for which ready stock was taken' }),
  fulfillment_status: oneOf(itemStatuses, {
    description:
      'pending: nothing taken yet; partial: some units; fulfilled: all; cancelled: the order ended before all were',
  }),
  notes: Type.String({ description: 'For people; empty for none' }),
  created_at: timestamp('When the item was recorded'),
})

const person = (what: string) => Type.String({ description: `${what}; empty when unknown or erased`, 'x-pii': true })

const summaryProperties = {
  id: Type.String({ description: 'ID of the order' }),
  order_number: Type.String({ description: 'Number of the order, unique in the account' }),
  platform,
  customer_name: person('Name of the customer'),
  customer_email: person('E-mail address of the customer'),
  customer_phone: person('Telephone number of the customer'),
  order_date: timestamp('When the customer ordered'),
  status: oneOf(orderStatuses, { description: 'Where the order stands' }),
  total_revenue: Type.Integer({
    description: 'What the customer pays, in cents: the items, plus shipping and tax, less the discount',
  }),
  shipping_cost: Type.Integer({ description: 'What the customer pays for shipping, in cents' }),
  tax_amount: Type.Integer({ description: 'Tax on top of the prices, in cents' }),
  discount_amount: Type.Integer({ description: 'Taken off the total, in cents' }),
  shipping_street: person('Street and number to ship to'),
  shipping_city: person('City to ship to'),
  shipping_state: person('State or region to ship to'),
  shipping_zip: person('Postal code to ship to'),
  shipping_country: person('Country to ship to'),
  tracking_number: person('Number of the parcel with its carrier'),
  tracking_url: person('Page of the carrier that follows the parcel'),
  shipped_at: nullable(timestamp('When all of it was fulfilled, or it was first said to be shipped')),
  external_id: Type.String({ description: 'ID of the order on its platform; empty for none' }),
  notes: Type.String({ description: 'For people; empty for none' }),
  created_at: timestamp('When the order was recorded'),
  updated_at: timestamp('When the order or one of its items last changed'),
}

/** The list projection of an order: without its items. */
export const OrderSummary = resource('OrderSummary', 'An order without its items', summaryProperties)

export const Order = resource('Order', 'What a customer ordered, with its items', {
  ...summaryProperties,
  items: Type.Array(OrderItem, { description: 'The lines of the order, as they were given' }),
})

const FulfilledLine = resource('FulfilledLine', 'What was taken from stock for one item', {
  order_item_id: Type.String({ description: 'The order item' }),
  product_sku_id: Type.String({ description: 'Its SKU' }),
  sku: Type.String({ description: 'Code of the SKU when it was ordered' }),
  needed: Type.Integer({ description: 'Units that were open before' }),
  taken: Type.Integer({ description: 'Units of ready stock taken now' }),
  missing: Type.Integer({ description: 'Units still open: needed less taken' }),
  fulfillment_status: oneOf(itemStatuses, { description: 'Status of the item afterwards' }),
})

export const Fulfilment = resource(
  'Fulfilment',
  'An order after stock was taken for it, and what was taken for each item',
  {
    ...Order.properties,
    fulfillment_errors: Type.Array(Type.String({ description: 'Why a line is still open' }), {
      description: 'A sentence for each line of which units are still open; empty when all was taken',
    }),
    order: Order,
    lines: Type.Array(FulfilledLine, { description: 'What became of each line that was open' }),
  },
)

const countsBy = <const Names extends readonly string[]>(title: string, names: Names, what: string) =>
  resource(
    title,
    `How many orders there are ${what}`,
    Object.fromEntries(
      names.map((name) => [name, Type.Integer({ description: `Orders: ${name}` })]),
      // Object.fromEntries forgets the names.
    ) as Record<Names[number], ReturnType<typeof Type.Integer>>,
  )

export const OrderStats = resource('OrderStats', 'Orders counted by status and platform, and what they earn', {
  total_orders: Type.Integer({ description: 'All orders, whatever their status' }),
  by_status: countsBy('OrdersByStatus', orderStatuses, 'of each status'),
  by_platform: countsBy('OrdersByPlatform', platforms, 'of each platform'),
  total_revenue: Type.Number({ description: 'In cents; cancelled and refunded orders are left out' }),
  average_order_value: Type.Number({
    description: 'In cents, rounded: the revenue by the number of orders that it counts; 0 without any',
  }),
  pending_fulfillment: Type.Integer({ description: 'Orders that are pending, processing, printed or assembled' }),
  last_30_days: resource('RecentOrders', 'Orders of the last 30 days; cancelled and refunded ones are left out', {
    total_orders: Type.Integer({ description: 'How many there are' }),
    total_revenue: Type.Number({ description: 'What their customers pay, in cents' }),
    total_shipping: Type.Number({ description: 'Of that for shipping, in cents' }),
    total_tax: Type.Number({ description: 'Of that tax, in cents' }),
    total_discount: Type.Number({ description: 'What was taken off, in cents' }),
    avg_order_value: Type.Number({ description: 'Revenue by order, in cents, rounded; 0 without any' }),
  }),
  units_to_fulfill: Type.Number({ description: 'Units of open orders for which no stock was taken yet' }),
})

/** A page of orders; unlike other lists it also says how many there are. */
export function orderPageEnvelope<T extends TSchema>(item: T) {
  const { success, data, meta } = pageEnvelope(item).properties
  return answer(
    {
      success,
      data,
      meta: resource('OrderPageMeta', 'Where in the list this page lies, and how long the list is', {
        ...meta.properties,
        total: Type.Integer({ description: 'Orders that match, on all pages' }),
      }),
    },
    { description: 'A page of orders' },
  )
}

export function presentOrderSummary(order: OrderRow): Static<typeof OrderSummary> {
  return {
    id: order.id,
    order_number: order.order_number,
    platform: order.platform,
    customer_name: order.customer_name,
    customer_email: order.customer_email,
    customer_phone: order.customer_phone,
    order_date: order.order_date.toISOString(),
    status: order.status,
    total_revenue: order.total_revenue,
    shipping_cost: order.shipping_cost,
    tax_amount: order.tax_amount,
    discount_amount: order.discount_amount,
    shipping_street: order.shipping_street,
    shipping_city: order.shipping_city,
    shipping_state: order.shipping_state,
    shipping_zip: order.shipping_zip,
    shipping_country: order.shipping_country,
    tracking_number: order.tracking_number,
    tracking_url: order.tracking_url,
    shipped_at: order.shipped_at?.toISOString() ?? null,
    external_id: order.external_id,
    notes: order.notes,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
  }
}

export function presentOrder(order: OrderRow & { items: OrderItemRow[] }): Static<typeof Order> {
  return { ...presentOrderSummary(order), items: order.items.map(presentItem) }
}

function presentItem(item: OrderItemRow): Static<typeof OrderItem> {
  return {
    id: item.id,
    product_sku_id: item.product_sku_id,
    sku: item.sku,
    product_name: item.product_name,
    quantity: item.quantity,
    unit_price: item.unit_price,
    total_price: item.total_price,
    quantity_fulfilled: item.quantity_fulfilled,
    fulfillment_status: item.fulfillment_status,
    notes: item.notes,
    created_at: item.created_at.toISOString(),
  }
}

export function presentFulfilment({ order, lines }: FulfilmentResult): Static<typeof Fulfilment> {
  return {
    ...presentOrder(order),
    fulfillment_errors: lines
      .filter(({ needed, taken }) => taken < needed)
      .map(({ item, needed, taken }) => `${item.sku}: ${needed - taken} of ${needed} units are not in stock`),
    order: presentOrder(order),
    lines: lines.map(({ item, needed, taken, fulfillment_status }) => ({
      order_item_id: item.id,
      product_sku_id: item.product_sku_id,
      sku: item.sku,
      needed,
      taken,
      missing: needed - taken,
      fulfillment_status,
    })),
  }
}

export function presentStats(stats: OrderStatsRow): Static<typeof OrderStats> {
  const counted = stats.by_status.filter(({ status }) => status !== 'cancelled' && status !== 'refunded')
  const revenue = sum(counted.map((row) => row.revenue))
  const count = sum(counted.map((row) => row.orders))
  const { recent } = stats
  return {
    total_orders: sum(stats.by_status.map((row) => row.orders)),
    by_status: {
      ...zeroes(orderStatuses),
      ...Object.fromEntries(stats.by_status.map((row) => [row.status, row.orders])),
    },
    by_platform: {
      ...zeroes(platforms),
      ...Object.fromEntries(stats.by_platform.map((row) => [row.platform, row.orders])),
    },
    total_revenue: revenue,
    average_order_value: averageOf(revenue, count),
    pending_fulfillment: sum(
      stats.by_status.filter(({ status }) => waitingStatuses.has(status)).map((row) => row.orders),
    ),
    last_30_days: { ...recent, avg_order_value: averageOf(recent.total_revenue, recent.total_orders) },
    units_to_fulfill: stats.units_to_fulfill,
  }
}

/** Orders of which something is still to be made or packed. */
const waitingStatuses: ReadonlySet<string> = new Set(['pending', 'processing', 'printed', 'assembled'])

const averageOf = (total: number, count: number) => (count === 0 ? 0 : Math.round(total / count))

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

function zeroes<const Names extends readonly string[]>(names: Names): Record<Names[number], number> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Names[number], number>
}

import Type, { type Static, type TSchema } from 'typebox'
import type { PageFilter } from '../../db/page-bounds.ts'
import {
  answer,
  idOf,
  nullable,
  oneOf,
  pageEnvelope,
  pageQuery,
  request,
  requiredUnless,
  resource,
  text,
  timestamp,
} from '../../http/schema.ts'
import type { PromiseRow } from '../promises/shown/promise.queries.ts'
import { OrderPromise, presentPromise } from '../promises/shown/promise.schema.ts'
import { shopName } from './listings/listing-maps.schema.ts'
import { platforms } from './listings/platforms.ts'
import { orderPriorities } from './order-priority.ts'
import type { OrderItemRow, OrderRow, OrderStats as OrderStatsRow } from './orders.queries.ts'
import { currencyCode } from './settings/order-settings.schema.ts'
import { itemStatuses, orderStatuses, waitingStatuses } from './state/order-status.ts'

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
  shipping_country: Type.Optional(personal(100, 'Country to ship to; USA for a new order when it is left out')),
}

const chargeFields = {
  shipping_cost: Type.Optional(charge('Shipping charged to the customer, in cents')),
  tax_amount: Type.Optional(charge('Tax on top of the prices, in cents')),
  discount_amount: Type.Optional(charge('Taken off the total, in cents; at most the total')),
}

const orderNumber = text(1, 100, 'Number of the order, unique in its shop')
const platform = oneOf(platforms, { description: 'Platform on which the order was placed' })
const externalId = text(0, 200, 'ID of the order on its platform; a shop has one order of each')
const orderNotes = personal(2000, 'Note for people; erased with the customer')
const currencyText = 'Currency of all amounts, as ISO 4217 has it; they are in its minor unit, such as cents'
const currency = currencyCode(currencyText)
const paidText = 'Whether the customer has paid; an unpaid order is not produced by itself, if the account is set so'
const priority = oneOf(orderPriorities, { description: 'Decides among orders that are to be shipped by the same time' })

/** What a customer wants on their piece. */
export const personalisation = Type.Array(
  request({
    name: text(1, 100, 'Name of the personalisation, such as Name to engrave'),
    value: text(0, 1000, 'Message of the customer'),
  }),
  { maxItems: 20, description: 'Personalisation of this piece; erased with the customer', 'x-pii': true },
)

export const NewOrderBody = request({
  order_number: Type.Optional(text(1, 100, 'Number of the order, unique in its shop; made up when left out')),
  platform: oneOf(platforms, { default: 'manual', description: 'Platform on which the order was placed' }),
  shop: Type.Optional(shopName),
  currency: Type.Optional(currencyCode(`${currencyText}; default: that of the account`)),
  is_paid: Type.Optional(Type.Boolean({ description: `${paidText}; default: true` })),
  priority: oneOf(orderPriorities, {
    default: 'normal',
    description: 'Decides among orders that are to be shipped by the same time',
  }),
  ship_by: Type.Optional(
    nullable(moment('Latest time to ship it; default: by the handling days of the account, or none')),
  ),
  ...customerFields,
  ...chargeFields,
  total_revenue: Type.Optional(
    charge('Total that the customer pays, in cents; default: calculated from all of the above'),
  ),
  order_date: Type.Optional(moment('Date of the order; default: now')),
  notes: Type.Optional(orderNotes),
  external_id: Type.Optional(externalId),
  allow_unmapped: Type.Boolean({
    default: false,
    description: 'Keeps lines that stand for no SKU of the account as unmapped, in the place of INVALID_PRODUCT_SKU',
  }),
  items: Type.Array(
    request(
      {
        product_sku_id: Type.Optional(idOf('sku', 'The SKU that is ordered; needed unless sku is given')),
        sku: Type.Optional(
          text(
            1,
            100,
            "Code of the SKU that is ordered, or the seller's code that is mapped to one, in the place of product_sku_id",
          ),
        ),
        listing_id: Type.Optional(
          text(
            1,
            255,
            'ID of the listing on its platform, or its title where the platform tells no ID; for listings without a code',
          ),
        ),
        variation: Type.Optional(text(0, 255, 'Variation of the listing, as the shop words it')),
        product_name: Type.Optional(
          text(1, 255, 'Name of the product in this order; default: that of the product itself'),
        ),
        quantity: Type.Integer({
          minimum: 1,
          maximum: mostUnits,
          description: 'Units of the SKU, or packs of them where its listing is mapped to a pack',
        }),
        unit_price: Type.Integer({
          minimum: 0,
          maximum: highestPriceCents,
          description: 'Price of one of the quantity, in cents',
        }),
        personalisation: Type.Optional(personalisation),
        notes: Type.Optional(text(0, 1000, 'Note for people; erased with the customer')),
      },
      { [requiredUnless]: { product_sku_id: ['sku', 'listing_id'] } },
    ),
    { minItems: 1, maxItems: 500, description: 'The lines of the order; a SKU may stand in several' },
  ),
})
export type NewOrder = Static<typeof NewOrderBody>

export const trackingFields = {
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
          'Status of the order. fulfilled takes ready stock for all open lines, as one parcel, or for none when it ' +
          'does not suffice; cancelled cancels the open lines. An order that is fulfilled, cancelled or refunded can only be refunded, and ' +
          'a refund cancels its open lines. shipped is refused while units are open, unless `force` is true',
      }),
    ),
    force: Type.Optional(
      Type.Boolean({ description: 'Takes the status shipped although units are open; the event tells how many' }),
    ),
    order_number: Type.Optional(orderNumber),
    platform: Type.Optional(platform),
    shop: Type.Optional(shopName),
    currency: Type.Optional(currency),
    priority: Type.Optional(priority),
    is_paid: Type.Optional(Type.Boolean({ description: paidText })),
    ship_by: Type.Optional(nullable(moment('Latest time to ship it; null: none'))),
    ...customerFields,
    ...chargeFields,
    ...trackingFields,
    order_date: Type.Optional(moment('Date of the order')),
    notes: Type.Optional(orderNotes),
    external_id: Type.Optional(externalId),
  },
  { minProperties: 1 },
)
export type OrderChanges = Static<typeof OrderChangesBody>

export const OrdersQuery = request({
  status: Type.Optional(oneOf(orderStatuses, { description: 'Only orders of this status' })),
  platform: Type.Optional(oneOf(platforms, { description: 'Only orders of this platform' })),
  shop: Type.Optional(text(0, 100, 'Only orders of the shop of this name')),
  search: Type.Optional(
    text(
      1,
      120,
      'Search terms: only orders whose number, customer, external ID, a SKU or a tracking number has words that begin with all of these',
    ),
  ),
  unmapped: Type.Optional(
    Type.Boolean({ description: 'true: only orders with lines that stand for no SKU; false: only the others' }),
  ),
  at_risk: Type.Optional(
    Type.Boolean({
      description:
        'true: only orders that wait to be shipped and leave after their `ship_by`, by their p90; false: only the others',
    }),
  ),
  ship_before: Type.Optional(
    moment('Only orders that wait to be shipped, by a time before this moment: late ones, or those that soon will be'),
  ),
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
  product_sku_id: Type.String({ description: 'The SKU that was ordered; empty while the line is unmapped' }),
  sku: Type.String({
    description: "Code of the SKU when it was ordered; the seller's code while the line is unmapped",
  }),
  product_name: Type.String({ description: 'Name of its product when it was ordered, or its name in the shop' }),
  quantity: Type.Integer({ description: 'Units ordered' }),
  unit_price: Type.Integer({ description: 'Price of one unit, in cents' }),
  total_price: Type.Integer({ description: 'Quantity times unit price, in cents' }),
  quantity_fulfilled: Type.Integer({ description: 'Units for which ready stock was taken' }),
  fulfillment_status: oneOf(itemStatuses, {
    description:
      'pending: nothing taken yet; partial: some units; fulfilled: all; cancelled: the order ended before all were',
  }),
  notes: Type.String({ description: 'Note for people; empty for none, or erased', 'x-pii': true }),
  created_at: timestamp('Time at which the item was recorded'),
})

const person = (what: string) => Type.String({ description: `${what}; empty when unknown or erased`, 'x-pii': true })

const summaryProperties = {
  id: Type.String({ description: 'ID of the order' }),
  order_number: Type.String({ description: 'Number of the order, unique in its shop' }),
  platform,
  customer_name: person('Name of the customer'),
  customer_email: person('E-mail address of the customer'),
  customer_phone: person('Telephone number of the customer'),
  order_date: timestamp('Date of the order'),
  status: oneOf(orderStatuses, { description: 'Status of the order' }),
  total_revenue: Type.Integer({
    description: 'Total that the customer pays, in cents: the items, plus shipping and tax, less the discount',
  }),
  shipping_cost: Type.Integer({ description: 'Shipping charged to the customer, in cents' }),
  tax_amount: Type.Integer({ description: 'Tax on top of the prices, in cents' }),
  discount_amount: Type.Integer({ description: 'Taken off the total, in cents' }),
  shipping_street: person('Street and number to ship to'),
  shipping_city: person('City to ship to'),
  shipping_state: person('State or region to ship to'),
  shipping_zip: person('Postal code to ship to'),
  shipping_country: person('Country to ship to'),
  tracking_number: person('Number of the parcel with its carrier'),
  tracking_url: person('Page of the carrier that follows the parcel'),
  shipped_at: nullable(timestamp('Time at which all of it was fulfilled, or its status was first set to shipped')),
  external_id: Type.String({ description: 'ID of the order on its platform; empty for none' }),
  notes: Type.String({ description: 'Note for people; empty for none, or erased', 'x-pii': true }),
  created_at: timestamp('Time at which the order was recorded'),
  updated_at: timestamp('Time at which the order or one of its items last changed'),
}

/** What is ours about an order, beside what the contract shows of it. */
export const ownProperties = {
  shop: Type.String({ description: 'Name of the shop; empty for the only one of the platform' }),
  currency,
  priority,
  is_paid: Type.Boolean({ description: paidText }),
  ship_by: nullable(timestamp('Latest time to ship it; null: none is known')),
}

/** The list projection of an order: without its items. */
export const OrderSummary = resource('OrderSummary', 'An order without its items', {
  ...summaryProperties,
  ...ownProperties,
  unmapped_items: Type.Integer({ description: 'Lines that stand for no SKU of the account yet' }),
  promise: OrderPromise,
})

export const Order = resource('Order', 'An order of a customer, with its items', {
  ...summaryProperties,
  items: Type.Array(OrderItem, { description: 'The lines of the order, as they were given' }),
})

const countsBy = <const Names extends readonly string[]>(title: string, names: Names, what: string) =>
  resource(
    title,
    `Number of orders ${what}`,
    Object.fromEntries(
      names.map((name) => [name, Type.Integer({ description: `Orders: ${name}` })]),
      // Object.fromEntries forgets the names.
    ) as Record<Names[number], ReturnType<typeof Type.Integer>>,
  )

const recentProperties = {
  total_orders: Type.Integer({ description: 'Number of orders in the currency' }),
  total_revenue: Type.Number({ description: 'Amount charged to their customers, in cents' }),
  total_shipping: Type.Number({ description: 'Part of it for shipping, in cents' }),
  total_tax: Type.Number({ description: 'Part of it that is tax, in cents' }),
  total_discount: Type.Number({ description: 'Discount, in cents' }),
  avg_order_value: Type.Number({ description: 'Revenue by order, in cents, rounded; 0 without any' }),
}

export const OrderStats = resource('OrderStats', 'Orders counted by status and platform, and their revenue', {
  total_orders: Type.Integer({ description: 'All orders, whatever their status' }),
  by_status: countsBy('OrdersByStatus', orderStatuses, 'of each status'),
  by_platform: countsBy('OrdersByPlatform', platforms, 'of each platform'),
  currency: currencyCode('Currency of the account, which the revenue outside `by_currency` is in'),
  total_revenue: Type.Number({
    description:
      'Revenue in cents, or else the minor unit of `currency`: orders in the currency of the account; cancelled and refunded ones are left out',
  }),
  average_order_value: Type.Number({
    description: 'Revenue divided by the number of orders that it counts, in cents, rounded; 0 without any',
  }),
  by_currency: Type.Array(
    resource('RevenueByCurrency', 'Revenue of orders in one currency, without cancelled and refunded ones', {
      currency: currencyCode('The currency, which the amounts are in the minor unit of'),
      total_orders: Type.Integer({ description: 'Orders in it' }),
      total_revenue: Type.Number({ description: 'Amount charged to their customers, in cents' }),
      average_order_value: Type.Number({ description: 'Revenue by order, in cents, rounded' }),
    }),
    { description: 'Amounts in different currencies are never summed: one row for each, in the order of their codes' },
  ),
  pending_fulfillment: Type.Integer({ description: 'Orders that are pending, processing, printed or assembled' }),
  last_30_days: resource('RecentOrders', 'Orders of the last 30 days; cancelled and refunded ones are left out', {
    ...recentProperties,
    total_orders: Type.Integer({ description: 'Number of orders, in all currencies' }),
    total_revenue: Type.Number({
      description: 'Revenue of those in the currency of the account, in cents',
    }),
    by_currency: Type.Array(
      resource('RecentOrdersByCurrency', 'Orders of the last 30 days in one currency', {
        currency: currencyCode('The currency, which the amounts are in the minor unit of'),
        ...recentProperties,
      }),
      { description: 'One row for each currency, in the order of their codes' },
    ),
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
      meta: resource('OrderPageMeta', 'Position of the page in the list, and the length of the list', {
        ...meta.properties,
        total: Type.Integer({ description: 'Orders that match, on all pages' }),
      }),
    },
    { description: 'A page of orders' },
  )
}

export function presentOrderSummary(
  order: OrderRow,
  {
    accountCurrency,
    unmappedItems,
    promise,
  }: { accountCurrency: string; unmappedItems: number; promise: PromiseRow | undefined },
): Static<typeof OrderSummary> {
  return {
    ...presentWithoutItems(order),
    ...presentOwn(order, accountCurrency),
    unmapped_items: unmappedItems,
    promise: presentPromise(promise, order.ship_by),
  }
}

/** `accountCurrency` is that of orders from before the account named one. */
export function presentOwn(order: OrderRow, accountCurrency: string) {
  return {
    shop: order.shop,
    currency: order.currency ?? accountCurrency,
    priority: order.priority,
    is_paid: order.is_paid,
    ship_by: order.ship_by?.toISOString() ?? null,
  }
}

function presentWithoutItems(order: OrderRow): Omit<Static<typeof Order>, 'items'> {
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
  return { ...presentWithoutItems(order), items: order.items.map(presentItem) }
}

function presentItem(item: OrderItemRow): Static<typeof OrderItem> {
  return {
    id: item.id,
    product_sku_id: item.product_sku_id ?? '',
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

/** `currency` is that of the account. */
export function presentStats(stats: OrderStatsRow, currency: string): Static<typeof OrderStats> {
  const own = stats.by_currency.find((row) => row.currency === currency)
  const recent = stats.recent.map((row) => ({
    ...row,
    avg_order_value: averageOf(row.total_revenue, row.total_orders),
  }))
  const ownRecent = recent.find((row) => row.currency === currency)
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
    currency,
    total_revenue: own?.revenue ?? 0,
    average_order_value: averageOf(own?.revenue ?? 0, own?.orders ?? 0),
    by_currency: stats.by_currency.map((row) => ({
      currency: row.currency,
      total_orders: row.orders,
      total_revenue: row.revenue,
      average_order_value: averageOf(row.revenue, row.orders),
    })),
    pending_fulfillment: sum(
      stats.by_status
        .filter(({ status }) => waitingStatuses.some((waiting) => waiting === status))
        .map((row) => row.orders),
    ),
    last_30_days: {
      total_orders: sum(recent.map((row) => row.total_orders)),
      total_revenue: ownRecent?.total_revenue ?? 0,
      total_shipping: ownRecent?.total_shipping ?? 0,
      total_tax: ownRecent?.total_tax ?? 0,
      total_discount: ownRecent?.total_discount ?? 0,
      avg_order_value: ownRecent?.avg_order_value ?? 0,
      by_currency: recent,
    },
    units_to_fulfill: stats.units_to_fulfill,
  }
}

const averageOf = (total: number, count: number) => (count === 0 ? 0 : Math.round(total / count))

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

function zeroes<const Names extends readonly string[]>(names: Names): Record<Names[number], number> {
  // Object.fromEntries forgets the names.
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Names[number], number>
}

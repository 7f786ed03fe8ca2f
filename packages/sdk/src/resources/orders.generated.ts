// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on orders. */
export class Orders {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List orders, the latest first.
   *
   * Without their items. Amounts are integers of the minor unit of the currency, such as cents.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listOrders`.
   */
  list(query?: Query<api.ListOrdersData>, options?: RequestOptions): List<api.ListOrdersResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/orders', query, options })
  }

  /**
   * Record an order.
   *
   * Amounts are integers of the minor unit of the currency, such as cents. The totals are worked out from the lines. A line names its SKU by ID or code; else its listing decides, as it was mapped. A shop has one order of each external ID: another one answers ALREADY_EXISTS, with the first in `details.order_id`.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createOrder`.
   */
  create(body: Body<api.CreateOrderData>, options?: RequestOptions): Call<api.CreateOrderResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/orders', json: body, options })
  }

  /**
   * Record the orders of a file.
   *
   * Comma-separated values in UTF-8, of our own form or as Shopify, Etsy ("Order Items") and plugins of WooCommerce export them; at most 10000 rows. Rows of one order are put together. Orders that their shop has already are left alone, so that the same file can be sent again; those that are over in their shop are skipped. Lines that stand for no SKU are kept as unmapped. With `dry_run` nothing is written, and the answer is the same.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `importOrders`.
   */
  import(body: Blob | string, query?: Query<api.ImportOrdersData>, options?: RequestOptions): Call<api.ImportOrdersResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/orders/import', csv: body, query, options })
  }

  /**
   * Get the settings of orders.
   *
   * Settings of the whole account.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderSettings`.
   */
  getSettings(options?: RequestOptions): Call<api.GetOrderSettingsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/orders/settings', options })
  }

  /**
   * Change the settings of orders.
   *
   * Fields that are left out stay as they are. Existing orders keep their `ship_by`.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateOrderSettings`.
   */
  updateSettings(body: Body<api.UpdateOrderSettingsData>, options?: RequestOptions): Call<api.UpdateOrderSettingsResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: '/public/v1/orders/settings', json: body, options })
  }

  /**
   * Count orders and their revenue.
   *
   * Amounts in different currencies are never summed: `by_currency` has a row for each, and the revenue beside it is that of orders in the currency of the account.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderStats`.
   */
  getStats(options?: RequestOptions): Call<api.GetOrderStatsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/orders/stats', options })
  }

  /**
   * Get an order with its items.
   *
   * Money is integer cents.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrder`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetOrderResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change an order.
   *
   * Fields that are left out stay as they are; the total follows. The items of an order do not change here, but with the status `cancelled` those that are open end, and with `fulfilled` ready stock is taken for all of them, or for none.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateOrder`.
   */
  update(id: string, body: Body<api.UpdateOrderData>, options?: RequestOptions): Call<api.UpdateOrderResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/orders/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Cancel an order.
   *
   * The order stays, with the status cancelled, and `lines` gives the outcome of each unit. Units that left for it do not go back into stock by themselves: book those that come back by POST /orders/{id}/returns. An order that has ended already is answered as it is.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteOrder`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteOrderResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/orders/${encodeURIComponent(id)}`, options })
  }

  /**
   * Get an order as the farm handles it.
   *
   * Fields that the order itself does not show: its shop, currency, priority and latest time to ship, and for each line its name there, its SKU and its personalisation.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderDetails`.
   */
  getDetails(id: string, options?: RequestOptions): Call<api.GetOrderDetailsResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/details`, options })
  }

  /**
   * Erase the customer of an order.
   *
   * Empties name, addresses, telephone, tracking, notes and the personalisation of each piece, for good, with the notes of people on assembly tasks and failures of units that were made for this order alone, also in answers that are kept for an Idempotency-Key, the answers of receivers of webhooks about it, and the camera pictures of its failures. The ordered lines and their prices stay.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `eraseOrderCustomer`.
   */
  eraseCustomer(id: string, options?: RequestOptions): Call<api.EraseOrderCustomerResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/erase-customer`, options })
  }

  /**
   * Take ready stock for the open lines of an order, as one parcel.
   *
   * Each line gets as much as there is, the first lines first; missing units stay open, and the answer lists them line by line. It is refused only when there is nothing for any line. With `items` the parcel has only those. When all is taken, the order is fulfilled and `shipped_at` is set. Tracking is kept with the parcel and, as that of the latest one, with the order.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `fulfillOrder`.
   */
  fulfill(id: string, body?: Body<api.FulfillOrderData>, options?: RequestOptions): Call<api.FulfillOrderResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/fulfill`, json: body, options })
  }

  /**
   * Take ready stock for one line of an order, as one parcel.
   *
   * Takes as much as is in stock; refused when nothing is.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `fulfillOrderItem`.
   */
  fulfillItem(id: string, itemId: string, options?: RequestOptions): Call<api.FulfillOrderItemResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/items/${encodeURIComponent(itemId)}/fulfill`, options })
  }

  /**
   * Hold units for a line of an order by hand.
   *
   * Units of the shelf, or of a live job, before all that comes earlier in the order of service; 0 lets them go. Answers the plan of the order.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createOrderItemHold`.
   */
  holdItem(id: string, itemId: string, body: Body<api.CreateOrderItemHoldData>, options?: RequestOptions): Call<api.CreateOrderItemHoldResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/items/${encodeURIComponent(itemId)}/hold`, json: body, options })
  }

  /**
   * Map a line of an order to a SKU.
   *
   * One of its quantity is `pack_size` units of the SKU; its price stays. With `remember` it holds for all lines of the same shop with the same code, or else the same listing and variation: open ones that nothing mapped, and those to come. A line of which units left cannot be mapped again; what was picked of another SKU goes back to its bin.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `mapOrderItem`.
   */
  mapItem(id: string, itemId: string, body: Body<api.MapOrderItemData>, options?: RequestOptions): Call<api.MapOrderItemResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/items/${encodeURIComponent(itemId)}/map`, json: body, options })
  }

  /**
   * Get the packing slip of a parcel, to be printed.
   *
   * A page without scripts, to be printed by a browser: address, lines and the personalisation of each piece; no prices.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderPackingSlip`.
   */
  getPackingSlip(id: string, query?: Query<api.GetOrderPackingSlipData>, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/packing-slip`, query, options })
  }

  /**
   * Get the picking list of an order, to be printed.
   *
   * A page without scripts, to be printed by a browser: the units to take, by bin, with their personalisation.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderPickingList`.
   */
  getPickingList(id: string, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/picking-list`, options })
  }

  /**
   * Get the picking list of an order, by bin.
   *
   * The open lines with where they lie, and how many of their units were picked already.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderPicks`.
   */
  getPicks(id: string, options?: RequestOptions): Call<api.GetOrderPicksResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/picks`, options })
  }

  /**
   * Pick units for an order.
   *
   * Picks the units in the bin that was scanned, or all that the order still needs. A bin that is scanned twice is picked once. The units stay ready stock until they leave, and no other order gets them; when all are picked, a task asks for the parcel.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createOrderPick`.
   */
  createPick(id: string, body?: Body<api.CreateOrderPickData>, options?: RequestOptions): Call<api.CreateOrderPickResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/picks`, json: body, options })
  }

  /**
   * Get the plan of an order: where its units are.
   *
   * Each unit is in one group: shipped, picked, reserved on the shelf, to be put together, on a live job, to be printed, blocked for a reason, or cancelled. Orders are served by ship_by, then priority, then age.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderPlan`.
   */
  getPlan(id: string, options?: RequestOptions): Call<api.GetOrderPlanResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/plan`, options })
  }

  /**
   * Preview the jobs that producing an order would queue.
   *
   * A dry run of `POST /orders/{id}/produce`: nothing is changed.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `planOrder`.
   */
  plan(id: string, options?: RequestOptions): Call<api.PlanOrderResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/plan`, options })
  }

  /**
   * Queue the jobs and assembly tasks that an order still needs.
   *
   * Queues jobs and assembly tasks for the units that neither stock nor live jobs cover. Lines that cannot be made are answered with their reasons and keep no other from being queued. Producing again queues nothing new.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `produceOrder`.
   */
  produce(id: string, body?: Body<api.ProduceOrderData>, options?: RequestOptions): Call<api.ProduceOrderResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/produce`, json: body, options })
  }

  /**
   * List the returns of an order.
   *
   * Returns in the order in which they were booked.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderReturns`.
   */
  getReturns(id: string, options?: RequestOptions): Call<api.GetOrderReturnsResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/returns`, options })
  }

  /**
   * Book a return of an order.
   *
   * restock puts units into ready stock, on the ledger as returned; scrap only records them; remake records them and reopens the line for as many units. No more units of a line come back than left for it: INSUFFICIENT_QUANTITY names the lines.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createOrderReturn`.
   */
  createReturn(id: string, body: Body<api.CreateOrderReturnData>, options?: RequestOptions): Call<api.CreateOrderReturnResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/orders/${encodeURIComponent(id)}/returns`, json: body, options })
  }

  /**
   * List the parcels of an order, the first one first.
   *
   * Each with its contents. Every fulfilment makes one.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderShipments`.
   */
  getShipments(id: string, options?: RequestOptions): Call<api.GetOrderShipmentsResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/orders/${encodeURIComponent(id)}/shipments`, options })
  }
}

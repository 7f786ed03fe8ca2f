// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on inventory. */
export class Inventory {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the stock of finished goods by the codes of their SKUs.
   *
   * One item for each SKU. Without `limit` up to 500 items are answered, which is all that most farms have.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listInventoryItems`.
   */
  list(query?: Query<api.ListInventoryItemsData>, options?: RequestOptions): List<api.ListInventoryItemsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/inventory', query, options })
  }

  /**
   * Bring the inventory item of a SKU back into use.
   *
   * Each SKU has its item from the beginning; this is for one that was deleted. `ready_stock` is booked as a count.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createInventoryItem`.
   */
  create(body: Body<api.CreateInventoryItemData>, options?: RequestOptions): Call<api.CreateInventoryItemResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/inventory', json: body, options })
  }

  /**
   * List active items that are low or out of stock.
   *
   * The largest shortage to the threshold first, then by code; at most 500.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getInventoryItemAlerts`.
   */
  getAlerts(options?: RequestOptions): Call<api.GetInventoryItemAlertsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/inventory/alerts', options })
  }

  /**
   * Count active inventory items.
   *
   * Counts by status, with their units. Nothing is cached: the counts are those of this moment.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getInventoryItemStats`.
   */
  getStats(options?: RequestOptions): Call<api.GetInventoryItemStatsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/inventory/stats', options })
  }

  /**
   * Get an inventory item.
   *
   * The stock of one SKU with its threshold and status. Its changes are listed under its movements.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getInventoryItem`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetInventoryItemResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/inventory/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change an inventory item.
   *
   * Fields that are left out stay as they are. Stock corrections have a route of their own.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateInventoryItem`.
   */
  update(id: string, body: Body<api.UpdateInventoryItemData>, options?: RequestOptions): Call<api.UpdateInventoryItemResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/inventory/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Take an inventory item out of use.
   *
   * It raises no alerts and is not counted any more; its row and its movements stay. Refused while it holds units or anything open needs its SKU.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteInventoryItem`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteInventoryItemResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/inventory/${encodeURIComponent(id)}`, options })
  }

  /**
   * Correct the ready stock of an inventory item.
   *
   * The correction is recorded in the movements of the item. It is refused when it takes off more than is in stock.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `adjustInventoryItem`.
   */
  adjust(id: string, body: Body<api.AdjustInventoryItemData>, options?: RequestOptions): Call<api.AdjustInventoryItemResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/inventory/${encodeURIComponent(id)}/adjust`, json: body, options })
  }

  /**
   * List the movements of an inventory item, the latest first.
   *
   * The changes of each of the two quantities add up to that quantity.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listInventoryItemMovements`.
   */
  listMovements(id: string, query?: Query<api.ListInventoryItemMovementsData>, options?: RequestOptions): List<api.ListInventoryItemMovementsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/inventory/${encodeURIComponent(id)}/movements`, query, options })
  }

  /**
   * Set the low-stock threshold of an inventory item.
   *
   * The status of the item is recalculated.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setInventoryItemThreshold`.
   */
  setThreshold(id: string, body: Body<api.SetInventoryItemThresholdData>, options?: RequestOptions): Call<api.SetInventoryItemThresholdResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/inventory/${encodeURIComponent(id)}/threshold`, json: body, options })
  }
}

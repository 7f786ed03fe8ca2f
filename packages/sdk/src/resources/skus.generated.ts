// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on skus. */
export class Skus {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List SKUs, the newest first.
   *
   * Variants of all products with their ready stock, in units. `low_stock` compares that with the threshold of each.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listSkus`.
   */
  list(query?: Query<api.ListSkusData>, options?: RequestOptions): List<api.ListSkusResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/skus', query, options })
  }

  /**
   * Add a SKU to a product.
   *
   * Its inventory item is created with it and is empty.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createSkus`.
   */
  create(body: Body<api.CreateSkusData>, options?: RequestOptions): Call<api.CreateSkusResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/skus', json: body, options })
  }

  /**
   * Get a SKU.
   *
   * A variant of a product with its ready stock, in units, the threshold at which that counts as low, and how it is made.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSkus`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetSkusResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/skus/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a SKU.
   *
   * Fields that are left out stay as they are.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateSkus`.
   */
  update(id: string, body: Body<api.UpdateSkusData>, options?: RequestOptions): Call<api.UpdateSkusResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/skus/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a SKU.
   *
   * Refused while an open order, a job, an assembly or the bill of materials of another SKU needs it. One that records name (orders, jobs, movements of stock) stays, out of use: `deleted` is false then.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteSkus`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteSkusResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/skus/${encodeURIComponent(id)}`, options })
  }

  /**
   * Add an assembly task for kits.
   *
   * For a SKU with children in its bill of materials. Refused when their ready stock and the components are not enough for all units now; nothing is reserved, and everything is taken when the task is completed.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `assembleSkus`.
   */
  assemble(id: string, body?: Body<api.AssembleSkusData>, options?: RequestOptions): Call<api.AssembleSkusResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/skus/${encodeURIComponent(id)}/assemble`, json: body, options })
  }

  /**
   * Get the bill of materials of a SKU.
   *
   * Parts and components of one unit, one level deep, with the stock of each. Empty for most SKUs.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSkusBom`.
   */
  getBom(id: string, options?: RequestOptions): Call<api.GetSkusBomResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/skus/${encodeURIComponent(id)}/bom`, options })
  }

  /**
   * Set the bill of materials of a SKU.
   *
   * The whole bill is replaced. A SKU with children is composite: it is assembled from their ready stock and from components; packaging is taken when units are shipped. Children may have bills of their own, but no SKU may be made of itself by any way.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setSkusBom`.
   */
  setBom(id: string, body: Body<api.SetSkusBomData>, options?: RequestOptions): Call<api.SetSkusBomResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/skus/${encodeURIComponent(id)}/bom`, json: body, options })
  }
}

// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on listingMaps. */
export class ListingMaps {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the mappings of shop listings, the newest first.
   *
   * Each maps one unit of a listing to a number of units of a SKU.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listListingMaps`.
   */
  list(query?: Query<api.ListListingMapsData>, options?: RequestOptions): List<api.ListListingMapsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/listing-maps', query, options })
  }

  /**
   * Map a listing of a shop to a SKU.
   *
   * Open lines of the shop that are like it and not mapped yet are mapped with it, and those to come. ALREADY_EXISTS tells the mapping of the same listing in `details.listing_map_id`.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createListingMap`.
   */
  create(body: Body<api.CreateListingMapData>, options?: RequestOptions): Call<api.CreateListingMapResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/listing-maps', json: body, options })
  }

  /**
   * Get the mapping of a shop listing.
   *
   * With the code of the SKU and the name of its product.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getListingMap`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetListingMapResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/listing-maps/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change the mapping of a shop listing.
   *
   * Open lines that it mapped follow, unless units were taken for them already.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateListingMap`.
   */
  update(id: string, body: Body<api.UpdateListingMapData>, options?: RequestOptions): Call<api.UpdateListingMapResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/listing-maps/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete the mapping of a shop listing.
   *
   * Lines that it mapped stay mapped; those to come are not.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteListingMap`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteListingMapResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/listing-maps/${encodeURIComponent(id)}`, options })
  }
}

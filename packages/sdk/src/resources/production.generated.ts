// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on production. */
export class Production {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the SKUs that must be printed, the earliest due first.
   *
   * SKUs with units that orders or the shelf need and that neither stock nor live jobs cover, by the last plan; changes are planned within moments. Queue them by `POST /production/produce`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listProductionNeeds`.
   */
  listNeeds(query?: Query<api.ListProductionNeedsData>, options?: RequestOptions): List<api.ListProductionNeedsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/production/needs', query, options })
  }

  /**
   * Queue the jobs and assembly tasks that many orders still need.
   *
   * Orders share plates: fewest plates first, then least surplus, then the earliest finish. Without a choice of orders the needs of the shelf are produced, too.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createProductionProduce`.
   */
  produce(body?: Body<api.CreateProductionProduceData>, options?: RequestOptions): Call<api.CreateProductionProduceResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/production/produce', json: body, options })
  }

  /**
   * List the SKUs that are kept on the shelf, by their code.
   *
   * SKUs with a `restock_to`, with their units there and on their way by the last plan. Set the levels by `PATCH /skus/{id}`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listProductionShelf`.
   */
  listShelf(query?: Query<api.ListProductionShelfData>, options?: RequestOptions): List<api.ListProductionShelfResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/production/shelf', query, options })
  }

  /**
   * List queued work that is not needed any more.
   *
   * Queued jobs and open assembly tasks that no order and no restock needs, such as after an order was cancelled. Nothing is cancelled by itself: cancel them by POST /jobs/{id}/cancel and PATCH /assembly/{id}. Units that already print go on the shelf.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getProductionUnwanted`.
   */
  getUnwanted(options?: RequestOptions): Call<api.GetProductionUnwantedResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/production/unwanted', options })
  }
}

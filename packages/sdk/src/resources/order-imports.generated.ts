// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Call, Connection, RequestOptions } from '../request.ts'

/** Operations on orderImports. */
export class OrderImports {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Get the progress of an import of orders.
   *
   * While it goes on, by the `progress_id` that it was sent with; 404 before and after.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getOrderImport`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetOrderImportResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/order-imports/${encodeURIComponent(id)}`, options })
  }
}

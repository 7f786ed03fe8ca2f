// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Call, Connection, RequestOptions } from '../request.ts'

/** Operations on key. */
export class Key {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Get the API key of the request.
   *
   * Its name, its scopes and its account. The key itself is never answered.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getKey`.
   */
  get(options?: RequestOptions): Call<api.GetKeyResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/key', options })
  }
}

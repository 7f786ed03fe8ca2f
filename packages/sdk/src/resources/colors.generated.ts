// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on colors. */
export class Colors {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the colours to choose from, the newest first.
   *
   * Presets for SKUs and filament. A colour of no filament type goes with every one.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listColors`.
   */
  list(query?: Query<api.ListColorsData>, options?: RequestOptions): List<api.ListColorsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/colors', query, options })
  }

  /**
   * Add a colour to choose from.
   *
   * The hex code is kept in upper case. The name is unique in the account for its filament type.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createColor`.
   */
  create(body: Body<api.CreateColorData>, options?: RequestOptions): Call<api.CreateColorResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/colors', json: body, options })
  }

  /**
   * Change a colour.
   *
   * Fields that are left out stay as they are. SKUs that were made with it keep their values.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateColor`.
   */
  update(id: string, body: Body<api.UpdateColorData>, options?: RequestOptions): Call<api.UpdateColorResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/colors/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a colour.
   *
   * SKUs that were made with it keep their values.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteColor`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteColorResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/colors/${encodeURIComponent(id)}`, options })
  }
}

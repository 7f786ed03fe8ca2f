// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on members. */
export class Members {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the members of the account, the earliest first.
   *
   * For assigning tasks. Addresses of people are not shown to keys.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listMembers`.
   */
  list(query?: Query<api.ListMembersData>, options?: RequestOptions): List<api.ListMembersResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/members', query, options })
  }
}

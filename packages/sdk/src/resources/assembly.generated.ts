// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on assembly. */
export class Assembly {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List assembly tasks: in progress, pending, completed, cancelled.
   *
   * Units that were printed and wait to be put together, and those that are done; within each status the newest first. A page by `cursor` costs the same at any depth.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listAssemblyTasks`.
   */
  list(query?: Query<api.ListAssemblyTasksData>, options?: RequestOptions): List<api.ListAssemblyTasksResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/assembly', query, options })
  }

  /**
   * Add an assembly task.
   *
   * Printed units that need assembly, or, by `kind`, kits. A completed job whose units need assembly adds its task automatically. For kits the rules of /skus/{id}/assemble hold: refused when the SKU has no bill of materials, or when parts are missing.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createAssemblyTask`.
   */
  create(body: Body<api.CreateAssemblyTaskData>, options?: RequestOptions): Call<api.CreateAssemblyTaskResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/assembly', json: body, options })
  }

  /**
   * Count assembly tasks.
   *
   * Tasks by status, and the units that wait. Nothing is cached: the counts are those of this moment.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAssemblyTaskStats`.
   */
  getStats(options?: RequestOptions): Call<api.GetAssemblyTaskStatsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/assembly/stats', options })
  }

  /**
   * Get an assembly task with the article that shows how it is done.
   *
   * The article is the published one about the SKU, or else about its product; null when there is none.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAssemblyTask`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetAssemblyTaskResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/assembly/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change an assembly task.
   *
   * Fields that are left out stay as they are. A cancelled task moves no stock. The status `completed` puts all that is left together, as /complete does.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateAssemblyTask`.
   */
  update(id: string, body: Body<api.UpdateAssemblyTaskData>, options?: RequestOptions): Call<api.UpdateAssemblyTaskResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/assembly/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete an assembly task.
   *
   * For tasks entered by mistake: no stock moves.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteAssemblyTask`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteAssemblyTaskResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/assembly/${encodeURIComponent(id)}`, options })
  }

  /**
   * Book units that were put together.
   *
   * Printed units go from needs-assembly into ready stock, kits are credited; rejected ones are gone. Children and components are taken by their bill of materials, all of them, or nothing moves. A rejected kit has used up its parts. Remaining units keep the task open.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `completeAssemblyTask`.
   */
  complete(id: string, body?: Body<api.CompleteAssemblyTaskData>, options?: RequestOptions): Call<api.CompleteAssemblyTaskResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/assembly/${encodeURIComponent(id)}/complete`, json: body, options })
  }
}

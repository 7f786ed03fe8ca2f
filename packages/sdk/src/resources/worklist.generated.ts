// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on worklist. */
export class Worklist {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List worklist tasks by priority, the newest of each first.
   *
   * Tasks for people, made by hand and by rules: collecting prints, changing filament, assembling, checking.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listTasks`.
   */
  list(query?: Query<api.ListTasksData>, options?: RequestOptions): List<api.ListTasksResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/worklist', query, options })
  }

  /**
   * Add a worklist task.
   *
   * It begins as pending. Without an assignee it goes to the default assignee of the account for its type.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createTask`.
   */
  create(body: Body<api.CreateTaskData>, options?: RequestOptions): Call<api.CreateTaskResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/worklist', json: body, options })
  }

  /**
   * Get the default assignees of new tasks.
   *
   * One member per type of task, and one for types that name none. An assignee that a request names goes first.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getTaskAssignmentDefaults`.
   */
  getAssignmentDefaults(options?: RequestOptions): Call<api.GetTaskAssignmentDefaultsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/worklist/assignment-defaults', options })
  }

  /**
   * Set the default assignee of new tasks of a type.
   *
   * Existing tasks keep their assignees.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setTaskAssignmentDefaults`.
   */
  setAssignmentDefaults(body: Body<api.SetTaskAssignmentDefaultsData>, options?: RequestOptions): Call<api.SetTaskAssignmentDefaultsResponses[200]> {
    return this.connection.call({ method: 'PUT', path: '/public/v1/worklist/assignment-defaults', json: body, options })
  }

  /**
   * Count worklist tasks.
   *
   * Open tasks by type and priority, all by status, and those that are overdue or have no assignee.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getTaskStats`.
   */
  getStats(options?: RequestOptions): Call<api.GetTaskStatsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/worklist/stats', options })
  }

  /**
   * Get a worklist task.
   *
   * With its description, its status, and the time that it took, in min.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getTask`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetTaskResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/worklist/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a worklist task.
   *
   * Fields that are left out stay as they are. Its status and assignee have routes of their own.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateTask`.
   */
  update(id: string, body: Body<api.UpdateTaskData>, options?: RequestOptions): Call<api.UpdateTaskResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/worklist/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a worklist task.
   *
   * For tasks entered by mistake. Cancel a task that will not be done instead: a cancelled task stays on record.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteTask`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteTaskResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/worklist/${encodeURIComponent(id)}`, options })
  }

  /**
   * Assign a worklist task to a member, or unassign it.
   *
   * Null removes the assignee. Only while the task is not over.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `assignTask`.
   */
  assign(id: string, body: Body<api.AssignTaskData>, options?: RequestOptions): Call<api.AssignTaskResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/worklist/${encodeURIComponent(id)}/assign`, json: body, options })
  }

  /**
   * Move a worklist task to a status.
   *
   * A completed task is final; every other may move to any status. Completing it stamps the time and, when it was in progress, how long it took. Completing a task that the farm made also carries it out: a collection clears the plate, an assembly turns its units into ready stock, a task to pick takes all units of the order, and one to pack makes the parcel.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setTaskStatus`.
   */
  setStatus(id: string, body: Body<api.SetTaskStatusData>, options?: RequestOptions): Call<api.SetTaskStatusResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/worklist/${encodeURIComponent(id)}/status`, json: body, options })
  }
}

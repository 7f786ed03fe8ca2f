// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, RequestOptions } from '../request.ts'

/** Operations on scheduler. */
export class Scheduler {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Get the settings of the scheduler.
   *
   * Settings of the whole account. Whether a printer takes part is a setting of the printer: `auto_start`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSchedulerSettings`.
   */
  getSettings(options?: RequestOptions): Call<api.GetSchedulerSettingsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/scheduler/settings', options })
  }

  /**
   * Change the settings of the scheduler.
   *
   * Fields that are left out stay as they are. Counts from the next decision on; prints that run are not touched.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateSchedulerSettings`.
   */
  updateSettings(body: Body<api.UpdateSchedulerSettingsData>, options?: RequestOptions): Call<api.UpdateSchedulerSettingsResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: '/public/v1/scheduler/settings', json: body, options })
  }
}

// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, Query, RequestOptions } from '../request.ts'

/** Operations on analytics. */
export class Analytics {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * Count prints that failed or were stopped.
   *
   * By the days of the account, at most 366 of them; without from and to the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsFailures`.
   */
  getFailures(query?: Query<api.GetAnalyticsFailuresData>, options?: RequestOptions): Call<api.GetAnalyticsFailuresResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/failures', query, options })
  }

  /**
   * Classify the failure of a print, or mark it as dealt with.
   *
   * Fields that are left out stay as they are. `reason` and `reason_code`, which the printer or the service gave, do not change.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updatePrintFailure`.
   */
  updateFailure(id: string, body: Body<api.UpdatePrintFailureData>, options?: RequestOptions): Call<api.UpdatePrintFailureResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/analytics/failures/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Get the camera picture of a print that failed or was stopped.
   *
   * A JPEG as the camera gave it, or with `size=small` a WebP. 404 where no picture is kept: the printer has no camera, it showed nothing within two minutes, or the picture is older than they are kept.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPrintFailurePicture`.
   */
  getFailurePicture(id: string, query?: Query<api.GetPrintFailurePictureData>, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/analytics/failures/${encodeURIComponent(id)}/picture`, query, options })
  }

  /**
   * Get the printing time of printers, by hour of the day.
   *
   * Each printer with the 24 hours of the day of the account, all days together. At most 92 days at once, by default the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listAnalyticsHours`.
   */
  listHours(query?: Query<api.ListAnalyticsHoursData>, options?: RequestOptions): Call<api.ListAnalyticsHoursResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/hours', query, options })
  }

  /**
   * Get the time of all printers, by cause.
   *
   * Minutes by cause; the causes sum to the time of all printers together. At most 92 days at once, by default the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listAnalyticsIdle`.
   */
  listIdle(query?: Query<api.ListAnalyticsIdleData>, options?: RequestOptions): Call<api.ListAnalyticsIdleResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/idle', query, options })
  }

  /**
   * Get the stock that is short, and the filament that was used.
   *
   * Stock and spools are those of this moment; usage is the quantity that prints and people took. By the days of the account, at most 366 of them; without from and to the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsInventoryItems`.
   */
  getInventory(query?: Query<api.GetAnalyticsInventoryItemsData>, options?: RequestOptions): Call<api.GetAnalyticsInventoryItemsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/inventory', query, options })
  }

  /**
   * Get the current counts of the farm.
   *
   * Printers and hubs are counted as they are at this moment. A day begins at midnight in the time zone of the account.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsOverview`.
   */
  getOverview(options?: RequestOptions): Call<api.GetAnalyticsOverviewResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/overview', options })
  }

  /**
   * Get the work of each printer.
   *
   * Jobs, failures and hours of the printers in use, and the share of the time that they printed. By the days of the account, at most 366 of them; without from and to the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsPrinters`.
   */
  getPrinters(query?: Query<api.GetAnalyticsPrintersData>, options?: RequestOptions): Call<api.GetAnalyticsPrintersResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/printers', query, options })
  }

  /**
   * Get the production of the farm.
   *
   * Jobs that ended, and their units. By the days of the account, at most 366 of them; without from and to the last 30. Revenue is that of orders, and is null when only the jobs of a printer or a product are looked at.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsProduction`.
   */
  getProduction(query?: Query<api.GetAnalyticsProductionData>, options?: RequestOptions): Call<api.GetAnalyticsProductionResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/production', query, options })
  }

  /**
   * Get the kept and missed promises of orders.
   *
   * Orders by the day for which they were promised first, against when they left. Cancelled and refunded ones are left out, and so are those whose day is still to come. By the days of the account, at most 366 of them; without from and to the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsPromises`.
   */
  getPromises(query?: Query<api.GetAnalyticsPromisesData>, options?: RequestOptions): Call<api.GetAnalyticsPromisesResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/promises', query, options })
  }

  /**
   * Get the revenue of orders.
   *
   * Orders by their date, in one currency, by default that of the account, without cancelled and refunded ones. By the days of the account, at most 366 of them; without from and to the last 30. Costs are not part of it.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsRevenue`.
   */
  getRevenue(query?: Query<api.GetAnalyticsRevenueData>, options?: RequestOptions): Call<api.GetAnalyticsRevenueResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/revenue', query, options })
  }

  /**
   * Get the yield of the plates that were printed.
   *
   * Plates that ended, their units, and the main causes of lost ones: failures by their type, and units that were found bad. By the days of the account, at most 366 of them; without from and to the last 30.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getAnalyticsYield`.
   */
  getYield(query?: Query<api.GetAnalyticsYieldData>, options?: RequestOptions): Call<api.GetAnalyticsYieldResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/analytics/yield', query, options })
  }
}

// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on printers. */
export class Printers {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List printers by name.
   *
   * Each with its current status, as its hub reports it. Filters by status look at the same.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPrinters`.
   */
  list(query?: Query<api.ListPrintersData>, options?: RequestOptions): List<api.ListPrintersResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/printers', query, options })
  }

  /**
   * Add a printer.
   *
   * Its plate is `unknown` until it is cleared: nothing starts on it before. docs/hub has a page for each connection type with its fields and what to switch on at the printer.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createPrinter`.
   */
  create(body: Body<api.CreatePrinterData>, options?: RequestOptions): Call<api.CreatePrinterResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/printers', json: body, options })
  }

  /**
   * List the current status of all printers, by name.
   *
   * The live fields of each come from the reports of its hub. The `live` frames of `/events/stream` hold the same fields as they change.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listLivePrinters`.
   */
  listLive(query?: Query<api.ListLivePrintersData>, options?: RequestOptions): List<api.ListLivePrintersResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/printers/live', query, options })
  }

  /**
   * Get a printer.
   *
   * With its plate, its health and the slots that it reports now. Credentials of its connection are never answered.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPrinter`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetPrinterResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a printer.
   *
   * A given `connection` replaces the stored one as a whole. While a print is under way the printer can neither change its hub nor be put out of use, unless it does not answer and a person looked: `seen_over`.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updatePrinter`.
   */
  update(id: string, body: Body<api.UpdatePrinterData>, options?: RequestOptions): Call<api.UpdatePrinterResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/printers/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a printer.
   *
   * Only while no job, finished or not, names it. Else put it out of use with `is_active: false`. `seen_over` ends the print on a printer that does not answer. That print is history, so the printer itself stays: the answer is RESOURCE_IN_USE and says that the print is ended.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deletePrinter`.
   */
  delete(id: string, query?: Query<api.DeletePrinterData>, options?: RequestOptions): Call<api.DeletePrinterResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/printers/${encodeURIComponent(id)}`, query, options })
  }

  /**
   * Pause, resume or stop a print, or confirm that the plate is clear.
   *
   * Works on whatever runs at the printer, also on a print that was started at its own screen. Clearing the plate works while the printer is seen idle, and while it is off.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `controlPrinter`.
   */
  control(id: string, body: Body<api.ControlPrinterData>, options?: RequestOptions): Call<api.ControlPrinterResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/printers/${encodeURIComponent(id)}/control`, json: body, isCommand: true, options })
  }

  /**
   * Load filament.
   *
   * Answered when the printer shows the effect. A printer that has no part for it answers COMMAND_NOT_SUPPORTED. Possible while the printer is idle or paused.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `loadFilament`.
   */
  loadFilament(id: string, body: Body<api.LoadFilamentData>, options?: RequestOptions): Call<api.LoadFilamentResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/printers/${encodeURIComponent(id)}/filament/load`, json: body, isCommand: true, options })
  }

  /**
   * Unload filament.
   *
   * Answered when the printer shows the effect. A printer that has no part for it answers COMMAND_NOT_SUPPORTED. Possible while the printer is idle or paused.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `unloadFilament`.
   */
  unloadFilament(id: string, body: Body<api.UnloadFilamentData>, options?: RequestOptions): Call<api.UnloadFilamentResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/printers/${encodeURIComponent(id)}/filament/unload`, json: body, isCommand: true, options })
  }

  /**
   * Heat the nozzle, the bed or the chamber, or let them cool.
   *
   * Answered when the printer shows the effect. A printer that has no part for it answers COMMAND_NOT_SUPPORTED. Heaters stay as they are set until they are changed.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `setPrinterHeaters`.
   */
  setHeaters(id: string, body: Body<api.SetPrinterHeatersData>, options?: RequestOptions): Call<api.SetPrinterHeatersResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/printers/${encodeURIComponent(id)}/heaters`, json: body, isCommand: true, options })
  }

  /**
   * Switch a printer's light.
   *
   * Answered when the printer shows the effect. A printer that has no part for it answers COMMAND_NOT_SUPPORTED.
   *
   * Scope: `control`. Least role: `operator`.
   *
   * Operation: `switchPrinterLight`.
   */
  switchLight(id: string, body: Body<api.SwitchPrinterLightData>, options?: RequestOptions): Call<api.SwitchPrinterLightResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/printers/${encodeURIComponent(id)}/light`, json: body, isCommand: true, options })
  }

  /**
   * Take a printer out of service, or put it back.
   *
   * A print that is under way goes on; nothing new begins while in maintenance.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `setPrinterMaintenance`.
   */
  setMaintenance(id: string, body: Body<api.SetPrinterMaintenanceData>, options?: RequestOptions): Call<api.SetPrinterMaintenanceResponses[200]> {
    return this.connection.call({ method: 'PUT', path: `/public/v1/printers/${encodeURIComponent(id)}/maintenance`, json: body, options })
  }

  /**
   * List the jobs that would print on a printer, in their order.
   *
   * Reads the first 1,000 jobs in the queue that this printer could take.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPrinterQueue`.
   */
  listQueue(id: string, query?: Query<api.ListPrinterQueueData>, options?: RequestOptions): List<api.ListPrinterQueueResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}/queue`, query, options })
  }

  /**
   * Get a picture from the camera of a printer.
   *
   * One JPEG, at most a second old: requests in that time share it, and the printer is asked by one connection. COMMAND_NOT_SUPPORTED when the printer has no camera that gives single pictures, or it is switched off. When there is no picture for now, HUB_COMMAND_FAILED gives the reason in `details.reason`: `camera_unreachable`, `camera_refused`, `printer_unreachable`, `timeout`, `not_a_picture`, `too_large`.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPrinterSnapshot`.
   */
  getSnapshot(id: string, options?: RequestOptions): Call<Response> {
    return this.connection.receive({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}/snapshot`, options })
  }

  /**
   * Get the current status of a printer.
   *
   * Read from the reports of its hub, never from the database.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPrinterStatus`.
   */
  getStatus(id: string, options?: RequestOptions): Call<api.GetPrinterStatusResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}/status`, options })
  }

  /**
   * Get the time of a printer, by cause.
   *
   * At any moment a printer is in one period with one cause, so the causes sum to the time that passed. Time that no one watched, because the hub or the service was away, is `offline`. At most 31 days at once.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPrinterTimeline`.
   */
  listTimeline(id: string, query?: Query<api.ListPrinterTimelineData>, options?: RequestOptions): Call<api.ListPrinterTimelineResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}/timeline`, query, options })
  }

  /**
   * Get the progress of sending a print file to a printer.
   *
   * Read from the reports of its hub, about one a second, never from the database.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPrinterTransfer`.
   */
  getTransfer(id: string, options?: RequestOptions): Call<api.GetPrinterTransferResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/printers/${encodeURIComponent(id)}/transfer`, options })
  }
}

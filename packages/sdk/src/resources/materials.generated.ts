// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Body, Call, Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on materials, components. */
export class MaterialsComponents {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the components, the newest first.
   *
   * With the quantity left, the low-stock threshold and the place. `low_stock` finds those that are low or used up.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listComponents`.
   */
  list(query?: Query<api.ListComponentsData>, options?: RequestOptions): List<api.ListComponentsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/materials/components', query, options })
  }

  /**
   * Add a component.
   *
   * The initial quantity is booked as the first movement.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createComponent`.
   */
  create(body: Body<api.CreateComponentData>, options?: RequestOptions): Call<api.CreateComponentResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/components', json: body, options })
  }

  /**
   * Check whether there is enough of some components.
   *
   * Nothing is reserved.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `checkComponentAvailability`.
   */
  checkAvailability(body: Body<api.CheckComponentAvailabilityData>, options?: RequestOptions): Call<api.CheckComponentAvailabilityResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/components/check-availability', json: body, options })
  }

  /**
   * Get a component.
   *
   * With the quantity left now, less everything that prints and people used.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getComponent`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetComponentResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/materials/components/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a component.
   *
   * Fields that are left out stay as they are. A remaining quantity is booked as a correction.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateComponent`.
   */
  update(id: string, body: Body<api.UpdateComponentData>, options?: RequestOptions): Call<api.UpdateComponentResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/materials/components/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a component.
   *
   * Its movements are deleted with it. Refused for a spool that is loaded or printed from, and for a material that a bill of materials names.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteComponent`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteComponentResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/materials/components/${encodeURIComponent(id)}`, options })
  }

  /**
   * Book usage of a component.
   *
   * Booked as a movement. Refused when more is taken than is in stock; usage by prints is booked automatically.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `consumeComponent`.
   */
  consume(id: string, body: Body<api.ConsumeComponentData>, options?: RequestOptions): Call<api.ConsumeComponentResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/components/${encodeURIComponent(id)}/consume`, json: body, options })
  }

  /**
   * List the movements of a component, the latest first.
   *
   * The changes add up to what remains.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listComponentMovements`.
   */
  listMovements(id: string, query?: Query<api.ListComponentMovementsData>, options?: RequestOptions): List<api.ListComponentMovementsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/materials/components/${encodeURIComponent(id)}/movements`, query, options })
  }

  /**
   * Restock a component.
   *
   * Booked as a movement. For a count or a weighing change the remaining quantity instead.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `restockComponent`.
   */
  restock(id: string, body: Body<api.RestockComponentData>, options?: RequestOptions): Call<api.RestockComponentResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/components/${encodeURIComponent(id)}/restock`, json: body, options })
  }
}

/** Operations on materials, packaging. */
export class MaterialsPackaging {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the packaging, the newest first.
   *
   * With the quantity left, the low-stock threshold and the place. `low_stock` finds those that are low or used up.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPackaging`.
   */
  list(query?: Query<api.ListPackagingData>, options?: RequestOptions): List<api.ListPackagingResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/materials/packaging', query, options })
  }

  /**
   * Add packaging.
   *
   * The initial quantity is booked as the first movement.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createPackaging`.
   */
  create(body: Body<api.CreatePackagingData>, options?: RequestOptions): Call<api.CreatePackagingResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/packaging', json: body, options })
  }

  /**
   * Get packaging.
   *
   * With the quantity left now, less everything that prints and people used.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPackaging`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetPackagingResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change packaging.
   *
   * Fields that are left out stay as they are. A remaining quantity is booked as a correction.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updatePackaging`.
   */
  update(id: string, body: Body<api.UpdatePackagingData>, options?: RequestOptions): Call<api.UpdatePackagingResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete packaging.
   *
   * Its movements are deleted with it. Refused for a spool that is loaded or printed from, and for a material that a bill of materials names.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deletePackaging`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeletePackagingResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}`, options })
  }

  /**
   * Book usage of packaging.
   *
   * Booked as a movement. Refused when more is taken than is in stock; usage by prints is booked automatically.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `consumePackaging`.
   */
  consume(id: string, body: Body<api.ConsumePackagingData>, options?: RequestOptions): Call<api.ConsumePackagingResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}/consume`, json: body, options })
  }

  /**
   * List the movements of packaging, the latest first.
   *
   * The changes add up to what remains.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPackagingMovements`.
   */
  listMovements(id: string, query?: Query<api.ListPackagingMovementsData>, options?: RequestOptions): List<api.ListPackagingMovementsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}/movements`, query, options })
  }

  /**
   * Restock packaging.
   *
   * Booked as a movement. For a count or a weighing change the remaining quantity instead.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `restockPackaging`.
   */
  restock(id: string, body: Body<api.RestockPackagingData>, options?: RequestOptions): Call<api.RestockPackagingResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/packaging/${encodeURIComponent(id)}/restock`, json: body, options })
  }
}

/** Operations on materials, filament. */
export class MaterialsFilament {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the filament, the newest first.
   *
   * With the quantity left, the low-stock threshold and the place. `low_stock` finds those that are low or used up.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listSpools`.
   */
  list(query?: Query<api.ListSpoolsData>, options?: RequestOptions): List<api.ListSpoolsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/materials/filament', query, options })
  }

  /**
   * Add a spool.
   *
   * The initial quantity is booked as the first movement.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createSpool`.
   */
  create(body: Body<api.CreateSpoolData>, options?: RequestOptions): Call<api.CreateSpoolResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/filament', json: body, options })
  }

  /**
   * Find the spool that a tag is on.
   *
   * Changes nothing. Takes OpenPrintTag, the tags of Bambu spools, and any other chip by its UID.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `scanSpoolTag`.
   */
  scanTag(body: Body<api.ScanSpoolTagData>, options?: RequestOptions): Call<api.ScanSpoolTagResponses[200]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/filament/scan', json: body, options })
  }

  /**
   * Get a spool.
   *
   * With the quantity left now, less everything that prints and people used.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSpool`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetSpoolResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/materials/filament/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a spool.
   *
   * Fields that are left out stay as they are. A remaining quantity is booked as a correction. With `printer_id` the spool is loaded, and the printer shows its filament; the former spool of the slot is unloaded.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateSpool`.
   */
  update(id: string, body: Body<api.UpdateSpoolData>, options?: RequestOptions): Call<api.UpdateSpoolResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/materials/filament/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a spool.
   *
   * Its movements are deleted with it. Refused for a spool that is loaded or printed from, and for a material that a bill of materials names.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteSpool`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeleteSpoolResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/materials/filament/${encodeURIComponent(id)}`, options })
  }

  /**
   * Book usage of a spool.
   *
   * Booked as a movement. Refused when more is taken than is in stock; usage by prints is booked automatically.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `consumeSpool`.
   */
  consume(id: string, body: Body<api.ConsumeSpoolData>, options?: RequestOptions): Call<api.ConsumeSpoolResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/consume`, json: body, options })
  }

  /**
   * List the movements of a spool, the latest first.
   *
   * The changes add up to what remains.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listSpoolMovements`.
   */
  listMovements(id: string, query?: Query<api.ListSpoolMovementsData>, options?: RequestOptions): List<api.ListSpoolMovementsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/movements`, query, options })
  }

  /**
   * Restock a spool.
   *
   * Booked as a movement. For a count or a weighing change the remaining quantity instead.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `restockSpool`.
   */
  restock(id: string, body: Body<api.RestockSpoolData>, options?: RequestOptions): Call<api.RestockSpoolResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/restock`, json: body, options })
  }

  /**
   * Get the tags of a spool.
   *
   * A scan of any of them finds the spool.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSpoolTags`.
   */
  getTags(id: string, options?: RequestOptions): Call<api.GetSpoolTagsResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/tags`, options })
  }

  /**
   * Put a tag on a spool.
   *
   * Again on the same spool is no change. Refused for a tag that is on another spool.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createSpoolTag`.
   */
  createTag(id: string, body: Body<api.CreateSpoolTagData>, options?: RequestOptions): Call<api.CreateSpoolTagResponses[201]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/tags`, json: body, options })
  }

  /**
   * Take a tag off a spool.
   *
   * A scan does not find the spool by it any more.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deleteSpoolTag`.
   */
  deleteTag(id: string, tag_id: string, options?: RequestOptions): Call<api.DeleteSpoolTagResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/materials/filament/${encodeURIComponent(id)}/tags/${encodeURIComponent(tag_id)}`, options })
  }
}

/** Operations on materials, parts. */
export class MaterialsParts {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the parts, the newest first.
   *
   * With the quantity left, the low-stock threshold and the place. `low_stock` finds those that are low or used up.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listParts`.
   */
  list(query?: Query<api.ListPartsData>, options?: RequestOptions): List<api.ListPartsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/materials/parts', query, options })
  }

  /**
   * Add a part.
   *
   * The initial quantity is booked as the first movement.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `createPart`.
   */
  create(body: Body<api.CreatePartData>, options?: RequestOptions): Call<api.CreatePartResponses[201]> {
    return this.connection.call({ method: 'POST', path: '/public/v1/materials/parts', json: body, options })
  }

  /**
   * Get a part.
   *
   * With the quantity left now, less everything that prints and people used.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getPart`.
   */
  get(id: string, options?: RequestOptions): Call<api.GetPartResponses[200]> {
    return this.connection.call({ method: 'GET', path: `/public/v1/materials/parts/${encodeURIComponent(id)}`, options })
  }

  /**
   * Change a part.
   *
   * Fields that are left out stay as they are. A remaining quantity is booked as a correction.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updatePart`.
   */
  update(id: string, body: Body<api.UpdatePartData>, options?: RequestOptions): Call<api.UpdatePartResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: `/public/v1/materials/parts/${encodeURIComponent(id)}`, json: body, options })
  }

  /**
   * Delete a part.
   *
   * Its movements are deleted with it. Refused for a spool that is loaded or printed from, and for a material that a bill of materials names.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `deletePart`.
   */
  delete(id: string, options?: RequestOptions): Call<api.DeletePartResponses[200]> {
    return this.connection.call({ method: 'DELETE', path: `/public/v1/materials/parts/${encodeURIComponent(id)}`, options })
  }

  /**
   * Book usage of a part.
   *
   * Booked as a movement. Refused when more is taken than is in stock; usage by prints is booked automatically.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `consumePart`.
   */
  consume(id: string, body: Body<api.ConsumePartData>, options?: RequestOptions): Call<api.ConsumePartResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/parts/${encodeURIComponent(id)}/consume`, json: body, options })
  }

  /**
   * List the movements of a part, the latest first.
   *
   * The changes add up to what remains.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPartMovements`.
   */
  listMovements(id: string, query?: Query<api.ListPartMovementsData>, options?: RequestOptions): List<api.ListPartMovementsResponses[200]> {
    return this.connection.list({ method: 'GET', path: `/public/v1/materials/parts/${encodeURIComponent(id)}/movements`, query, options })
  }

  /**
   * Restock a part.
   *
   * Booked as a movement. For a count or a weighing change the remaining quantity instead.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `restockPart`.
   */
  restock(id: string, body: Body<api.RestockPartData>, options?: RequestOptions): Call<api.RestockPartResponses[200]> {
    return this.connection.call({ method: 'POST', path: `/public/v1/materials/parts/${encodeURIComponent(id)}/restock`, json: body, options })
  }
}

/** Operations on materials. */
export class Materials {
  readonly components: MaterialsComponents
  readonly packaging: MaterialsPackaging
  readonly filament: MaterialsFilament
  readonly parts: MaterialsParts
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
    this.components = new MaterialsComponents(connection)
    this.packaging = new MaterialsPackaging(connection)
    this.filament = new MaterialsFilament(connection)
    this.parts = new MaterialsParts(connection)
  }

  /**
   * Forecast which materials run out, and what must be bought.
   *
   * Filament for jobs that are not over, by material and colour and by loaded spool, and components and packaging for open assembly tasks and parcels, against the stock at this moment.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getForecast`.
   */
  getForecast(query?: Query<api.GetForecastData>, options?: RequestOptions): Call<api.GetForecastResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/materials/forecast', query, options })
  }

  /**
   * Get the settings of materials.
   *
   * Settings of the whole account.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `getSettings`.
   */
  getSettings(options?: RequestOptions): Call<api.GetSettingsResponses[200]> {
    return this.connection.call({ method: 'GET', path: '/public/v1/materials/settings', options })
  }

  /**
   * Change the settings of materials.
   *
   * Fields that are left out stay as they are. Counts from the next start on; prints that run are not touched.
   *
   * Scope: `write`. Least role: `operator`.
   *
   * Operation: `updateSettings`.
   */
  updateSettings(body: Body<api.UpdateSettingsData>, options?: RequestOptions): Call<api.UpdateSettingsResponses[200]> {
    return this.connection.call({ method: 'PATCH', path: '/public/v1/materials/settings', json: body, options })
  }
}

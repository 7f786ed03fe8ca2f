// Printed from the API description by packages/sdk/generator/generate-sdk.ts; changes are lost.
import type * as api from '../generated/api.generated.ts'
import type { Connection, List, Query, RequestOptions } from '../request.ts'

/** Operations on printerModels. */
export class PrinterModels {
  protected readonly connection: Connection

  constructor(connection: Connection) {
    this.connection = connection
  }

  /**
   * List the known models of printers, by name.
   *
   * For the choice of a model when a printer is added. A printer of another model can be added as well: files must then name the model as it was entered.
   *
   * Scope: `read`. Least role: `viewer`.
   *
   * Operation: `listPrinterModels`.
   */
  list(query?: Query<api.ListPrinterModelsData>, options?: RequestOptions): List<api.ListPrinterModelsResponses[200]> {
    return this.connection.list({ method: 'GET', path: '/public/v1/printer-models', query, options })
  }
}

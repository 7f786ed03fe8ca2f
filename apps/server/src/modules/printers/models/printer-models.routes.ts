import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { failures, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import {
  PrinterModel,
  type PrinterModelsFilter,
  PrinterModelsQuery,
  presentPrinterModel,
} from './printer-models.schema.ts'
import { catalogue } from './printer-models.ts'

export function printerModelRoutes(routes: App, context: Context): void {
  routes.get(
    '/printer-models',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Printers'],
        summary: 'List the known models of printers, by name',
        description:
          'For the choice of a model when a printer is added. A printer of another model can be added as well: files must then name the model as it was entered.',
        querystring: PrinterModelsQuery,
        response: { 200: pageEnvelope(PrinterModel), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, async (filter) => listModels(filter))
      return page(rows.map(presentPrinterModel), meta)
    },
  )
}

function listModels({ search, limit, offset, after }: PrinterModelsFilter) {
  const wanted = search?.toLowerCase() ?? ''
  return catalogue
    .filter(({ fullName, model }) =>
      [fullName, ...(model.also ?? [])].some((name) => name.toLowerCase().includes(wanted)),
    )
    .filter(({ fullName }) => after === undefined || fullName > (after.key ?? ''))
    .slice(offset, offset + limit)
    .map((entry) => ({ ...entry, page_key: entry.fullName }))
}

import { createHash } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import { answerOncePrepared } from '../../../http/idempotency.ts'
import { refuseOtherBodies } from '../../../http/request/json-body.ts'
import { waitForTurn } from '../../../http/request/read-turns.ts'
import { makeValidatorOfAllButBody } from '../../../http/request/validation.ts'
import { envelope, failures, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { workOf } from '../../events/work.ts'
import { bytes } from '../../files/files.schema.ts'
import { getOrderSettings, requireCurrency } from '../settings/order-settings.service.ts'
import { formats } from './formats.ts'
import { ImportParams, ImportQuery, OrderImport, OrderImportProgress, presentRow } from './import.schema.ts'
import { importOrders, type RowResult } from './import-orders.ts'
import { findImportProgress } from './import-progress.queries.ts'
import { withProgress } from './import-progress.ts'
import { mostRows, readCsv } from './read-csv.ts'
import { readOrders } from './read-orders.ts'

/** The largest file: as many rows as are taken, each of a thousand characters. */
const mostBytes = 10 * 1024 * 1024

/** A file as a body. As JSON, by which an Idempotency-Key compares requests, it is its hash. */
class CsvBody {
  readonly bytes: Buffer

  constructor(content: Buffer) {
    this.bytes = content
  }

  toJSON(): string {
    return createHash('sha256').update(this.bytes).digest('hex')
  }
}

/** The import in a plugin of its own, because there a body is CSV and nothing else. */
export function importRoutes(app: App, context: Context): void {
  importProgressRoute(app, context)
  void app.register(async (plugin) => importRoute(plugin as App, context))
}

function importRoute(app: App, context: Context): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'buffer' },
    async (_request: unknown, content: Buffer) => new CsvBody(content),
  )
  refuseOtherBodies(app, 'text/csv')

  app.post(
    '/orders/import',
    {
      config: { scope: 'write' },
      bodyLimit: mostBytes,
      // Files of one account are recorded one after another: together they would hold up the reads of others.
      preParsing: waitForTurn(1),
      validatorCompiler: makeValidatorOfAllButBody(),
      schema: {
        tags: ['Orders'],
        summary: 'Record the orders of a file',
        description:
          'Comma-separated values in UTF-8, of our own form or as Shopify, Etsy ("Order Items") and plugins of WooCommerce export them; ' +
          `at most ${mostRows} rows. Rows of one order are put together. Orders that their shop has already are left alone, so that ` +
          'the same file can be sent again; those that are over in their shop are skipped. Lines that stand for no SKU are kept as ' +
          'unmapped. With `dry_run` nothing is written, and the answer is the same.',
        querystring: ImportQuery,
        body: bytes(['text/csv'], 'The file'),
        response: { 200: envelope(OrderImport), ...failures('QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      withProgress(context, request.actor.accountId, request.query.progress_id, (tell) => {
        let totalRows = 0
        return answerOncePrepared(
          context,
          request,
          reply,
          200,
          async () => {
            const { query, actor } = request
            if (query.currency !== undefined) requireCurrency(query.currency)
            const { currency } = await getOrderSettings(context.db.sql, actor.accountId)
            const content = request.body instanceof CsvBody ? request.body.bytes : Buffer.alloc(0)
            const table = await readCsv(content, (rows) => tell({ done_rows: rows, total_rows: null }))
            totalRows = table.rows.length
            return readOrders(table, {
              format: query.format,
              shop: query.shop ?? '',
              currency: query.currency ?? currency,
            })
          },
          async (sql, { format, ignoredColumns, orders }) => {
            const { query, actor } = request
            const shop = { platform: formats[format].platform, shop: query.shop ?? '' }
            const work = workOf(context, actor, sql)
            const rows = await importOrders(context, work, shop, orders, {
              isDryRun: query.dry_run,
              onRows: (done) => tell({ done_rows: done, total_rows: totalRows }),
            })
            return ok({
              dry_run: query.dry_run,
              format,
              ignored_columns: ignoredColumns,
              ...summarise(
                rows,
                orders.map((order) => order.rows[0] ?? 0),
              ),
              rows: rows.map(presentRow),
            })
          },
        )
      }),
  )
}

/** Route that tells how far imports are that go on. */
function importProgressRoute(app: App, context: Context): void {
  app.get(
    '/order-imports/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags: ['Orders'],
        summary: 'Get the progress of an import of orders',
        description: 'While it goes on, by the `progress_id` that it was sent with; 404 before and after.',
        params: ImportParams,
        response: { 200: envelope(OrderImportProgress), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const progress = await findImportProgress(context.db.sql, actor.accountId, params.id)
      if (!progress) throw notFound('import')
      return ok(progress)
    },
  )
}

/** The outcome of an order is that of its first row. */
function summarise(rows: readonly RowResult[], firstRows: readonly number[]) {
  const first = new Set(firstRows)
  const counts = { created: 0, exists: 0, skipped: 0, refused: 0 }
  for (const { row, outcome } of rows) if (first.has(row)) counts[outcome] += 1
  const unmapped = rows.filter(({ outcome, isUnmapped }) => outcome === 'created' && isUnmapped)
  return { orders: counts, unmapped_items: unmapped.length }
}

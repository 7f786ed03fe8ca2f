import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { publicUrl } from '../../../http/public-url.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  pageQuery,
  postFailures,
  request,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { listItems, listMovements } from './inventory.queries.ts'
import {
  AdjustmentBody,
  InventoryItem,
  InventoryQuery,
  mostItems,
  presentAdjustment,
  presentItem,
  presentMovement,
  StockAdjustment,
  StockMovement,
  ThresholdBody,
} from './inventory.schema.ts'
import { adjustStock, getItem, setThreshold } from './inventory.service.ts'
import { lockItem } from './stock-ledger.ts'

const tags = ['Inventory']

export function inventoryRoutes(app: App, context: Context): void {
  app.get(
    '/inventory',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the stock of finished goods by the codes of their SKUs',
        description:
          'One item for each SKU. Without `limit` up to 500 items are answered, which is all that most farms have.',
        querystring: InventoryQuery,
        response: { 200: pageEnvelope(InventoryItem), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(
        context,
        request,
        (filter) => listItems(context.db.sql, request.actor.accountId, filter),
        mostItems,
      )
      const baseUrl = publicUrl(context, request)
      return page(
        rows.map((item) => presentItem(item, baseUrl)),
        meta,
      )
    },
  )

  app.get(
    '/inventory/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get an inventory item',
        description:
          'The stock of one SKU with its threshold and status. What changed it is listed under its movements.',
        params: idParams('inventoryItem'),
        response: { 200: envelope(InventoryItem), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const item = await getItem(context.db.sql, request.actor.accountId, request.params.id)
      return ok(presentItem(item, publicUrl(context, request)))
    },
  )

  app.put(
    '/inventory/:id/threshold',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the low-stock threshold of an inventory item',
        description: 'The status of the item is recalculated.',
        params: idParams('inventoryItem'),
        body: ThresholdBody,
        response: {
          200: envelope(InventoryItem),
          ...failures('NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const baseUrl = publicUrl(context, request)
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockItem(sql, actor.accountId, params.id)
        return presentItem(await getItem(sql, actor.accountId, params.id), baseUrl)
      })
      return ok(
        presentItem(
          await begin((sql) => setThreshold(workOf(context, actor, sql), params.id, body.low_stock_threshold)),
          baseUrl,
        ),
      )
    },
  )

  app.post(
    '/inventory/:id/adjust',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Correct the ready stock of an inventory item',
        description:
          'The correction stands in the movements of the item. It is refused when it takes off more than there is.',
        params: idParams('inventoryItem'),
        body: AdjustmentBody,
        response: { 200: envelope(StockAdjustment), ...failures('NOT_FOUND', 'INSUFFICIENT_STOCK', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) =>
        ok(
          presentAdjustment(
            await adjustStock(workOf(context, request.actor, sql), request.params.id, request.body),
            publicUrl(context, request),
          ),
        ),
      ),
  )

  app.get(
    '/inventory/:id/movements',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List what changed the stock of an inventory item, the latest first',
        description: 'The changes of each of the two quantities add up to what there is of it.',
        params: idParams('inventoryItem'),
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(StockMovement), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { actor, params } = request
      const { rows, meta } = await readPage(context, request, async (bounds) => {
        await getItem(context.db.sql, actor.accountId, params.id)
        return listMovements(context.db.sql, actor.accountId, params.id, bounds)
      })
      return page(rows.map(presentMovement), meta)
    },
  )
}

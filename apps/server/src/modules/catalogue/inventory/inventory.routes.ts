import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { beginIfMatch, tagAsGet } from '../../../http/conditional.ts'
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
import type { InventoryItemId } from '../../../kernel/ids.ts'
import { namesOfMovements } from '../../events/record-names.queries.ts'
import { workOf } from '../../events/work.ts'
import { countInventory, listAlerts, listItems, listMovements } from './inventory.queries.ts'
import {
  AdjustmentBody,
  DeletedItem,
  InventoryAlert,
  InventoryItem,
  InventoryItemDetail,
  InventoryQuery,
  InventoryStats,
  ItemChangesBody,
  mostAlerts,
  mostItems,
  NewItemBody,
  presentAdjustment,
  presentAlert,
  presentInventoryStats,
  presentItem,
  presentItemDetail,
  presentMovement,
  presentStocked,
  StockAdjustment,
  StockedItem,
  StockMovement,
  ThresholdBody,
} from './inventory.schema.ts'
import {
  adjustStock,
  changeItem,
  getItem,
  getItemDetail,
  restoreItem,
  retireItem,
  setThreshold,
} from './inventory.service.ts'
import { lockItem } from './stock-ledger.ts'

const tags = ['Inventory']

const ItemEnvelope = envelope(InventoryItemDetail)

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
        response: { 200: pageEnvelope(StockedItem), ...failures() },
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
        rows.map((item) => presentStocked(item, baseUrl)),
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
        description: 'The stock of one SKU with its threshold and status. Its changes are listed under its movements.',
        params: idParams('inventoryItem'),
        response: { 200: ItemEnvelope, ...failures('NOT_FOUND') },
      },
    },
    async (request) => ok(await detailOf(context.db.sql, request, request.params.id)),
  )

  app.post(
    '/inventory',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Bring the inventory item of a SKU back into use',
        description:
          'Each SKU has its item from the beginning; this is for one that was deleted. `ready_stock` is booked as a count.',
        body: NewItemBody,
        response: {
          201: envelope(InventoryItem),
          ...failures('SKU_NOT_FOUND', 'ALREADY_EXISTS', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(
          presentItem(
            await restoreItem(workOf(context, request.actor, sql), request.body),
            publicUrl(context, request),
          ),
        ),
      ),
  )

  app.get(
    '/inventory/alerts',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List active items that are low or out of stock',
        description: `The largest shortage to the threshold first, then by code; at most ${mostAlerts}.`,
        response: {
          200: envelope(Type.Array(InventoryAlert, { description: 'Items that are short' })),
          ...failures(),
        },
      },
    },
    async (request) => {
      const baseUrl = publicUrl(context, request)
      const alerts = await listAlerts(context.db.sql, request.actor.accountId, mostAlerts)
      return ok(alerts.map((item) => presentAlert(item, baseUrl)))
    },
  )

  app.get(
    '/inventory/stats',
    {
      config: { scope: 'read', tagged: false },
      schema: {
        tags,
        summary: 'Count active inventory items',
        description: 'Counts by status, with their units. Nothing is cached: the counts are those of this moment.',
        response: { 200: envelope(InventoryStats), ...failures() },
      },
    },
    async ({ actor }) => ok(presentInventoryStats(await countInventory(context.db.sql, actor.accountId))),
  )

  app.patch(
    '/inventory/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change an inventory item',
        description: 'Fields that are left out stay as they are. Stock corrections have a route of their own.',
        params: idParams('inventoryItem'),
        body: ItemChangesBody,
        response: { 200: ItemEnvelope, ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      return beginOnItem(
        request,
        reply,
      )(async (sql) => {
        await changeItem(workOf(context, actor, sql), params.id, body)
        return ok(await detailOf(sql, request, params.id))
      })
    },
  )

  app.delete(
    '/inventory/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take an inventory item out of use',
        description:
          'It raises no alerts and is not counted any more; its row and its movements stay. Refused while it holds units or anything open needs its SKU.',
        params: idParams('inventoryItem'),
        response: { 200: envelope(DeletedItem), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => retireItem(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
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
      return beginOnItem(
        request,
        reply,
      )(async (sql) => {
        const item = await setThreshold(workOf(context, actor, sql), params.id, body.low_stock_threshold)
        tagAsGet(reply, await detailOf(sql, request, params.id), ItemEnvelope)
        return ok(presentItem(item, publicUrl(context, request)))
      })
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
          'The correction is recorded in the movements of the item. It is refused when it takes off more than is in stock.',
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
        summary: 'List the movements of an inventory item, the latest first',
        description: 'The changes of each of the two quantities add up to that quantity.',
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
      const names = await namesOfMovements(context.db.sql, actor, rows, (row) => [row.job_id, row.order_id])
      return page(
        rows.map((row) => presentMovement(row, names.actors, names.records)),
        meta,
      )
    },
  )

  async function detailOf(sql: Sql, request: FastifyRequest, itemId: InventoryItemId) {
    const { item, around, bom } = await getItemDetail(sql, request.actor.accountId, itemId)
    return presentItemDetail(item, around, bom, publicUrl(context, request))
  }

  function beginOnItem(request: FastifyRequest<{ Params: { id: InventoryItemId } }>, reply: FastifyReply) {
    const { id } = request.params
    return beginIfMatch(
      context,
      request,
      reply,
      async (sql) => {
        await lockItem(sql, request.actor.accountId, id)
        return detailOf(sql, request, id)
      },
      ItemEnvelope,
    )
  }
}

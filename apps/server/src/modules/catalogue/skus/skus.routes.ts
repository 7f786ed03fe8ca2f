import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { readPage } from '../../../http/cursor.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  postFailures,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { AccountId, SkuId } from '../../../kernel/ids.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { loadBom } from '../bom/bom.service.ts'
import { listRecipesOfSku } from '../recipes/recipes.queries.ts'
import { listSkus } from './skus.queries.ts'
import {
  NewSkuBody,
  presentSku,
  presentSkuDetail,
  RemovedSku,
  Sku,
  SkuChangesBody,
  SkuDetail,
  SkusQuery,
} from './skus.schema.ts'
import { changeSku, createSku, getSku, removeSkus } from './skus.service.ts'

const tags = ['Products']

export function skuRoutes(app: App, context: Context): void {
  app.post(
    '/skus',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a SKU to a product',
        description: 'Its inventory item is created with it and is empty.',
        body: NewSkuBody,
        response: {
          201: envelope(Sku),
          ...failures('PRODUCT_NOT_FOUND', 'DUPLICATE_SKU', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'skus')
        return ok(presentSku(await createSku(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/skus',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List SKUs, the newest first',
        description:
          'Variants of all products with their ready stock, in units. `low_stock` compares that with the threshold of each.',
        querystring: SkusQuery,
        response: { 200: pageEnvelope(Sku), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listSkus(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentSku), meta)
    },
  )

  app.get(
    '/skus/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a SKU',
        description:
          'A variant of a product with its ready stock, in units, the threshold at which that counts as low, and how it is made.',
        params: idParams('sku'),
        response: { 200: envelope(SkuDetail), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(await readDetail(context.db.sql, actor.accountId, params.id)),
  )

  app.patch(
    '/skus/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a SKU',
        description: 'Fields that are left out stay as they are.',
        params: idParams('sku'),
        body: SkuChangesBody,
        response: {
          200: envelope(SkuDetail),
          ...failures('NOT_FOUND', 'DUPLICATE_SKU', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'skus', actor.accountId, params.id)
        return readDetail(sql, actor.accountId, params.id)
      })
      return ok(
        await begin(async (sql) => {
          await changeSku(workOf(context, actor, sql), params.id, body)
          return readDetail(sql, actor.accountId, params.id)
        }),
      )
    },
  )

  app.delete(
    '/skus/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a SKU',
        description:
          'Refused while an open order, a job, an assembly or the bill of materials of another SKU needs it. One that records name (orders, jobs, movements of stock) stays, out of use: `deleted` is false then.',
        params: idParams('sku'),
        response: {
          200: envelope(RemovedSku),
          ...failures('NOT_FOUND', 'SKU_IN_USE_BY_ORDER', 'PART_IN_EXTERNAL_BOM', 'RESOURCE_IN_USE'),
        },
      },
    },
    async ({ actor, params }) => {
      const [removed] = await context.db.beginFor(actor.accountId, (sql) =>
        removeSkus(workOf(context, actor, sql), [params.id]),
      )
      return ok({ id: params.id, deleted: removed?.deleted ?? false })
    },
  )
}

async function readDetail(sql: Sql, accountId: AccountId, skuId: SkuId) {
  const sku = await getSku(sql, accountId, skuId)
  return presentSkuDetail(sku, await loadBom(sql, accountId, skuId), await listRecipesOfSku(sql, accountId, skuId))
}

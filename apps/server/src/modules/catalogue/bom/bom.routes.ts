import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { lockBoms } from './bom.queries.ts'
import { BomBody, presentBom, SkuBom } from './bom.schema.ts'
import { getBom, setBom } from './bom.service.ts'

const tags = ['Products']

export function bomRoutes(app: App, context: Context): void {
  app.get(
    '/skus/:id/bom',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the bill of materials of a SKU',
        description: 'Parts and components of one unit, one level deep, with the stock of each. Empty for most SKUs.',
        params: idParams('sku'),
        response: { 200: envelope(SkuBom), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentBom(await getBom(context.db.sql, actor.accountId, params.id))),
  )

  app.put(
    '/skus/:id/bom',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the bill of materials of a SKU',
        description:
          'The whole bill is replaced. A SKU with children is composite: it is assembled from their ready stock and from components; packaging is taken when units are shipped. Children may have bills of their own, but no SKU may be made of itself by any way.',
        params: idParams('sku'),
        body: BomBody,
        response: {
          200: envelope(SkuBom),
          ...failures('NOT_FOUND', 'SKU_NOT_FOUND', 'UNKNOWN_INVENTORY_ITEM', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockBoms(sql, actor.accountId)
        return presentBom(await getBom(sql, actor.accountId, params.id))
      })
      return ok(presentBom(await begin((sql) => setBom(workOf(context, actor, sql), params.id, body))))
    },
  )
}

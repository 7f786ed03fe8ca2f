import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import { lockRow } from '../../../db/lock-row.ts'
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
  postFailures,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { listImagesOfProducts } from '../images/product-images.queries.ts'
import { listSkusOfProducts } from '../skus/skus.queries.ts'
import { listProducts, type ProductRow } from './products.queries.ts'
import {
  type AroundProducts,
  NewProductBody,
  Product,
  ProductChangesBody,
  ProductsQuery,
  presentProduct,
  presentProducts,
} from './products.schema.ts'
import { changeProduct, createProduct, getProduct } from './products.service.ts'

const tags = ['Products']

export function productRoutes(app: App, context: Context): void {
  app.post(
    '/products',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a product',
        description: 'It has no SKUs yet: what is sold and stocked are its SKUs, which are added to it.',
        body: NewProductBody,
        response: { 201: envelope(Product), ...failures('DUPLICATE_NAME', 'QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'products')
        return ok(await present(sql, request, await createProduct(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/products',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List products with their SKUs and images, the newest first',
        description: 'Each with all its variants and their stock, so that one call fills a catalogue.',
        querystring: ProductsQuery,
        response: { 200: pageEnvelope(Product), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listProducts(context.db.sql, request.actor.accountId, filter),
      )
      return page(presentProducts(rows, await readAround(context.db.sql, request, rows)), meta)
    },
  )

  app.get(
    '/products/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a product with its SKUs and images',
        description: 'The SKUs stand in the order in which they were made; the first image stands for the product.',
        params: idParams('product'),
        response: { 200: envelope(Product), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const product = await getProduct(context.db.sql, request.actor.accountId, request.params.id)
      return ok(await present(context.db.sql, request, product))
    },
  )

  app.patch(
    '/products/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a product',
        description: 'Fields that are left out stay as they are.',
        params: idParams('product'),
        body: ProductChangesBody,
        response: {
          200: envelope(Product),
          ...failures('NOT_FOUND', 'DUPLICATE_NAME', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'products', actor.accountId, params.id)
        return present(sql, request, await getProduct(sql, actor.accountId, params.id))
      })
      const product = await begin((sql) => changeProduct(workOf(context, actor, sql), params.id, body))
      return ok(await present(context.db.sql, request, product))
    },
  )

  async function present(sql: Sql, request: FastifyRequest, product: ProductRow) {
    return presentProduct(product, await readAround(sql, request, [product]))
  }

  async function readAround(sql: Sql, request: FastifyRequest, products: ProductRow[]): Promise<AroundProducts> {
    const ids = products.map((product) => product.id)
    const [skus, images] = await Promise.all([
      listSkusOfProducts(sql, request.actor.accountId, ids),
      listImagesOfProducts(sql, request.actor.accountId, ids),
    ])
    return { skus, images, baseUrl: publicUrl(context, request) }
  }
}

import type { Context } from '../../context.ts'
import { answerOnce } from '../../http/idempotency.ts'
import { bodyFailures, envelope, failures, IdParams, ok, page, pageEnvelope, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { listSkusOfProducts } from '../skus/skus.queries.ts'
import { listProducts } from './products.queries.ts'
import {
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
        body: NewProductBody,
        response: { 201: envelope(Product), ...failures('DUPLICATE_NAME', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(presentProduct(await createProduct(sql, request.actor, request.body), [])),
      ),
  )

  app.get(
    '/products',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List products with their SKUs, the newest first',
        querystring: ProductsQuery,
        response: { 200: pageEnvelope(Product), ...failures() },
      },
    },
    async ({ actor, query }) => {
      const products = await listProducts(context.db.sql, actor.accountId, query)
      const ids = products.map((product) => product.id)
      const skus = await listSkusOfProducts(context.db.sql, actor.accountId, ids)
      return page(presentProducts(products, skus), query)
    },
  )

  app.get(
    '/products/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a product with its SKUs',
        params: IdParams,
        response: { 200: envelope(Product), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const product = await getProduct(context.db.sql, actor.accountId, params.id)
      return ok(presentProduct(product, await listSkusOfProducts(context.db.sql, actor.accountId, [params.id])))
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
        params: IdParams,
        body: ProductChangesBody,
        response: {
          200: envelope(Product),
          ...failures('NOT_FOUND', 'DUPLICATE_NAME', ...bodyFailures),
        },
      },
    },
    async ({ actor, params, body }) => {
      const product = await context.db.begin((sql) => changeProduct(sql, actor, params.id, body))
      return ok(presentProduct(product, await listSkusOfProducts(context.db.sql, actor.accountId, [params.id])))
    },
  )
}

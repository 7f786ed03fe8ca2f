import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
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
import { removeUnreferenced } from '../../files/content-references.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { listImagesOfProducts } from '../images/product-images.queries.ts'
import { listComponentsOfProducts, loadKits } from '../kits/kits.queries.ts'
import { KitBody, NewKitBody } from '../kits/kits.schema.ts'
import { listSkusOfProducts } from '../skus/skus.queries.ts'
import { changeKit, createKit, mostRecipesOf, mostSkusOf } from './kit-products.service.ts'
import { listProductCategories, listProducts, type ProductRow } from './products.queries.ts'
import {
  type AroundProducts,
  NewProductBody,
  Product,
  ProductCategory,
  ProductChangesBody,
  ProductsQuery,
  presentProduct,
  presentProducts,
  RemovedProduct,
} from './products.schema.ts'
import { changeProduct, createProduct, getProduct } from './products.service.ts'
import { removeProduct } from './remove-product.ts'

const tags = ['Products']

export function productRoutes(app: App, context: Context): void {
  app.post(
    '/products',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a product',
        description: 'It has no SKUs yet: add the SKUs, which are the units that are sold and stocked.',
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

  app.get(
    '/products/categories',
    {
      config: { scope: 'read', tagged: false },
      schema: {
        tags,
        summary: 'List the categories of products by name',
        description: 'Categories of at least one product, in use or not, with the number of their products.',
        response: {
          200: envelope(Type.Array(ProductCategory, { description: 'Categories by name' })),
          ...failures(),
        },
      },
    },
    async ({ actor }) => ok(await listProductCategories(context.db.sql, actor.accountId)),
  )

  app.delete(
    '/products/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a product with its SKUs',
        description:
          'Refused while anything open needs one of them. When records name it (orders, jobs, movements of stock) it stays, out of use: `deleted` is false then.',
        params: idParams('product'),
        response: {
          200: envelope(RemovedProduct),
          ...failures('NOT_FOUND', 'SKU_IN_USE_BY_ORDER', 'PART_IN_EXTERNAL_BOM', 'RESOURCE_IN_USE'),
        },
      },
    },
    async ({ actor, params }) => {
      const { deleted, contents } = await context.db.beginFor(actor.accountId, (sql) =>
        removeProduct(workOf(context, actor, sql), params.id),
      )
      await removeUnreferenced(context, contents)
      return ok({ id: params.id, deleted })
    },
  )

  app.post(
    '/products/kit',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a kit: a product that is put together from parts',
        description:
          'In one step: the product, a SKU for each variant, a SKU for each part in each colour that variants need, and their bills of materials. A part with a `fixed_color` has it in all variants; any other has the colour of the variant. A failure leaves nothing behind.',
        body: NewKitBody,
        response: {
          201: envelope(Product),
          ...failures(
            'PRINT_FILE_NOT_FOUND',
            'UNKNOWN_INVENTORY_ITEM',
            'SKU_NOT_FOUND',
            'DUPLICATE_NAME',
            'DUPLICATE_SKU',
            'QUOTA_EXCEEDED',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const { actor, body } = request
        await requireRoom(context, sql, actor.accountId, 'products')
        await requireRoom(context, sql, actor.accountId, 'skus', mostSkusOf(body))
        await requireRoom(context, sql, actor.accountId, 'recipes', mostRecipesOf(body))
        return ok(await present(sql, request, await createKit(workOf(context, actor, sql), body)))
      }),
  )

  app.put(
    '/products/:id/kit',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the variants and parts of a kit',
        description:
          'The whole kit is replaced. SKUs named by `sku_id` and parts named by `part_id` are kept, with their stock; those no longer named are removed, unless something open needs them. A product with SKUs of its own becomes a kit by it.',
        params: idParams('product'),
        body: KitBody,
        response: {
          200: envelope(Product),
          ...failures(
            'NOT_FOUND',
            'PRINT_FILE_NOT_FOUND',
            'UNKNOWN_INVENTORY_ITEM',
            'SKU_NOT_FOUND',
            'DUPLICATE_NAME',
            'DUPLICATE_SKU',
            'PART_IN_EXTERNAL_BOM',
            'SKU_IN_USE_BY_ORDER',
            'RESOURCE_IN_USE',
            'QUOTA_EXCEEDED',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'products', actor.accountId, params.id)
        return present(sql, request, await getProduct(sql, actor.accountId, params.id))
      })
      return begin(async (sql) => {
        await requireRoom(context, sql, actor.accountId, 'skus', mostSkusOf(body))
        await requireRoom(context, sql, actor.accountId, 'recipes', mostRecipesOf(body))
        return ok(await present(sql, request, await changeKit(workOf(context, actor, sql), params.id, body)))
      })
    },
  )

  async function present(sql: Sql, request: FastifyRequest, product: ProductRow) {
    return presentProduct(product, await readAround(sql, request, [product]))
  }

  async function readAround(sql: Sql, request: FastifyRequest, products: ProductRow[]): Promise<AroundProducts> {
    const ids = products.map((product) => product.id)
    const { accountId } = request.actor
    const [skus, images, kits, components] = await Promise.all([
      listSkusOfProducts(sql, accountId, ids),
      listImagesOfProducts(sql, accountId, ids),
      loadKits(sql, accountId, ids),
      listComponentsOfProducts(sql, accountId, ids),
    ])
    return { skus, images, kits, components, baseUrl: publicUrl(context, request) }
  }
}

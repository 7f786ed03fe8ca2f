import type { Context } from '../../../context/context.ts'
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
import { workOf } from '../../events/work.ts'
import { requireRoom } from '../../quotas/quotas.service.ts'
import { listRecipes } from './recipes.queries.ts'
import {
  DeletedRecipe,
  NewRecipeBody,
  presentRecipe,
  Recipe,
  RecipeChangesBody,
  RecipesQuery,
} from './recipes.schema.ts'
import { changeRecipe, createRecipe, getRecipe, removeRecipe } from './recipes.service.ts'

const tags = ['Products']

export function recipeRoutes(app: App, context: Context): void {
  app.post(
    '/recipes',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a recipe: how a SKU is made',
        description:
          'A SKU may have several, one for each printer model or batch size. A product, SKU and file go together once.',
        body: NewRecipeBody,
        response: {
          201: envelope(Recipe),
          ...failures(
            'PRODUCT_NOT_FOUND',
            'SKU_NOT_FOUND',
            'FILE_NOT_FOUND',
            'FILE_NOT_SLICED',
            'ALREADY_EXISTS',
            'QUOTA_EXCEEDED',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'recipes')
        return ok(presentRecipe(await createRecipe(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/recipes',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List recipes, the newest first',
        description: 'Recipes of SKUs: print files, and the units that one plate of each yields.',
        querystring: RecipesQuery,
        response: { 200: pageEnvelope(Recipe), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listRecipes(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentRecipe), meta)
    },
  )

  app.get(
    '/recipes/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get a recipe',
        description: 'The print file, and the units that one plate of it yields.',
        params: idParams('recipe'),
        response: { 200: envelope(Recipe), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentRecipe(await getRecipe(context.db.sql, actor.accountId, params.id))),
  )

  app.patch(
    '/recipes/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a recipe',
        description: 'Fields that are left out stay as they are. Jobs that were made by it stay as they are.',
        params: idParams('recipe'),
        body: RecipeChangesBody,
        response: {
          200: envelope(Recipe),
          ...failures(
            'NOT_FOUND',
            'SKU_NOT_FOUND',
            'FILE_NOT_FOUND',
            'FILE_NOT_SLICED',
            'ALREADY_EXISTS',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'recipes', actor.accountId, params.id)
        return presentRecipe(await getRecipe(sql, actor.accountId, params.id))
      })
      return ok(presentRecipe(await begin((sql) => changeRecipe(workOf(context, actor, sql), params.id, body))))
    },
  )

  app.delete(
    '/recipes/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a recipe',
        description: 'Jobs that were made by it stay as they are.',
        params: idParams('recipe'),
        response: { 200: envelope(DeletedRecipe), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeRecipe(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}

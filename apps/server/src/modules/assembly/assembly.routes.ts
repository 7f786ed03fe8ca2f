import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { beginIfMatch } from '../../http/conditional.ts'
import { readPage } from '../../http/cursor.ts'
import { answerOnce } from '../../http/idempotency.ts'
import { publicUrl } from '../../http/public-url.ts'
import { bodyFailures, envelope, failures, idParams, ok, page, pageEnvelope, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { workOf } from '../events/work.ts'
import { listLinesOfAssemblies } from '../planning/pegs/served-lines.queries.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { findArticleOfSku } from '../wiki/wiki.queries.ts'
import {
  type AssemblyRow,
  countAssemblies,
  findPictureOfSku,
  listAssemblies,
  listPartsFor,
  lockAssembly,
} from './assembly.queries.ts'
import {
  AssembliesQuery,
  AssemblyChangesBody,
  AssemblyStats,
  AssemblyTask,
  AssemblyTaskDetail,
  CompleteAssemblyBody,
  CompletedAssembly,
  DeletedAssembly,
  ListedAssembly,
  NewAssemblyBody,
  NewKitAssemblyBody,
  presentAssembly,
  presentAssemblyDetail,
  presentAssemblyStats,
  presentListed,
} from './assembly.schema.ts'
import {
  askForAssembly,
  askForKit,
  changeAssembly,
  completeAssembly,
  deleteAssembly,
  getAssembly,
} from './assembly.service.ts'

const tags = ['Assembly']

/** With the orders that it is for, what it takes, and the article that shows how it is done. */
async function detailOf(sql: Sql, accountId: AccountId, task: AssemblyRow, baseUrl: string) {
  const skuId = task.product_sku_id
  const [served, article, parts, picture] = await Promise.all([
    listLinesOfAssemblies(sql, accountId, [task]),
    findArticleOfSku(sql, accountId, skuId),
    listPartsFor(sql, accountId, task),
    findPictureOfSku(sql, accountId, skuId),
  ])
  return presentAssemblyDetail(task, { served: served.get(task.id) ?? [], article, parts, picture }, baseUrl)
}

export function assemblyRoutes(app: App, context: Context): void {
  const { db } = context

  app.post(
    '/assembly',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add an assembly task',
        description:
          'Printed units that need assembly, or, by `kind`, kits. A completed job whose units need assembly adds its task automatically. For kits the rules of /skus/{id}/assemble hold: refused when the SKU has no bill of materials, or when parts are missing.',
        body: NewAssemblyBody,
        response: {
          201: envelope(AssemblyTask),
          ...failures(
            'SKU_NOT_FOUND',
            'FINISHED_GOOD_NOT_FOUND',
            'INSUFFICIENT_FOR_KIT',
            'USER_NOT_FOUND',
            'QUOTA_EXCEEDED',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'assembly_tasks')
        return ok(presentAssembly(await askForAssembly(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.post(
    '/skus/:id/assemble',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add an assembly task for kits',
        description:
          'For a SKU with children in its bill of materials. Refused when their ready stock and the components are not enough for all units now; nothing is reserved, and everything is taken when the task is completed.',
        params: idParams('sku'),
        body: NewKitAssemblyBody,
        response: {
          201: envelope(AssemblyTask),
          ...failures('NOT_FOUND', 'INSUFFICIENT_FOR_KIT', 'USER_NOT_FOUND', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const { actor, params, body } = request
        await requireRoom(context, sql, actor.accountId, 'assembly_tasks')
        return ok(presentAssembly(await askForKit(workOf(context, actor, sql), params.id, body)))
      }),
  )

  app.get(
    '/assembly',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List assembly tasks: in progress, pending, completed, cancelled',
        description:
          'Units that were printed and wait to be put together, and those that are done; within each status the newest first. A page by `cursor` costs the same at any depth.',
        querystring: AssembliesQuery,
        response: { 200: pageEnvelope(ListedAssembly), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listAssemblies(db.sql, request.actor.accountId, filter),
      )
      const served = await listLinesOfAssemblies(db.sql, request.actor.accountId, rows)
      return page(
        rows.map((task) => presentListed(task, served.get(task.id) ?? [])),
        meta,
      )
    },
  )

  app.get(
    '/assembly/stats',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Count assembly tasks',
        description:
          'Tasks by status, and the units that wait. Nothing is cached: the counts are those of this moment.',
        response: { 200: envelope(AssemblyStats), ...failures() },
      },
    },
    async ({ actor }) => ok(presentAssemblyStats(await countAssemblies(db.sql, actor.accountId))),
  )

  app.get(
    '/assembly/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get an assembly task with the article that shows how it is done',
        description:
          'The article is the published one about the SKU, or else about its product; null when there is none.',
        params: idParams('assemblyTask'),
        response: { 200: envelope(AssemblyTaskDetail), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const { actor, params } = request
      const task = await getAssembly(db.sql, actor.accountId, params.id)
      return ok(await detailOf(db.sql, actor.accountId, task, publicUrl(context, request)))
    },
  )

  app.patch(
    '/assembly/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change an assembly task',
        description:
          'Fields that are left out stay as they are. A cancelled task moves no stock. The status `completed` puts all that is left together, as /complete does.',
        params: idParams('assemblyTask'),
        body: AssemblyChangesBody,
        response: {
          200: envelope(AssemblyTaskDetail),
          ...failures(
            'NOT_FOUND',
            'USER_NOT_FOUND',
            'TASK_ALREADY_COMPLETED',
            'INSUFFICIENT_STOCK',
            'INSUFFICIENT_FOR_KIT',
            ...bodyFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const baseUrl = publicUrl(context, request)
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockAssembly(sql, actor.accountId, params.id)
        return detailOf(sql, actor.accountId, await getAssembly(sql, actor.accountId, params.id), baseUrl)
      })
      return begin(async (sql) =>
        ok(
          await detailOf(
            sql,
            actor.accountId,
            await changeAssembly(workOf(context, actor, sql), params.id, body),
            baseUrl,
          ),
        ),
      )
    },
  )

  app.delete(
    '/assembly/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete an assembly task',
        description: 'For tasks entered by mistake: no stock moves.',
        params: idParams('assemblyTask'),
        response: { 200: envelope(DeletedAssembly), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await db.beginFor(actor.accountId, (sql) => deleteAssembly(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )

  app.post(
    '/assembly/:id/complete',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Book units that were put together',
        description:
          'Printed units go from needs-assembly into ready stock, kits are credited; rejected ones are gone. Children and components are taken by their bill of materials, all of them, or nothing moves. A rejected kit has used up its parts. Remaining units keep the task open.',
        params: idParams('assemblyTask'),
        body: CompleteAssemblyBody,
        response: {
          200: envelope(CompletedAssembly),
          ...failures(
            'NOT_FOUND',
            'TASK_ALREADY_COMPLETED',
            'INSUFFICIENT_STOCK',
            'INSUFFICIENT_FOR_KIT',
            ...postFailures,
          ),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const work = workOf(context, request.actor, sql)
        const task = presentAssembly(await completeAssembly(work, request.params.id, request.body))
        return ok({ ...task, task })
      }),
  )
}

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
import { listColors } from './colors.queries.ts'
import { Color, ColorChangesBody, ColorsQuery, DeletedColor, NewColorBody, presentColor } from './colors.schema.ts'
import { changeColor, createColor, getColor, removeColor } from './colors.service.ts'

const tags = ['Products']

export function colorRoutes(app: App, context: Context): void {
  app.post(
    '/colors',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a colour to choose from',
        description: 'The hex code is kept in upper case. The name is unique in the account for its filament type.',
        body: NewColorBody,
        response: { 201: envelope(Color), ...failures('DUPLICATE_COLOR', 'QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'colors')
        return ok(presentColor(await createColor(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/colors',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the colours to choose from, the newest first',
        description: 'Presets for SKUs and filament. A colour of no filament type goes with every one.',
        querystring: ColorsQuery,
        response: { 200: pageEnvelope(Color), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listColors(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentColor), meta)
    },
  )

  app.patch(
    '/colors/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change a colour',
        description: 'Fields that are left out stay as they are. SKUs that were made with it keep their values.',
        params: idParams('color'),
        body: ColorChangesBody,
        response: {
          200: envelope(Color),
          ...failures('NOT_FOUND', 'DUPLICATE_COLOR', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'colors', actor.accountId, params.id)
        return presentColor(await getColor(sql, actor.accountId, params.id))
      })
      return ok(presentColor(await begin((sql) => changeColor(workOf(context, actor, sql), params.id, body))))
    },
  )

  app.delete(
    '/colors/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a colour',
        description: 'SKUs that were made with it keep their values.',
        params: idParams('color'),
        response: { 200: envelope(DeletedColor), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) => removeColor(workOf(context, actor, sql), params.id))
      return ok({ id: params.id, deleted: true })
    },
  )
}

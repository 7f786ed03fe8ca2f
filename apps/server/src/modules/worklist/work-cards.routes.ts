import type { Context } from '../../context/context.ts'
import { readPage } from '../../http/cursor.ts'
import { envelope, failures, idParams, ok, page, pageEnvelope } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { notFound } from '../../kernel/errors.ts'
import { findCard, listCardsDoneToday, listOpenCards } from './work-cards.queries.ts'
import { presentCard, WorkCard, WorkCardsQuery } from './work-cards.schema.ts'

/** The worklist as people on the floor read it. The tasks themselves are changed under `/worklist`. */
export function workCardRoutes(routes: App, context: Context): void {
  routes.get(
    '/work-cards',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'List what is to be done, what comes first first, or what was done today',
        querystring: WorkCardsQuery,
        response: { 200: pageEnvelope(WorkCard), ...failures() },
      },
    },
    async (request) => {
      const { accountId, userId } = request.actor
      const read = request.query.state === 'open' ? listOpenCards : listCardsDoneToday
      const { rows, meta } = await readPage(context, request, (filter) =>
        read(context.db.sql, accountId, filter, { me: userId, now: context.clock.now() }),
      )
      return page(rows.map(presentCard), meta)
    },
  )

  routes.get(
    '/work-cards/:id',
    {
      config: { scope: 'read' },
      schema: {
        summary: 'Get a task with all that a person needs who does it',
        params: idParams('worklistTask'),
        response: { 200: envelope(WorkCard), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const card = await findCard(context.db.sql, actor.accountId, params.id)
      if (!card) throw notFound('worklist task')
      return ok(presentCard(card))
    },
  )
}

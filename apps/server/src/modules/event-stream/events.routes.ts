import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { failures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { AppError, validationError } from '../../kernel/errors.ts'
import { beginning, findEndOfFeed, findPosition, isAfter, listEventsAfter } from '../events/event-feed.queries.ts'
import { FeedAnswer, FeedQuery, latest, presentEvent, StreamQuery } from '../events/events.schema.ts'
import { isBeyondKept } from '../events/kept-events.ts'
import type { EventStreams } from './event-streams.ts'

const tags = ['Events']

export function eventRoutes(app: App, context: Context, streams: EventStreams): void {
  app.get(
    '/events',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List events, from a given one on',
        description:
          'Events in the order in which they became final, the oldest first, all or by type and subject. Ask again with `after` set to `meta.last_id`: nothing is lost or told twice, however long it took. Without `after` it begins with the first event that is kept.',
        querystring: FeedQuery,
        response: { 200: FeedAnswer, ...failures('EVENTS_REMOVED') },
      },
    },
    async ({ actor, query }) => {
      const { sql } = context.db
      const from = await findStart(query.after)
      // Read first: every event before it is among those that are looked through.
      const end = query.type || query.subject ? await findEndOfFeed(sql, actor.accountId) : from
      const { events } = await listEventsAfter(sql, actor.accountId, from, query.limit, actor, query)
      const newest = events.at(-1) ?? from
      // The next reading need not look through what does not fit the filter again.
      const last = events.length < query.limit && isAfter(end, newest) ? end : newest
      return {
        success: true as const,
        data: events.map(presentEvent),
        meta: { limit: query.limit, count: events.length, last_id: last.id === '' ? null : last.id },
      }

      async function findStart(after: string | undefined) {
        if (after === undefined) return beginning
        if (after === latest) return findEndOfFeed(sql, actor.accountId)
        if (isBeyondKept(context, after)) throw new AppError('EVENTS_REMOVED')
        const position = await findPosition(sql, actor.accountId, after)
        if (!position) throw validationError({ after: ['is not the ID of an event of this account'] })
        return position
      }
    },
  )

  app.get(
    '/events/stream',
    {
      // It never ends: there is nothing to say of it beforehand.
      exposeHeadRoute: false,
      config: { scope: 'read', waitsForOthers: true },
      schema: {
        tags,
        summary: 'Stream events as they happen',
        description:
          'Server-sent events. `change` is an event of the feed, with its ID; `live` holds the fields of a printer that changed, `hub` whether a hub is connected, `candidates` that a hub has found printers, and how its look at an address ended; all three without an ID. It continues after the event that `Last-Event-ID` or `after` names; `reset` says that it could not, and that everything should be read again.',
        querystring: StreamQuery,
        response: {
          200: {
            description: 'Frames for as long as the connection stands',
            content: { 'text/event-stream': { schema: Type.String({ description: 'Server-sent events' }) } },
          },
          ...failures('STREAM_LIMIT_REACHED'),
        },
      },
    },
    async (request, reply) => {
      const resumed = request.headers['last-event-id']
      await streams.open(request, reply, typeof resumed === 'string' && resumed !== '' ? resumed : request.query.after)
      return reply
    },
  )
}

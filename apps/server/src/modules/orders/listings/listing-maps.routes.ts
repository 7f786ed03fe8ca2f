import type { Context } from '../../../context/context.ts'
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
import { listListingMaps } from './listing-maps.queries.ts'
import {
  ChangedListingMap,
  ListingMap,
  ListingMapChangesBody,
  ListingMapsQuery,
  NewListingMapBody,
  presentListingMap,
} from './listing-maps.schema.ts'
import {
  type ChangedListingMap as Changed,
  changeListingMap,
  createListingMap,
  getListingMap,
  getListingMapLocked,
  removeListingMap,
} from './listing-maps.service.ts'

const tags = ['Orders']

const presentChanged = ({ map, mappedItems }: Changed) => ({ ...presentListingMap(map), mapped_items: mappedItems })

export function listingMapRoutes(app: App, context: Context): void {
  app.post(
    '/listing-maps',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Map a listing of a shop to a SKU',
        description:
          'Open lines of the shop that are like it and not mapped yet are mapped with it, and those to come. ' +
          'ALREADY_EXISTS tells the mapping of the same listing in `details.listing_map_id`.',
        body: NewListingMapBody,
        response: {
          201: envelope(ChangedListingMap),
          ...failures('SKU_NOT_FOUND', 'ALREADY_EXISTS', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        await requireRoom(context, sql, request.actor.accountId, 'listing_maps')
        return ok(presentChanged(await createListingMap(workOf(context, request.actor, sql), request.body)))
      }),
  )

  app.get(
    '/listing-maps',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the mappings of shop listings, the newest first',
        description: 'Each maps one unit of a listing to a number of units of a SKU.',
        querystring: ListingMapsQuery,
        response: { 200: pageEnvelope(ListingMap), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listListingMaps(context.db.sql, request.actor.accountId, filter),
      )
      return page(rows.map(presentListingMap), meta)
    },
  )

  app.get(
    '/listing-maps/:id',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the mapping of a shop listing',
        description: 'With the code of the SKU and the name of its product.',
        params: idParams('listingMap'),
        response: { 200: envelope(ListingMap), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentListingMap(await getListingMap(context.db.sql, actor.accountId, params.id))),
  )

  app.patch(
    '/listing-maps/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the mapping of a shop listing',
        description: 'Open lines that it mapped follow, unless units were taken for them already.',
        params: idParams('listingMap'),
        body: ListingMapChangesBody,
        response: { 200: envelope(ListingMap), ...failures('NOT_FOUND', 'SKU_NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) =>
        presentListingMap(await getListingMapLocked(sql, actor.accountId, params.id)),
      )
      return begin(async (sql) => {
        const { map } = await changeListingMap(workOf(context, actor, sql), params.id, body)
        return ok(presentListingMap(map))
      })
    },
  )

  app.delete(
    '/listing-maps/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete the mapping of a shop listing',
        description: 'Lines that it mapped stay mapped; those to come are not.',
        params: idParams('listingMap'),
        response: { 200: envelope(ListingMap), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) =>
      context.db.beginFor(actor.accountId, async (sql) =>
        ok(presentListingMap(await removeListingMap(workOf(context, actor, sql), params.id))),
      ),
  )
}

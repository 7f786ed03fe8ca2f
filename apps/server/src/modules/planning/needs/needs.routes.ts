import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { envelope, failures, ok, page, pageEnvelope } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { loadNames } from '../names.queries.ts'
import { listUnwanted } from '../produce.service.ts'
import { listNeeds, listShelf, listUnwantedJobs, listUnwantedTasks } from './needs.queries.ts'
import {
  NeedsQuery,
  ProductionNeed,
  presentNeed,
  presentShelf,
  presentUnwanted,
  ShelfLevel,
  ShelfQuery,
  UnwantedWork,
} from './needs.schema.ts'

const tags = ['Production']

/** Routes for what must be printed, what is to be on the shelf, and what nothing needs any more. */
export function needsRoutes(app: App, context: Context): void {
  const { sql } = context.db

  app.get(
    '/production/needs',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the SKUs that must be printed, the earliest due first',
        description:
          'SKUs with units that orders or the shelf need and that neither stock nor live jobs cover, by the last plan; ' +
          'changes are planned within moments. Queue them by `POST /production/produce`.',
        querystring: NeedsQuery,
        response: { 200: pageEnvelope(ProductionNeed), ...failures() },
      },
    },
    async (request) => {
      const { accountId } = request.actor
      const { rows, meta } = await readPage(context, request, (filter) => listNeeds(sql, accountId, filter))
      const blockers = rows.flatMap((row) => row.blockers)
      const names = await loadNames(sql, accountId, {
        skus: [...rows.map(({ id }) => id), ...blockers.flatMap(({ skuId }) => skuId ?? [])],
        materials: blockers.flatMap(({ materialId }) => materialId ?? []),
        items: [],
      })
      const baseUrl = publicUrl(context, request)
      return page(
        rows.map((row) => presentNeed(row, names, baseUrl)),
        meta,
      )
    },
  )

  app.get(
    '/production/shelf',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List the SKUs that are kept on the shelf, by their code',
        description:
          'SKUs with a `restock_to`, with their units there and on their way by the last plan. Set the levels by `PATCH /skus/{id}`.',
        querystring: ShelfQuery,
        response: { 200: pageEnvelope(ShelfLevel), ...failures() },
      },
    },
    async (request) => {
      const { rows, meta } = await readPage(context, request, (filter) =>
        listShelf(sql, request.actor.accountId, filter),
      )
      const baseUrl = publicUrl(context, request)
      return page(
        rows.map((row) => presentShelf(row, baseUrl)),
        meta,
      )
    },
  )

  app.get(
    '/production/unwanted',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List queued work that is not needed any more',
        description:
          'Queued jobs and open assembly tasks that no order and no restock needs, such as after an order was cancelled. Nothing ' +
          'is cancelled by itself: cancel them by POST /jobs/{id}/cancel and PATCH /assembly/{id}. Units that already ' +
          'print go on the shelf.',
        response: { 200: envelope(UnwantedWork), ...failures() },
      },
    },
    async ({ actor: { accountId } }) => {
      const { jobIds, assemblyTaskIds } = await listUnwanted({ sql, accountId, now: context.clock.now() })
      const [jobs, tasks] = await Promise.all([
        listUnwantedJobs(sql, accountId, jobIds),
        listUnwantedTasks(sql, accountId, assemblyTaskIds),
      ])
      return ok(presentUnwanted(jobs, tasks))
    },
  )
}

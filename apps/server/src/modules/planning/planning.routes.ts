import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import { answerOnce } from '../../http/idempotency.ts'
import { envelope, failures, idParams, ok, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import type { AccountId, OrderId } from '../../kernel/ids.ts'
import { workOf } from '../events/work.ts'
import { OrderItemParams } from '../orders/orders.schema.ts'
import { listPromises } from '../promises/shown/promise.queries.ts'
import { presentPromise } from '../promises/shown/promise.schema.ts'
import { loadTold } from './group-times.ts'
import { holdUnits } from './hold-units.ts'
import { listOrderedLines } from './names.queries.ts'
import {
  HoldBody,
  OrderPlan,
  ProduceBody,
  ProduceOrderBody,
  Production,
  presentOrderPlan,
  presentProduction,
} from './planning.schema.ts'
import { findShipBy } from './produce.queries.ts'
import { planOrder, produceMany, produceOrder, tryOrder } from './produce.service.ts'
import type { Planned } from './replan/replan.ts'

const tags = ['Production']

/** Routes for what must be made, for whom, and queueing it. */
export function planningRoutes(app: App, context: Context): void {
  app.get(
    '/orders/:id/plan',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the plan of an order: where its units are',
        description:
          'Each unit is in one group: shipped, picked, reserved on the shelf, to be put together, on a live job, to be printed, ' +
          'blocked for a reason, or cancelled. Orders are served by ship_by, then priority, then age.',
        params: idParams('order'),
        response: { 200: envelope(OrderPlan), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { sql } = context.db
      const { accountId } = actor
      const planned = await planOrder({ sql, accountId, now: context.clock.now() }, params.id)
      return ok(await readOrderPlan(sql, accountId, params.id, planned))
    },
  )

  app.post(
    '/orders/:id/plan',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Preview the jobs that producing an order would queue',
        description: 'A dry run of `POST /orders/{id}/produce`: nothing is changed.',
        params: idParams('order'),
        response: { 200: envelope(Production), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { id } = request.params
        const work = workOf(context, request.actor, sql)
        const produced = await tryOrder(work, id)
        const names = await loadTold(sql, work.accountId, produced.planned)
        return ok(presentProduction(produced, names, { dryRun: true }))
      }),
  )

  app.post(
    '/orders/:id/produce',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue the jobs and assembly tasks that an order still needs',
        description:
          'Queues jobs and assembly tasks for the units that neither stock nor live jobs cover. Lines that cannot be made are ' +
          'answered with their reasons and keep no other from being queued. Producing again queues nothing new.',
        params: idParams('order'),
        body: ProduceOrderBody,
        response: { 200: envelope(Production), ...failures('NOT_FOUND', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { id } = request.params
        const { dry_run: dryRun = false } = request.body ?? {}
        const work = workOf(context, request.actor, sql)
        const produced = dryRun ? await tryOrder(work, id) : await produceOrder(context, work, id)
        const names = await loadTold(sql, work.accountId, produced.planned)
        return ok(presentProduction(produced, names, { dryRun }))
      }),
  )

  app.post(
    '/orders/:id/items/:itemId/hold',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Hold units for a line of an order by hand',
        description:
          'Units of the shelf, or of a live job, before all that comes earlier in the order of service; 0 lets them go. Answers ' +
          'the plan of the order.',
        params: OrderItemParams,
        body: HoldBody,
        response: {
          200: envelope(OrderPlan),
          ...failures('NOT_FOUND', 'SKU_NOT_FOUND', 'ITEM_NOT_MAPPED', 'INSUFFICIENT_STOCK', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const { actor, params, body } = request
        const work = workOf(context, actor, sql)
        await holdUnits(work, params.id, params.itemId, body)
        const planned = await planOrder(work, params.id)
        return ok(await readOrderPlan(sql, work.accountId, params.id, planned))
      }),
  )

  app.post(
    '/production/produce',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Queue the jobs and assembly tasks that many orders still need',
        description:
          'Orders share plates: fewest plates first, then least surplus, then the earliest finish. Without a choice of ' +
          'orders the needs of the shelf are produced, too.',
        body: ProduceBody,
        response: { 200: envelope(Production), ...failures(...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 200, async (sql) => {
        const {
          due_before: dueBefore,
          order_ids: orderIds,
          sku_ids: skuIds,
          dry_run: dryRun = false,
        } = request.body ?? {}
        const work = workOf(context, request.actor, sql)
        const produced = await produceMany(context, work, {
          ...(dueBefore !== undefined && { dueBefore: new Date(dueBefore) }),
          ...(orderIds !== undefined && { orderIds }),
          ...(skuIds !== undefined && { skuIds }),
          dryRun,
        })
        const names = await loadTold(sql, work.accountId, produced.planned)
        return ok(presentProduction(produced, names, { dryRun }))
      }),
  )
}

async function readOrderPlan(sql: Sql, accountId: AccountId, orderId: OrderId, planned: Planned) {
  const [told, ordered, promises, shipBy] = await Promise.all([
    loadTold(sql, accountId, planned),
    listOrderedLines(sql, accountId, orderId),
    listPromises(sql, accountId, [orderId]),
    findShipBy(sql, accountId, orderId),
  ])
  return presentOrderPlan(orderId, planned, told, ordered, presentPromise(promises.get(orderId), shipBy))
}

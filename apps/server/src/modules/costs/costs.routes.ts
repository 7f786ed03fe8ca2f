import type { Context } from '../../context/context.ts'
import { envelope, failures, idParams, ok } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { scaleCost } from './calculation/cost.ts'
import { JobCost, OrderCost, presentCost, presentMargin, SkuCost } from './costs.schema.ts'
import { readJobCost, readOrderCost, readSkuCost } from './costs.service.ts'

/** Routes for what things cost and earn, for owners and admins alone: none of it is on the public API. */
export function costRoutes(routes: App, { db }: Context): void {
  routes.get(
    '/costs/skus/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the cost of a unit of a SKU',
        description:
          'Cost by its preferred recipe and its bill of materials, packaging included, and by its latest jobs.',
        params: idParams('sku'),
        response: { 200: envelope(SkuCost), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { currency, estimate, actual, goodUnits } = await readSkuCost(db.sql, actor.accountId, params.id)
      return ok({ currency, estimate: presentCost(estimate), actual: presentCost(actual), good_units: goodUnits })
    },
  )

  routes.get(
    '/costs/jobs/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the cost of a job',
        description: 'Planned, from its file, and actual, from its plates that ended, bad ones among them.',
        params: idParams('job'),
        response: { 200: envelope(JobCost), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { currency, estimate, actual, goodUnits, plates } = await readJobCost(db.sql, actor.accountId, params.id)
      return ok({
        currency,
        estimate: { plate: presentCost(estimate.plate), whole: presentCost(estimate.whole) },
        actual: presentCost(actual),
        good_units: goodUnits,
        actual_per_good_unit: goodUnits ? presentCost(scaleCost(actual, 1, goodUnits)) : null,
        plates: plates.map(({ plate, cost }) => ({
          attempt_id: plate.id,
          plate: plate.plate_number,
          printer_id: plate.printer_id,
          printer_name: plate.printer_name,
          outcome: plate.outcome,
          started_at: plate.started_at.toISOString(),
          finished_at: plate.finished_at.toISOString(),
          cost: presentCost(cost),
        })),
      })
    },
  )

  routes.get(
    '/costs/orders/:id',
    {
      config: { scope: 'read', role: 'admin' },
      schema: {
        summary: 'Get the cost and margin of an order',
        description:
          'Line by line. The fee of the platform, the work on the order and the packaging of its parcels are spread over the lines ' +
          'by their prices. What it really cost is known once all of it has left.',
        params: idParams('order'),
        response: { 200: envelope(OrderCost), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      const { currency, order, lines, estimate, actual } = await readOrderCost(db.sql, actor.accountId, params.id)
      return ok({
        currency,
        order_currency: order.currency,
        estimate: presentMargin(estimate),
        actual: actual && presentMargin(actual),
        lines: lines.map(({ line, ...margins }) => ({
          item_id: line.id,
          product_sku_id: line.skuId,
          name: line.name,
          units: line.units,
          estimate: presentMargin(margins.estimate),
          actual: margins.actual && presentMargin(margins.actual),
        })),
      })
    },
  )
}

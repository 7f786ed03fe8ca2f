import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { lockCostSettings, lockMaterialPrice } from './cost-settings.queries.ts'
import {
  CostSettings,
  CostSettingsBody,
  MaterialPrice,
  MaterialPriceBody,
  presentCostSettings,
  presentMaterialPrice,
} from './cost-settings.schema.ts'
import { changeCostSettings, getCostSettings, getMaterialPrice, setMaterialPrice } from './cost-settings.service.ts'

/** Routes for what the farm pays for what it uses, for its owners and admins alone. */
export function costSettingsRoutes(routes: App, context: Context): void {
  const { sql: reading } = context.db

  routes.get(
    '/costs/settings',
    {
      config: { scope: 'read', role: 'admin', tagged: true },
      schema: {
        summary: 'Get what things cost the farm',
        response: { 200: envelope(CostSettings), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async ({ actor }) => ok(presentCostSettings(await getCostSettings(reading, actor.accountId))),
  )

  routes.patch(
    '/costs/settings',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Change what things cost the farm',
        description:
          'Fields that are left out stay as they are; a list is replaced whole. Costs are calculated when they are ' +
          'requested: a new price also applies to the past.',
        body: CostSettingsBody,
        response: {
          200: envelope(CostSettings),
          ...failures('FORBIDDEN', 'NOT_FOUND', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockCostSettings(sql, actor.accountId)
        return presentCostSettings(await getCostSettings(sql, actor.accountId))
      })
      return begin(async (sql) => {
        await lockCostSettings(sql, actor.accountId)
        return ok(presentCostSettings(await changeCostSettings(workOf(context, actor, sql), body)))
      })
    },
  )

  routes.get(
    '/costs/materials/:id',
    {
      config: { scope: 'read', role: 'admin', tagged: true },
      schema: {
        summary: 'Get what a material costs',
        params: idParams('material'),
        response: { 200: envelope(MaterialPrice), ...failures('FORBIDDEN', 'NOT_FOUND') },
      },
    },
    async ({ actor, params }) => ok(presentMaterialPrice(await getMaterialPrice(reading, actor.accountId, params.id))),
  )

  routes.put(
    '/costs/materials/:id',
    {
      config: { scope: 'write', role: 'admin' },
      schema: {
        summary: 'Set what a material costs',
        params: idParams('material'),
        body: MaterialPriceBody,
        response: {
          200: envelope(MaterialPrice),
          ...failures('FORBIDDEN', 'NOT_FOUND', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockMaterialPrice(sql, actor.accountId, params.id)
        return presentMaterialPrice(await getMaterialPrice(sql, actor.accountId, params.id))
      })
      return begin(async (sql) => {
        await lockMaterialPrice(sql, actor.accountId, params.id)
        const priced = await setMaterialPrice(workOf(context, actor, sql), params.id, body.price)
        return ok(presentMaterialPrice(priced))
      })
    },
  )
}

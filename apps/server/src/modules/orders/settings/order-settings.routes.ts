import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { lockOrderSettings } from './order-settings.queries.ts'
import { OrderSettings, OrderSettingsBody, presentOrderSettings } from './order-settings.schema.ts'
import { changeOrderSettings, getOrderSettings } from './order-settings.service.ts'

const tags = ['Orders']

export function orderSettingsRoutes(app: App, context: Context): void {
  app.get(
    '/orders/settings',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the settings of orders',
        description: 'Settings of the whole account.',
        response: { 200: envelope(OrderSettings), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor }) => ok(presentOrderSettings(await getOrderSettings(context.db.sql, actor.accountId))),
  )

  app.patch(
    '/orders/settings',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the settings of orders',
        description: 'Fields that are left out stay as they are. Existing orders keep their `ship_by`.',
        body: OrderSettingsBody,
        response: { 200: envelope(OrderSettings), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockOrderSettings(sql, actor.accountId)
        return presentOrderSettings(await getOrderSettings(sql, actor.accountId))
      })
      return begin(async (sql) => {
        await lockOrderSettings(sql, actor.accountId)
        return ok(presentOrderSettings(await changeOrderSettings(workOf(context, actor, sql), body)))
      })
    },
  )
}

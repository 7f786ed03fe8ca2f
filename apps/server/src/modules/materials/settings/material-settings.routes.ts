import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { lockMaterialSettings } from './material-settings.queries.ts'
import { MaterialSettings, MaterialSettingsBody, presentMaterialSettings } from './material-settings.schema.ts'
import { changeMaterialSettings, getMaterialSettings } from './material-settings.service.ts'

const tags = ['Materials']

export function materialSettingsRoutes(app: App, context: Context): void {
  app.get(
    '/materials/settings',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the settings of materials',
        description: 'Settings of the whole account.',
        response: { 200: envelope(MaterialSettings), ...failures() },
      },
    },
    async ({ actor }) => ok(presentMaterialSettings(await getMaterialSettings(context.db.sql, actor.accountId))),
  )

  app.patch(
    '/materials/settings',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the settings of materials',
        description:
          'Fields that are left out stay as they are. Counts from the next start on; prints that run are not touched.',
        body: MaterialSettingsBody,
        response: { 200: envelope(MaterialSettings), ...failures(...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockMaterialSettings(sql, actor.accountId)
        return presentMaterialSettings(await getMaterialSettings(sql, actor.accountId))
      })
      return begin(async (sql) => {
        await lockMaterialSettings(sql, actor.accountId)
        return ok(presentMaterialSettings(await changeMaterialSettings(workOf(context, actor, sql), body)))
      })
    },
  )
}

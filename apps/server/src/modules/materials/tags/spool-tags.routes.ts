import type { Context } from '../../../context/context.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { getMaterial } from '../materials.service.ts'
import { listTags } from './spool-tags.queries.ts'
import {
  presentSaid,
  presentTags,
  RemovedTag,
  ScannedTag,
  SpoolTags,
  TagCodeBody,
  TagParams,
} from './spool-tags.schema.ts'
import { addTag, removeTag, scanTag } from './spool-tags.service.ts'

const tags = ['Materials']

/** Tags on spools, by which readers and printers name them. */
export function spoolTagRoutes(app: App, context: Context): void {
  app.post(
    '/materials/filament/scan',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Find the spool that a tag is on',
        description: 'Changes nothing. Takes OpenPrintTag, the tags of Bambu spools, and any other chip by its UID.',
        body: TagCodeBody,
        response: { 200: envelope(ScannedTag), ...failures(...bodyFailures) },
      },
    },
    async ({ actor, body }) => {
      const { materialId, tags: numbers, spool } = await scanTag(context.db.sql, actor.accountId, body)
      return ok({ material_id: materialId, tags: numbers, says: presentSaid(spool) })
    },
  )

  app.get(
    '/materials/filament/:id/tags',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'Get the tags of a spool',
        description: 'A scan of any of them finds the spool.',
        params: idParams('material'),
        response: { 200: envelope(SpoolTags), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor: { accountId }, params }) => {
      await getMaterial(context.db.sql, accountId, 'filament', params.id)
      return ok(presentTags(await listTags(context.db.sql, accountId, params.id)))
    },
  )

  app.post(
    '/materials/filament/:id/tags',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Put a tag on a spool',
        description: 'Again on the same spool is no change. Refused for a tag that is on another spool.',
        params: idParams('material'),
        body: TagCodeBody,
        response: { 201: envelope(SpoolTags), ...failures('NOT_FOUND', 'ALREADY_EXISTS', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) =>
        ok(presentTags(await addTag(workOf(context, request.actor, sql), request.params.id, request.body))),
      ),
  )

  app.delete(
    '/materials/filament/:id/tags/:tag_id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Take a tag off a spool',
        description: 'A scan does not find the spool by it any more.',
        params: TagParams,
        response: { 200: envelope(RemovedTag), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await context.db.beginFor(actor.accountId, (sql) =>
        removeTag(workOf(context, actor, sql), params.id, params.tag_id),
      )
      return ok({ id: params.tag_id, deleted: true })
    },
  )
}

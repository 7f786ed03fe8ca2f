import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, idParams, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { AddedVersion, NewVersionBody, PrintFileDetail, presentAddedVersion, VersionParams } from '../files.schema.ts'
import { addVersion, prepareVersion, requireRoomForVersion, selectVersion } from '../files.service.ts'
import type { PrintFileReader } from '../print-file-reader.ts'
import { answerWithVersion, lockFileDetail, tags, uploadFailures } from './file-answers.ts'

/** Adds versions of a file, and chooses the current one. */
export function fileVersionRoutes(app: App, context: Context, reader: PrintFileReader): void {
  app.post(
    '/files/:id/versions',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a version of a print file, which becomes the current one unless told otherwise',
        description: 'Jobs that exist keep the version they were made with.',
        params: idParams('printFile'),
        body: NewVersionBody,
        response: {
          201: envelope(AddedVersion),
          ...failures('NOT_FOUND', 'MAX_VERSIONS_REACHED', ...uploadFailures, ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerWithVersion(
        context,
        request,
        reply,
        async () => {
          await requireRoomForVersion(context.db.sql, request.actor.accountId, request.params.id)
          return prepareVersion(context, reader, request.actor, request.body)
        },
        async (sql, prepared) => {
          const work = workOf(context, request.actor, sql)
          const { notes = '', set_as_current } = request.body
          const version = { notes, isCurrent: set_as_current !== false }
          return presentAddedVersion(await addVersion(work, request.params.id, prepared, version))
        },
      ),
  )

  app.put(
    '/files/:id/versions/:version/current',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Set the current version of a print file',
        description: 'New jobs print it from now on. Jobs that exist keep the version they were made with.',
        params: VersionParams,
        response: { 200: envelope(PrintFileDetail), ...failures('NOT_FOUND', ...bodyFailures) },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockFileDetail(sql, actor.accountId, params.id))
      return ok(await selectVersion(context, actor, params.id, Number(params.version), begin))
    },
  )
}

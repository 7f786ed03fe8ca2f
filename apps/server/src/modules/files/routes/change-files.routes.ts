import type { Context } from '../../../context/context.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { DeletedFile, FileChanges, PrintFileDetail } from '../files.schema.ts'
import { changeFile, deleteFile } from '../files.service.ts'
import { lockFileDetail, tags } from './file-answers.ts'

/** Changes and deletes files of the library. */
export function changeFileRoutes(app: App, context: Context): void {
  app.patch(
    '/files/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the name, product, number of pieces, tags or folder of a print file',
        description:
          'Fields that are left out stay as they are. Existing jobs keep the values that they were queued with.',
        params: idParams('printFile'),
        body: FileChanges,
        response: {
          200: envelope(PrintFileDetail),
          ...failures('NOT_FOUND', 'PRODUCT_NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params, body } = request
      const begin = beginIfMatch(context, request, reply, (sql) => lockFileDetail(sql, actor.accountId, params.id))
      return ok(await changeFile(context, actor, params.id, body, begin))
    },
  )

  app.delete(
    '/files/:id',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete a print file',
        description: 'Refused while a job that is not finished prints it. Finished jobs keep its name and figures.',
        params: idParams('printFile'),
        response: { 200: envelope(DeletedFile), ...failures('NOT_FOUND', 'RESOURCE_IN_USE') },
      },
    },
    async (request) => {
      await deleteFile(context, request.actor, request.params.id)
      return ok({ id: request.params.id, deleted: true })
    },
  )
}

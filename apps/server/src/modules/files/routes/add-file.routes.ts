import type { Context } from '../../../context/context.ts'
import { envelope, failures, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { NewFileBody, PrintFileDetail } from '../files.schema.ts'
import { addFile, prepareVersion } from '../files.service.ts'
import type { PrintFileReader } from '../print-file-reader.ts'
import { answerWithVersion, tags, uploadFailures } from './file-answers.ts'

/** Adds an uploaded file to the library. */
export function addFileRoutes(app: App, context: Context, reader: PrintFileReader): void {
  app.post(
    '/files',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Add a print file that was uploaded',
        description:
          'The file is read for the data of the slicer on time, filament and printer. A file that is damaged or no print file is refused.',
        body: NewFileBody,
        response: {
          201: envelope(PrintFileDetail),
          ...failures(...uploadFailures, 'PRODUCT_NOT_FOUND', 'QUOTA_EXCEEDED', ...postFailures),
        },
      },
    },
    (request, reply) =>
      answerWithVersion(
        context,
        request,
        reply,
        () => prepareVersion(context, reader, request.actor, request.body),
        (sql, prepared) => addFile(context, workOf(context, request.actor, sql), prepared, request.body),
      ),
  )
}

import type { Context } from '../../../context/context.ts'
import { contentPolicy } from '../../../http/request/browser-headers.ts'
import { failures, idParams } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findCurrentContent } from '../files.queries.ts'
import { bytes } from '../files.schema.ts'
import { sendContent } from '../send-content.ts'
import { tags } from './file-answers.ts'

/** Sends the bytes of a file's current version, and its thumbnail. */
export function fileContentRoutes(app: App, context: Context): void {
  app.get(
    '/files/:id/thumbnail',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Get the thumbnail of a print file',
        description: 'Thumbnail of the current version, as the slicer wrote it: PNG or JPEG. 404 when it wrote none.',
        params: idParams('printFile'),
        response: { 200: bytes(['image/png', 'image/jpeg'], 'The picture'), ...failures('NOT_FOUND') },
      },
    },
    async (request, reply) => {
      const stored = await findCurrentContent(context.db.sql, request.actor.accountId, request.params.id)
      if (!stored) throw notFound('file')
      if (stored.thumbnail_sha256 === null || stored.thumbnail_mime === null) throw notFound('thumbnail')
      const { content, sizeBytes } = await context.files.read(stored.thumbnail_sha256)
      return reply
        .headers({
          'Content-Type': stored.thumbnail_mime,
          'Content-Length': sizeBytes,
          'Cache-Control': 'private, max-age=300',
          'Content-Security-Policy': contentPolicy,
        })
        .send(content)
    },
  )

  app.get(
    '/files/:id/content',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Download the current version of a print file',
        description:
          'Takes a single `Range` of bytes. Where the files are in an S3 store that clients reach, the answer is a redirect to a signed URL there.',
        params: idParams('printFile'),
        response: {
          200: bytes(['application/octet-stream'], 'The whole file'),
          206: bytes(['application/octet-stream'], 'The requested range'),
          304: { description: 'The client has these bytes already', type: 'null' },
          307: { description: 'The bytes are at the address in `Location` for some minutes', type: 'null' },
          ...failures('NOT_FOUND', 'RANGE_NOT_SATISFIABLE'),
        },
      },
    },
    async (request, reply) => {
      const stored = await findCurrentContent(context.db.sql, request.actor.accountId, request.params.id)
      if (!stored) throw notFound('file')
      return sendContent(context, request, reply, stored, { etag: `"${stored.version_id}"`, canRedirect: true })
    },
  )
}

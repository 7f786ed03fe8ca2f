import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Context } from '../../../context/context.ts'
import { connectionsOf } from '../../../http/connections/open-connections.ts'
import { answerOnce } from '../../../http/idempotency.ts'
import { apiPrefix } from '../../../http/openapi/openapi.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { endSoon } from '../../../http/request/end-soon.ts'
import { bodyFailures, envelope, failures, ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { bytes, Uploaded, UploadParams, UploadUrl, UploadUrlBody } from '../files.schema.ts'
import { createUpload, getOpenUpload, maxFileBytes, receiveUpload } from '../uploads.service.ts'
import { tags } from './file-answers.ts'

export function uploadRoutes(app: App, context: Context): void {
  app.post(
    '/files/upload-url',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Create an upload address for a print file',
        description: 'PUT the bytes to `upload_url` within an hour, then give the token to POST /files.',
        body: UploadUrlBody,
        response: { 201: envelope(UploadUrl), ...failures('QUOTA_EXCEEDED', ...postFailures) },
      },
    },
    (request, reply) =>
      answerOnce(context, request, reply, 201, async (sql) => {
        const upload = await createUpload(context, sql, request.actor, request.body)
        const uploadUrl = `${publicUrl(context, request)}${apiPrefix}/files/upload/${upload.token}`
        return ok({
          ...upload,
          filename: request.body.filename,
          content_type: request.body.content_type ?? 'application/octet-stream',
          upload_url: uploadUrl,
          upload_token: upload.token,
          expires_at: upload.expires_at.toISOString(),
        })
      }),
  )

  void app.register(async (plugin) => receiveRoute(plugin as App, context))
}

/** In a plugin of its own, because here a body of any type is handed over as the stream that it is. */
function receiveRoute(app: App, context: Context): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.addHook('onRequest', async (request) => {
    // What the client calls its bytes is of no interest; a type that is not even well-formed would be refused.
    request.raw.headers['content-type'] = 'application/octet-stream'
  })

  app.put(
    '/files/upload/:token',
    {
      config: { credential: 'upload_token' },
      bodyLimit: maxFileBytes(context),
      // The schema is for readers: a stream cannot be validated, and the token is looked up whatever its form.
      validatorCompiler: () => () => true,
      schema: {
        tags,
        summary: 'Upload the bytes of a print file',
        description:
          'The raw bytes as the body, of any content type. Sent again before it is used, the new bytes replace the old.',
        body: bytes(['application/octet-stream'], 'The file'),
        params: UploadParams,
        response: {
          200: envelope(Uploaded),
          ...failures('UPLOAD_TOKEN_INVALID', ...bodyFailures, 'UPLOAD_INCOMPLETE', 'QUOTA_EXCEEDED', 'STORAGE_FULL'),
        },
      },
    },
    async (request) => {
      const { raw } = request
      try {
        const upload = await getOpenUpload(context, request.params.token)
        connectionsOf(context).know(raw.socket, upload.account_id)
        // A body that is empty is handed over as none at all.
        const content = (request.body as Readable | undefined) ?? raw
        return ok(await receiveUpload(context, upload, content, readContentLength(raw)))
      } catch (error) {
        endSoon(raw)
        throw error
      }
    },
  )
}

function readContentLength(request: IncomingMessage): number | undefined {
  const header = request.headers['content-length']
  return header === undefined ? undefined : Number(header)
}

import multipart from '@fastify/multipart'
import type { FastifyError } from 'fastify'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { answerError, toAppError } from '../../http/error-handler.ts'
import { apiPrefix } from '../../http/openapi.ts'
import { publicUrl } from '../../http/public-url.ts'
import type { App } from '../../http/types.ts'
import { createPrintFileReader } from '../files/print-file-reader.ts'
import { maxFileBytes } from '../files/uploads.service.ts'
import { readSlicerForm } from './slicer-form.ts'
import { keepFromSlicer, receiveFromSlicer } from './slicers.service.ts'

/** Where slicers are told that an OctoPrint is; they put `/api/…` behind it. */
const slicerPrefix = '/octoprint'

/**
 * The two calls of OctoPrint that slicers send files by, so that a slicer needs nothing but this address and an API key.
 * Slicers take the answer for OctoPrint's by the word at the start of `text`.
 */
export function slicerRoutes(app: App, context: Context): void {
  void app.register(
    async (plugin) => {
      const routes = plugin as App
      const reader = createPrintFileReader()
      routes.addHook('onClose', () => reader.close())
      routes.setErrorHandler((error: FastifyError | Error, request, reply) => {
        const known = toAppError(error)
        // The log and the headers are those of every refusal; slicers show the body, so it is a sentence.
        answerError(
          error,
          request,
          reply.serializer(() => JSON.stringify({ error: sentenceOf(known), code: known.code })),
        )
      })
      routes.removeAllContentTypeParsers()
      routes.addContentTypeParser('*', (_request, _payload, done) => {
        done(new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'multipart/form-data' }))
      })
      await routes.register(multipart, { throwFileSizeLimit: false })

      routes.get('/api/version', { config: { scope: 'write', keyHeader: 'x-api-key' } }, async () => ({
        api: '0.1',
        server: '1.11.0',
        text: `OctoPrint (Printyard ${context.version})`,
      }))

      routes.post(
        '/api/files/local',
        { config: { scope: 'write', keyHeader: 'x-api-key' }, bodyLimit: maxFileBytes(context) + 1024 * 1024 },
        async (request, reply) => {
          const { actor } = request
          const { received, print } = await readSlicerForm(request, maxFileBytes(context), (fileName, content) =>
            receiveFromSlicer(context, actor, fileName, content),
          )
          const { fileId, name } = await keepFromSlicer(context, reader, actor, { upload_token: received, print })
          const address = `${publicUrl(context, request)}${apiPrefix}/files/${fileId}`
          return reply
            .code(201)
            .header('Location', address)
            .send({
              done: true,
              effectiveSelect: false,
              effectivePrint: print,
              files: { local: { name, path: name, origin: 'local', refs: { resource: address } } },
            })
        },
      )
    },
    { prefix: slicerPrefix },
  )
}

/** One sentence, with what is wrong with which field. */
function sentenceOf(error: AppError): string {
  const { details } = error
  if (error.code !== 'VALIDATION_ERROR' || typeof details !== 'object' || details === null) return error.message
  const fields = Object.entries(details).map(([name, whys]) => `${name === '_root' ? 'the form' : name} ${whys}`)
  return fields.length === 0 ? error.message : `${fields.join('; ')}.`
}

import multipart from '@fastify/multipart'
import type { FastifyError, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../context.ts'
import { type AppError, validationError } from '../../errors.ts'
import { answerError, toAppError } from '../../http/error-handler.ts'
import { refuseOtherBodies } from '../../http/json-body.ts'
import { apiPrefix } from '../../http/openapi.ts'
import { publicUrl } from '../../http/public-url.ts'
import type { App } from '../../http/types.ts'
import { createPrintFileReader } from '../files/print-file-reader.ts'
import { maxFileBytes } from '../files/uploads.service.ts'
import {
  octoPrintJob,
  octoPrintLogin,
  octoPrintPrinter,
  octoPrintProfiles,
  octoPrintSettings,
} from './octoprint-answers.ts'
import { readSlicerForm } from './slicer-form.ts'
import { getFileNamed, keepFromSlicer, receiveFromSlicer, selectFromSlicer } from './slicers.service.ts'

/** Where slicers are told that an OctoPrint is; they put `/api/…` behind it. */
const slicerPrefix = '/octoprint'
const filesPath = '/api/files/local'

/** The calls take a few words as JSON, or a file as a form. */
const maxJsonBytes = 16 * 1024

const Named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) })

/**
 * The calls of OctoPrint that slicers send files by, so that a slicer needs nothing but this address and an API key: those
 * that they try a connection with, the upload, and the start of a file that is there. Slicers take the answer for
 * OctoPrint's by the word at the start of `text`.
 */
export function slicerRoutes(app: App, context: Context): void {
  void app.register(
    async (plugin) => {
      const routes = plugin as App
      const reader = createPrintFileReader()
      routes.addHook('onClose', () => reader.close())
      routes.setErrorHandler((error: FastifyError | Error, request, reply) => {
        const known = toAppError(error)
        const sentence = sentenceOf(known)
        // The log and the headers are those of every refusal; slicers show the body, so it is a sentence.
        const body = showsOnlyText(request) ? sentence : JSON.stringify({ error: sentence, code: known.code })
        answerError(
          error,
          request,
          reply.serializer(() => body),
        )
      })
      routes.addHook('onSend', async (request, reply, payload) => {
        if (reply.statusCode >= 400 && showsOnlyText(request)) reply.header('Content-Type', 'text/plain')
        return payload
      })
      routes.removeAllContentTypeParsers()
      routes.addContentTypeParser(
        'application/json',
        { parseAs: 'string', bodyLimit: maxJsonBytes },
        routes.getDefaultJsonParser('error', 'error'),
      )
      refuseOtherBodies(routes, 'multipart/form-data')
      await routes.register(multipart, { throwFileSizeLimit: false })

      const config = { scope: 'write', keyHeader: 'x-api-key' } as const
      const addressOf = (request: FastifyRequest, name: string) =>
        `${publicUrl(context, request)}${slicerPrefix}${filesPath}/${encodeURIComponent(name)}`
      const presentFile = (request: FastifyRequest, name: string, fileId: string) => ({
        name,
        path: name,
        origin: 'local',
        refs: {
          resource: addressOf(request, name),
          print_file: `${publicUrl(context, request)}${apiPrefix}/files/${fileId}`,
        },
      })

      routes.get('/api/version', { config }, async () => ({
        api: '0.1',
        server: '1.11.0',
        text: `OctoPrint (Printyard ${context.version})`,
      }))
      routes.get('/api/settings', { config }, async () => octoPrintSettings)
      routes.get('/api/printerprofiles', { config }, async () => octoPrintProfiles)
      routes.get('/api/printer', { config }, async () => octoPrintPrinter)
      routes.get('/api/job', { config }, async () => octoPrintJob)
      routes.post('/api/login', { config }, async () => octoPrintLogin)

      routes.post(filesPath, { config, bodyLimit: maxFileBytes(context) + 1024 * 1024 }, async (request, reply) => {
        const { actor } = request
        const { received, print, plate } = await readSlicerForm(request, maxFileBytes(context), (fileName, content) =>
          receiveFromSlicer(context, actor, fileName, content),
        )
        const sent = { upload_token: received, print, ...(plate !== undefined && { plate }) }
        const { fileId, name } = await keepFromSlicer(context, reader, actor, sent)
        return (
          reply
            .code(201)
            // Cura's plugin looks for `api/` in it, and for the name at its end.
            .header('Location', addressOf(request, name))
            .send({
              done: true,
              effectiveSelect: false,
              effectivePrint: print,
              files: { local: presentFile(request, name, fileId) },
            })
        )
      })

      routes.get(`${filesPath}/:name`, { config, schema: { params: Named } }, async (request) => {
        const { name } = request.params
        return presentFile(request, name, await getFileNamed(context.db.sql, request.actor.accountId, name))
      })

      routes.post(`${filesPath}/:name`, { config, schema: { params: Named } }, async (request, reply) => {
        const body = request.body as { command?: unknown; print?: unknown } | null | undefined
        if (body?.command !== 'select') throw validationError({ command: ['must be select'] })
        await selectFromSlicer(context, request.actor, request.params.name, body.print === true)
        return reply.code(204).send()
      })
    },
    { prefix: slicerPrefix },
  )
}

/** Cura's plugin shows the words of a refusal only when they come as bare text. */
function showsOnlyText({ headers }: FastifyRequest): boolean {
  return /\bOctoPrintPlugin\//.test(headers['user-agent'] ?? '')
}

/** One sentence, with what is wrong with which field. */
function sentenceOf(error: AppError): string {
  const { details } = error
  if (error.code !== 'VALIDATION_ERROR' || typeof details !== 'object' || details === null) return error.message
  const fields = Object.entries(details).map(([name, whys]) => `${name === '_root' ? 'the form' : name} ${whys}`)
  return fields.length === 0 ? error.message : `${fields.join('; ')}.`
}

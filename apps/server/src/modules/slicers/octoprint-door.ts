import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../context/context.ts'
import { publicUrl } from '../../http/public-url.ts'
import { validationError } from '../../kernel/errors.ts'
import type { PrintFileId } from '../../kernel/ids.ts'
import { maxFileBytes } from '../files/uploads.service.ts'
import {
  octoPrintJob,
  octoPrintLogin,
  octoPrintPrinter,
  octoPrintProfiles,
  octoPrintSettings,
} from './octoprint-answers.ts'
import { doorConfig as config, printFileAddress, type SlicerDoor } from './slicer-door.ts'
import { readSlicerForm } from './slicer-form.ts'
import { getFileNamed, receiveFromSlicer, selectFromSlicer, storeFromSlicer } from './slicers.service.ts'

const prefix = '/octoprint'
const filesPath = '/api/files/local'

const Named = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) })

/**
 * The calls of OctoPrint that slicers send files by: those that they try a connection with, the upload, and the start of a
 * file that is there. Slicers take the answer for OctoPrint's by the word at the start of `text`.
 */
export const octoPrintDoor: SlicerDoor = {
  prefix,
  refusal: ({ code }, sentence, request) => (showsOnlyText(request) ? sentence : { error: sentence, code }),
  dressRefusal(_context, request, reply) {
    if (showsOnlyText(request)) reply.header('Content-Type', 'text/plain')
  },
  routes(app, context, reader) {
    const addressOf = (request: FastifyRequest, name: string) =>
      `${publicUrl(context, request)}${prefix}${filesPath}/${encodeURIComponent(name)}`
    const presentFile = (request: FastifyRequest, name: string, fileId: PrintFileId) => ({
      name,
      path: name,
      origin: 'local',
      refs: { resource: addressOf(request, name), print_file: printFileAddress(context, request, fileId) },
    })

    app.get('/api/version', { config }, async () => ({
      api: '0.1',
      server: '1.11.0',
      text: `OctoPrint (Printyard ${context.version})`,
    }))
    app.get('/api/settings', { config }, async () => octoPrintSettings)
    app.get('/api/printerprofiles', { config }, async () => octoPrintProfiles)
    app.get('/api/printer', { config }, async () => octoPrintPrinter)
    app.get('/api/job', { config }, async () => octoPrintJob)
    app.post('/api/login', { config }, async () => octoPrintLogin)

    app.post(filesPath, { config, bodyLimit: formBytes(context) }, async (request, reply) => {
      const { actor } = request
      const { received, print, plate } = await readSlicerForm(request, maxFileBytes(context), (fileName, content) =>
        receiveFromSlicer(context, actor, fileName, content),
      )
      const sent = { upload_token: received, print, ...(plate !== undefined && { plate }) }
      const { fileId, name } = await storeFromSlicer(context, reader, actor, sent)
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

    app.get(`${filesPath}/:name`, { config, schema: { params: Named } }, async (request) => {
      const { name } = request.params
      return presentFile(request, name, await getFileNamed(context.db.sql, request.actor.accountId, name))
    })

    app.post(`${filesPath}/:name`, { config, schema: { params: Named } }, async (request, reply) => {
      const body = request.body as { command?: unknown; print?: unknown } | null | undefined
      if (body?.command !== 'select') throw validationError({ command: ['must be select'] })
      await selectFromSlicer(context, request.actor, request.params.name, body.print === true)
      return reply.code(204).send()
    })
  },
}

/** A form with the largest file, and what stands around it. */
export function formBytes(context: Context): number {
  return maxFileBytes(context) + 1024 * 1024
}

/** Cura's plugin shows the words of a refusal only when they come as bare text. */
function showsOnlyText({ headers }: FastifyRequest): boolean {
  return /\bOctoPrintPlugin\//.test(headers['user-agent'] ?? '')
}

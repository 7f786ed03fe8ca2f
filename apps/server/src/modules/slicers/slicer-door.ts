import multipart from '@fastify/multipart'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context/context.ts'
import { answerError, toAppError } from '../../http/error-handler.ts'
import { apiPrefix } from '../../http/openapi/openapi.ts'
import { publicUrl } from '../../http/public-url.ts'
import { refuseOtherBodies } from '../../http/request/json-body.ts'
import type { App } from '../../http/types.ts'
import type { AppError } from '../../kernel/errors.ts'
import type { PrintFileId } from '../../kernel/ids.ts'
import type { PrintFileReader } from '../files/print-file-reader.ts'

/** The calls take a few words as JSON, or a file. */
const maxJsonBytes = 16 * 1024

/** A program that slicers know how to send files to, as far as its calls differ from those of the others. */
export interface SlicerDoor {
  /** Below which its calls are, as slicers are told. */
  prefix: string
  /** The body of a refusal as that program writes it; a text goes out as bare text. */
  refusal(known: AppError, sentence: string, request: FastifyRequest): object | string
  /** Headers of a refusal beside those of every route. */
  dressRefusal?(context: Context, request: FastifyRequest, reply: FastifyReply): void
  routes(app: App, context: Context, reader: PrintFileReader): void
}

/** Guard of every door: a key that may write, in the header that slicers have for it. */
export const doorConfig = { scope: 'write', keyHeader: 'x-api-key' } as const

/** Opens a door in a plugin of its own, because it reads forms and words its refusals as no other route does. */
export function openDoor(app: App, context: Context, reader: PrintFileReader, door: SlicerDoor): void {
  void app.register(
    async (plugin) => {
      const routes = plugin as App
      routes.setErrorHandler((error: FastifyError | Error, request, reply) => {
        const known = toAppError(error)
        const body = door.refusal(known, sentenceOf(known), request)
        // The log and the headers are those of every refusal; slicers show the body, so it is a sentence.
        answerError(
          error,
          request,
          reply.serializer(() => (typeof body === 'string' ? body : JSON.stringify(body))),
        )
      })
      routes.addHook('onSend', async (request, reply, payload) => {
        if (reply.statusCode >= 400) door.dressRefusal?.(context, request, reply)
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
      door.routes(routes, context, reader)
    },
    { prefix: door.prefix },
  )
}

/** Answers where a print file is found in the API. */
export function printFileAddress(context: Context, request: FastifyRequest, fileId: PrintFileId): string {
  return `${publicUrl(context, request)}${apiPrefix}/files/${fileId}`
}

/** One sentence, with what is wrong with which field. */
function sentenceOf(error: AppError): string {
  const { details } = error
  if (error.code !== 'VALIDATION_ERROR' || typeof details !== 'object' || details === null) return error.message
  const fields = Object.entries(details).map(([name, whys]) => `${name === '_root' ? 'the form' : name} ${whys}`)
  return fields.length === 0 ? error.message : `${fields.join('; ')}.`
}

import { hash } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { Transaction } from '../../../db/database.ts'
import { answerOncePrepared } from '../../../http/idempotency.ts'
import { refuseOtherBodies } from '../../../http/request/json-body.ts'
import { waitForTurn } from '../../../http/request/read-turns.ts'
import { ok, postFailures } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import type { ErrorCode } from '../../../kernel/errors.ts'
import { readImageForm } from './image-form.ts'
import { discardImage, type PreparedImage, prepareImage } from './prepare-image.ts'
import { thumbnailerOf } from './thumbnails.ts'

/** Forms of one account that are read at once: an image is in memory from its first byte until it is kept. */
const formsAtOnce = 8

/** Failures of a route that takes an image, whatever the image is for. */
export const imageUploadFailures: ErrorCode[] = [
  'NOT_FOUND',
  'INVALID_FILE',
  'UPLOAD_INCOMPLETE',
  'IMAGE_CAP_REACHED',
  'QUOTA_EXCEEDED',
  'STORAGE_FULL',
  ...postFailures,
]

/** What is done with one image. */
interface ImageUse<T> {
  /** Throws when there is no room for it, before the image is read. */
  requireRoom: () => Promise<void>
  /** Keeps it, in the transaction of the answer; answers the data of the answer. */
  keep: (sql: Transaction, image: PreparedImage) => Promise<T>
}

/** Answers a form with an image: 201 with what keeping it gives. The same request sent again has the same answer. */
export type AnswerImage = <T>(request: FastifyRequest, reply: FastifyReply, use: ImageUse<T>) => Promise<void>

/**
 * Adds a route that takes an image. In a plugin of its own, because there a body is a form and nothing else: the handler reads
 * it, so that the route validates all but its body.
 */
export function addImageRoute(app: App, context: Context, add: (app: App, answerImage: AnswerImage) => void): void {
  void app.register(async (plugin) => {
    plugin.removeAllContentTypeParsers()
    plugin.addHook('preParsing', context.memory.hold(makeTurns, undefined))
    refuseOtherBodies(plugin as App, 'multipart/form-data')
    await plugin.register(multipart, { throwFileSizeLimit: false })
    add(plugin as App, makeAnswer(context))
  })
}

const makeTurns = () => waitForTurn(formsAtOnce)

function makeAnswer(context: Context): AnswerImage {
  const thumbnailer = thumbnailerOf(context)
  return async (request, reply, { requireRoom, keep }) => {
    const bytes = await readImageForm(request)
    // From here on the form is what a JSON body would be: what makes this request the same as another.
    request.body = { image: hash('sha256', bytes, 'hex') }
    let prepared: PreparedImage | undefined
    const prepare = async () => {
      await requireRoom()
      prepared = await prepareImage(context, thumbnailer, request.actor.accountId, bytes)
      return prepared
    }
    try {
      await answerOncePrepared(context, request, reply, 201, prepare, async (sql, image) => ok(await keep(sql, image)))
    } finally {
      if (prepared) await discardImage(prepared)
    }
  }
}

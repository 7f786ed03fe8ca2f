import { hash } from 'node:crypto'
import multipart from '@fastify/multipart'
import type { Context } from '../../context/context.ts'
import { answerOncePrepared } from '../../http/idempotency.ts'
import { publicUrl } from '../../http/public-url.ts'
import { refuseOtherBodies } from '../../http/request/json-body.ts'
import { makeValidatorCompiler } from '../../http/request/validation.ts'
import { envelope, failures, ok, postFailures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { readImageForm } from '../catalogue/images/image-form.ts'
import { discardImage, type PreparedImage, prepareImage } from '../catalogue/images/prepare-image.ts'
import { createThumbnailer } from '../catalogue/images/thumbnails.ts'
import { workOf } from '../events/work.ts'
import { ArticleActionParams } from './wiki.schema.ts'
import { NewPictureForm, presentPicture, WikiImage } from './wiki-images.schema.ts'
import { addPicture, requireRoomForPicture } from './wiki-images.service.ts'

/** Pictures that texts of articles show. */
export function wikiImageRoutes(app: App, context: Context): void {
  void app.register(async (plugin) => addPictureRoute(plugin as App, context))
}

/** In a plugin of its own, because here a body is a form and nothing else. */
async function addPictureRoute(app: App, context: Context): Promise<void> {
  const thumbnailer = createThumbnailer()
  const compileValidator = makeValidatorCompiler()
  app.removeAllContentTypeParsers()
  refuseOtherBodies(app, 'multipart/form-data')
  await app.register(multipart, { throwFileSizeLimit: false })

  app.post(
    '/wiki/:id/images',
    {
      config: { scope: 'write' },
      // The form is read by the handler; its schema is for readers.
      validatorCompiler: (part) => (part.httpPart === 'body' ? () => true : compileValidator(part)),
      schema: {
        tags: ['Wiki'],
        summary: 'Add a picture to an article',
        description:
          'A form with one file in the field `image`: JPEG, PNG, WebP or GIF, told by its content, at most 5 MB and 50 million pixels. ' +
          'Its address goes into `image_url` of a section or into the text. At most 200 for an article; they are deleted with it, ' +
          'since its revisions show them.',
        consumes: ['multipart/form-data'],
        params: ArticleActionParams,
        body: NewPictureForm,
        response: {
          201: envelope(WikiImage),
          ...failures(
            'NOT_FOUND',
            'INVALID_FILE',
            'UPLOAD_INCOMPLETE',
            'IMAGE_CAP_REACHED',
            'QUOTA_EXCEEDED',
            'STORAGE_FULL',
            ...postFailures,
          ),
        },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const bytes = await readImageForm(request)
      // From here on the form is what a JSON body would be: what makes this request the same as another.
      request.body = { image: hash('sha256', bytes, 'hex') }
      let prepared: PreparedImage | undefined
      try {
        await answerOncePrepared(
          context,
          request,
          reply,
          201,
          async () => {
            await requireRoomForPicture(context.db.sql, actor.accountId, params.id)
            prepared = await prepareImage(context, thumbnailer, actor.accountId, bytes)
            return prepared
          },
          async (sql, image) =>
            ok(
              presentPicture(
                await addPicture(workOf(context, actor, sql), params.id, image),
                publicUrl(context, request),
              ),
            ),
        )
      } finally {
        if (prepared) await discardImage(prepared)
      }
      return reply
    },
  )
}

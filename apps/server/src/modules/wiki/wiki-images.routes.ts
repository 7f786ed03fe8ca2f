import type { Context } from '../../context/context.ts'
import { publicUrl } from '../../http/public-url.ts'
import { makeValidatorOfAllButBody } from '../../http/request/validation.ts'
import { envelope, failures } from '../../http/schema.ts'
import type { App } from '../../http/types.ts'
import { type AnswerImage, addImageRoute, imageUploadFailures } from '../catalogue/images/image-upload.ts'
import { workOf } from '../events/work.ts'
import { ArticleActionParams } from './wiki.schema.ts'
import { NewPictureForm, presentPicture, WikiImage } from './wiki-images.schema.ts'
import { addPicture, requireRoomForPicture } from './wiki-images.service.ts'

/** Pictures that texts of articles show. */
export function wikiImageRoutes(app: App, context: Context): void {
  addImageRoute(app, context, (plugin, answerImage) => addPictureRoute(plugin, context, answerImage))
}

function addPictureRoute(app: App, context: Context, answerImage: AnswerImage): void {
  app.post(
    '/wiki/:id/images',
    {
      config: { scope: 'write' },
      validatorCompiler: makeValidatorOfAllButBody(),
      schema: {
        tags: ['Wiki'],
        summary: 'Add a picture to an article',
        description:
          'A form with one file in the field `image`: JPEG, PNG, WebP or GIF, recognised by its content, at most 5 MB and 50 million pixels. ' +
          'Its address goes into `image_url` of a section or into the text. At most 200 for an article; they are deleted with it, ' +
          'since its revisions show them.',
        consumes: ['multipart/form-data'],
        params: ArticleActionParams,
        body: NewPictureForm,
        response: { 201: envelope(WikiImage), ...failures(...imageUploadFailures) },
      },
    },
    (request, reply) => {
      const { actor, params } = request
      return answerImage(request, reply, {
        requireRoom: () => requireRoomForPicture(context.db.sql, actor.accountId, params.id),
        keep: async (sql, image) =>
          presentPicture(await addPicture(workOf(context, actor, sql), params.id, image), publicUrl(context, request)),
      })
    },
  )
}

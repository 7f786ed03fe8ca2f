import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { lockRow } from '../../../db/lock-row.ts'
import { beginIfMatch } from '../../../http/conditional.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { oneGiven } from '../../../http/request/one-given.ts'
import { makeValidatorOfAllButBody } from '../../../http/request/validation.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { workOf } from '../../events/work.ts'
import { type AnswerImage, addImageRoute, imageUploadFailures } from '../images/image-upload.ts'
import type { ImageRow } from '../images/product-images.queries.ts'
import {
  DeletedImage,
  ImageOrderBody,
  ImageParams,
  NewImageForm,
  ProductImage,
  presentImage,
} from '../images/product-images.schema.ts'
import { addImage, listProductImages, orderImages, removeImage, requireRoomForImage } from './product-images.service.ts'

const tags = ['Products']
const Images = Type.Array(ProductImage, { description: 'The images of the product in their order' })

export function productImageRoutes(app: App, context: Context): void {
  app.get(
    '/products/:id/images',
    {
      config: { scope: 'read', tagged: true },
      schema: {
        tags,
        summary: 'List the images of a product in their order',
        description: 'The first one stands for the product: it is its `image_url`.',
        params: idParams('product'),
        response: { 200: envelope(Images), ...failures('NOT_FOUND') },
      },
    },
    async (request) => {
      const images = await listProductImages(context.db.sql, request.actor.accountId, request.params.id)
      return ok(presentImages(request, images))
    },
  )

  addImageRoute(app, context, (plugin, answerImage) => addProductImageRoute(plugin, context, answerImage))

  app.put(
    '/products/:id/images/order',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Change the order of the images of a product',
        description: 'All images are named, each once. The first one stands for the product from then on.',
        params: idParams('product'),
        body: ImageOrderBody,
        response: {
          200: envelope(Images),
          ...failures('NOT_FOUND', ...bodyFailures),
        },
      },
    },
    async (request, reply) => {
      const { actor, params } = request
      const imageIds = oneGiven(request.body, 'image_ids', 'order')
      const begin = beginIfMatch(context, request, reply, async (sql) => {
        await lockRow(sql, 'products', actor.accountId, params.id)
        return presentImages(request, await listProductImages(sql, actor.accountId, params.id))
      })
      return ok(
        presentImages(request, await begin((sql) => orderImages(workOf(context, actor, sql), params.id, imageIds))),
      )
    },
  )

  app.delete(
    '/products/:id/images/:imageId',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Delete an image of a product',
        description:
          'The images after it move up. Its address stops working; who has seen the image may still have it.',
        params: ImageParams,
        response: { 200: envelope(DeletedImage), ...failures('NOT_FOUND') },
      },
    },
    async ({ actor, params }) => {
      await removeImage(context, actor, params.id, params.imageId)
      return ok({ id: params.imageId, deleted: true })
    },
  )

  function presentImages(request: FastifyRequest, images: ImageRow[]) {
    return images.map((image) => presentImage(image, publicUrl(context, request)))
  }
}

function addProductImageRoute(app: App, context: Context, answerImage: AnswerImage): void {
  app.post(
    '/products/:id/images',
    {
      config: { scope: 'write' },
      validatorCompiler: makeValidatorOfAllButBody(),
      schema: {
        tags,
        summary: 'Add an image to a product',
        description:
          'A form with one file in the field `image`: JPEG, PNG, WebP or GIF, recognised by its content, at most 5 MB and 50 million pixels. It is added after the images that are there, at most 20. It is stored as sent, with the metadata of the camera; the thumbnail has no metadata. An `Idempotency-Key` covers the bytes of the image, not how the form wraps or names them.',
        consumes: ['multipart/form-data'],
        params: idParams('product'),
        body: NewImageForm,
        response: { 201: envelope(ProductImage), ...failures(...imageUploadFailures) },
      },
    },
    (request, reply) => {
      const { actor, params } = request
      return answerImage(request, reply, {
        requireRoom: () => requireRoomForImage(context.db.sql, actor.accountId, params.id),
        keep: async (sql, image) =>
          presentImage(await addImage(workOf(context, actor, sql), params.id, image), publicUrl(context, request)),
      })
    },
  )
}

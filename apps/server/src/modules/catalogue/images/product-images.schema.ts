import Type, { type Static } from 'typebox'
import { idOf, request, resource } from '../../../http/schema.ts'
import type { ImageRow } from './product-images.queries.ts'

/** Most images of one product. */
export const maxImages = 20

export const ProductImage = resource('ProductImage', 'An image of a product', {
  id: Type.String({ description: 'ID of the image' }),
  sort_order: Type.Integer({ description: 'Place among the images of the product, from 0; that at 0 stands for it' }),
  url: Type.String({ description: 'Address of the image as it was sent. Needs no API key; cannot be guessed' }),
  thumb_url: Type.String({
    description: 'Address of a WebP of at most 480 × 480 pixels. Needs no API key; cannot be guessed',
  }),
})

export const ImageParams = Type.Object(
  { id: idOf('product', 'ID of the product'), imageId: idOf('productImage', 'ID of the image') },
  { additionalProperties: false },
)

/** The form as the API description shows it. What is read from it is the bytes; in `image` then stands their hash. */
export const NewImageForm = request({
  image: Type.String({ format: 'binary', description: 'A JPEG, PNG, WebP or GIF file of at most 5 MB' }),
})

const imageOrder = (description: string) =>
  Type.Optional(
    Type.Array(idOf('productImage', 'ID of an image'), { maxItems: maxImages, uniqueItems: true, description }),
  )

export const ImageOrderBody = request(
  {
    image_ids: imageOrder(
      'All images of the product, in the order that they are to have. Needed unless order is given',
    ),
    order: imageOrder('Another name of image_ids; one of the two is sent'),
  },
  { examples: [{ image_ids: ['img_01kaxq3v7m2e8h5t9w4c6y0b1d'] }] },
)

export const DeletedImage = resource('DeletedProductImage', 'The image that is gone', {
  id: Type.String({ description: 'ID of the image' }),
  deleted: Type.Boolean({ description: 'Always true' }),
})

/** `baseUrl` is where the service is reached. */
export function presentImage(image: ImageRow, baseUrl: string): Static<typeof ProductImage> {
  const url = imageUrl(image.token, baseUrl)
  return { id: image.id, sort_order: image.sort_order, url, thumb_url: `${url}/thumb` }
}

/** The address of an image as it was sent. `baseUrl` is where the service is reached. */
export function imageUrl(token: string, baseUrl: string): string {
  return `${baseUrl}/images/${token}`
}

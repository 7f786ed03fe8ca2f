import Type, { type Static } from 'typebox'
import { request, resource } from '../../http/schema.ts'
import type { WikiImageId } from '../../kernel/ids.ts'
import { imageUrl } from '../catalogue/images/product-images.schema.ts'

/** Most pictures of one article. */
export const maxArticleImages = 200

/** The form as the API description shows it. What is read from it is the bytes; in `image` then stands their hash. */
export const NewPictureForm = request({
  image: Type.String({ format: 'binary', description: 'A JPEG, PNG, WebP or GIF file of at most 5 MB' }),
})

export const WikiImage = resource('WikiImage', 'A picture of an article', {
  id: Type.String({ description: 'ID of the picture', examples: ['wim_01kaxq3v7m2e8h5t9w4c6y0b1d'] }),
  url: Type.String({
    description: 'Address for `image_url` of a section, or for the text. Needs no API key; cannot be guessed',
  }),
  thumb_url: Type.String({
    description: 'Address of a WebP of at most 480 × 480 pixels. Needs no API key; cannot be guessed',
  }),
})

export function presentPicture(
  { id, token }: { id: WikiImageId; token: string },
  baseUrl: string,
): Static<typeof WikiImage> {
  const url = imageUrl(token, baseUrl)
  return { id, url, thumb_url: `${url}/thumb` }
}

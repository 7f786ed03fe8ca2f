import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { contentPolicy } from '../../../http/request/browser-headers.ts'
import type { App } from '../../../http/types.ts'
import { notFound } from '../../../kernel/errors.ts'
import { findStoredImage } from './product-images.queries.ts'

const tokenForm = /^[0-9a-f]{32}$/

/** Routes by which browsers get images. The address is the credential, so that it can stand in any page, as `image_url` must. */
export function servedImageRoutes(app: App, context: Context): void {
  app.get<{ Params: { token: string } }>(
    '/images/:token',
    { config: { credential: 'none' } },
    async ({ params }, reply) => {
      const image = await getStoredImage(params.token)
      return send(reply, image.sha256, image.content_type)
    },
  )

  app.get<{ Params: { token: string } }>(
    '/images/:token/thumb',
    { config: { credential: 'none' } },
    async ({ params }, reply) => {
      const image = await getStoredImage(params.token)
      return send(reply, image.thumb_sha256, 'image/webp')
    },
  )

  async function getStoredImage(token: string) {
    const image = tokenForm.test(token) ? await findStoredImage(context.db.sql, token) : undefined
    if (!image) throw notFound('image')
    return image
  }

  async function send(reply: FastifyReply, sha256: string, contentType: string): Promise<FastifyReply> {
    const { content, sizeBytes } = await context.files.read(sha256)
    return reply
      .headers({
        'Content-Type': contentType,
        'Content-Length': sizeBytes,
        // What an address shows never changes; a new image has a new address.
        'Cache-Control': 'public, max-age=31536000, immutable',
        'Content-Security-Policy': contentPolicy,
      })
      .send(content)
  }
}

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { App } from './types.ts'

const builtDashboard = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** Only what this service serves itself may run or load in a page. */
export const pagePolicy =
  "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

/** The built dashboard at `/`. Hashed assets may be kept for ever, the page itself is asked for anew each time. */
export async function dashboardRoutes(app: App): Promise<void> {
  if (!existsSync(`${builtDashboard}/index.html`)) {
    app.log.warn('the dashboard is not built; `npm start` builds it')
    return
  }
  await app.register(fastifyStatic, {
    root: builtDashboard,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/')
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('Content-Security-Policy', pagePolicy)
      reply.header('Referrer-Policy', 'no-referrer')
      reply.header('X-Frame-Options', 'DENY')
    },
  })
}

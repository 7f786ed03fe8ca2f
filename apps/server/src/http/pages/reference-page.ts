import swaggerUi from '@fastify/swagger-ui'
import { pageHeaders } from '../request/browser-headers.ts'
import type { App } from '../types.ts'

/** A readable reference of the API at `/docs`. Its assets come from this machine and its policy allows no other. */
export async function referencePage(app: App): Promise<void> {
  app.addHook('onRequest', ({ url }, reply, done) => {
    if (url.startsWith('/docs')) reply.headers(pageHeaders)
    done()
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: false, persistAuthorization: false },
    theme: { title: 'Printyard API' },
    staticCSP: true,
    transformStaticCSP: () => referencePolicy,
  })
}

const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

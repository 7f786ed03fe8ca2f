import swaggerUi from '@fastify/swagger-ui'
import { pageHeaders } from '../request/browser-headers.ts'
import type { App } from '../types.ts'

/** Where the explorer of the API is, beside the pages of the documentation. */
const explorerPath = '/docs/explorer'

/** An explorer of the API description. Its assets come from this machine and its policy allows no other. */
export async function explorerPage(app: App): Promise<void> {
  app.addHook('onRequest', ({ url }, reply, done) => {
    if (url.startsWith(explorerPath)) reply.headers(pageHeaders)
    done()
  })
  await app.register(swaggerUi, {
    routePrefix: explorerPath,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: false, persistAuthorization: false },
    theme: { title: 'Printyard API' },
    staticCSP: true,
    transformStaticCSP: () => explorerPolicy,
  })
}

const explorerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

import swaggerUi from '@fastify/swagger-ui'
import { pageHeaders } from '../request/browser-headers.ts'
import type { Look } from '../request/first-looks.ts'
import type { App } from '../types.ts'

/** A readable reference of the API at `/docs`. Its assets come from this machine and its policy allows no other. */
export async function referencePage(app: App): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: false, persistAuthorization: false },
    theme: { title: 'Printyard API' },
    staticCSP: true,
    transformStaticCSP: () => referencePolicy,
  })
}

/** The headers of every page, for those of the reference and their assets. */
export const headReference: Look = ({ raw: { url = '' } }, reply) => {
  if (url.startsWith('/docs')) reply.headers(pageHeaders)
}

const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

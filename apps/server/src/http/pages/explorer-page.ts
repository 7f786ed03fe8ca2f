import swaggerUi from '@fastify/swagger-ui'
import { pageHeaders } from '../request/browser-headers.ts'
import type { Look } from '../request/first-looks.ts'
import type { App } from '../types.ts'

/** Where the explorer of the API is, beside the pages of the documentation. */
const explorerPath = '/docs/explorer'

/** An explorer of the API description. Its assets come from this machine and its policy allows no other. */
export async function explorerPage(app: App): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: explorerPath,
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: false, persistAuthorization: false },
    theme: { title: 'Printyard API' },
    staticCSP: true,
    transformStaticCSP: () => explorerPolicy,
  })
}

/** The headers of every page, for those of the explorer and their assets. */
export const headExplorer: Look = ({ raw: { url = '' } }, reply) => {
  if (url.startsWith(explorerPath)) reply.headers(pageHeaders)
}

const explorerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

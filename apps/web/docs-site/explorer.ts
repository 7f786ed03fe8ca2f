import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteRoot } from './site-paths.ts'

/** Swagger UI as this package brings it: with nothing that tells its makers who has installed it. */
const swaggerUi = join(dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui'))), 'static')

const folder = 'explorer'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Printyard API</title>
<link rel="stylesheet" href="${siteRoot}/${folder}/swagger-ui.css">
<link rel="stylesheet" href="${siteRoot}/${folder}/index.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
</head>
<body>
<div id="explorer"></div>
<script src="${siteRoot}/${folder}/swagger-ui-bundle.js"></script>
<script src="${siteRoot}/${folder}/start.js"></script>
</body>
</html>
`

const start = `SwaggerUIBundle({
  dom_id: '#explorer',
  url: '/public/v1/openapi.json',
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: false,
  persistAuthorization: false,
  validatorUrl: null,
})
`

/** The explorer of the API as files by their path below the root of the site. The description itself is the one that the service serves. */
export function explorerFiles(): Map<string, string | Buffer> {
  const files = new Map<string, string | Buffer>([
    [`${folder}.html`, page],
    [`${folder}/start.js`, start],
  ])
  for (const name of ['swagger-ui.css', 'index.css', 'swagger-ui-bundle.js']) {
    files.set(`${folder}/${name}`, readFileSync(join(swaggerUi, name)))
  }
  return files
}

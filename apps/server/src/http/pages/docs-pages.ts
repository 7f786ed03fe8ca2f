import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { pageHeaders } from '../request/browser-headers.ts'
import type { App } from '../types.ts'
import { type FoundPart, resultsHtml, searchParts } from './docs-search.ts'

/** Headers of a page of the documentation and what it shows. Nothing runs there: pages have no script, and their styles are a file. */
const docsHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  ...pageHeaders,
} as const

/** The explorer of the API runs its own scripts, and loads nothing but the description of this service. */
const explorerHeaders = {
  ...docsHeaders,
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
} as const

/** @param path of a file below the folder of the documentation */
export function headersOfDocs(path: string) {
  return /^explorer[./]/.test(path) ? explorerHeaders : docsHeaders
}

const longestQuery = 100
const html = 'text/html; charset=utf-8'

/** What the build has made, as the routes need it. */
interface BuiltDocs {
  /** Of the file that it was read from: a later build takes the place of this one while the service runs. */
  stamp: string
  /** Paths below the folder. */
  files: ReadonlySet<string>
  parts: readonly FoundPart[]
  searchPage: string
}

/** The documentation at `/docs`: pages that the build of the dashboard has written into its folder `docs`, and a search through them. */
export function docsRoutes(app: App, folder: string): void {
  const readDocs = makeDocsReader(folder)

  const send = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const { files } = await readDocs()
    const file = fileOf(path, files)
    if (file !== undefined) return reply.sendFile(`docs/${file}`)
    const plain = path.replace(/(?:\/README)?\.md$|\/$/, '')
    if (plain !== path && fileOf(plain, files) !== undefined) {
      return reply.redirect(plain === '' ? '/docs' : `/docs/${plain}`, 308)
    }
    const wantsPage = (request.headers.accept ?? '').includes('text/html')
    if (!wantsPage) return reply.callNotFound()
    const page = await readFile(join(folder, 'missing.html'), 'utf8')
    return reply.code(404).headers(docsHeaders).type(html).send(page)
  }

  app.get('/docs', { schema: { hide: true } }, (request, reply) => send('', request, reply))
  app.get<{ Params: { '*': string } }>('/docs/*', { schema: { hide: true } }, (request, reply) =>
    send(request.params['*'], request, reply),
  )
  app.get<{ Querystring: { q: string } }>(
    '/docs/search',
    {
      schema: {
        hide: true,
        querystring: Type.Object({ q: Type.String({ maxLength: longestQuery, default: '' }) }),
      },
    },
    async ({ query: { q } }, reply) => {
      const { parts, searchPage } = await readDocs()
      const found = resultsHtml(searchParts(parts, q), q)
      const page = searchPage.replace('%QUERY%', () => escapeHtml(q)).replace('%RESULTS%', () => found)
      return reply.headers(docsHeaders).type(html).send(page)
    },
  )
}

/** The file of an address below `/docs`. Only what the build has written can be one. */
function fileOf(path: string, files: ReadonlySet<string>): string | undefined {
  if (path === '') return 'index.html'
  return [path, `${path}.html`].find((file) => files.has(file))
}

/** Reads the list of pages and the index of the search when they are first asked for, and again after a build. */
function makeDocsReader(folder: string): () => Promise<BuiltDocs> {
  let known: BuiltDocs | undefined
  return async () => {
    const { ino, mtimeMs, size } = await stat(join(folder, 'search.json'))
    const stamp = `${ino} ${mtimeMs} ${size}`
    if (known?.stamp === stamp) return known
    const [names, index, searchPage] = await Promise.all([
      readdir(folder, { recursive: true, encoding: 'utf8' }),
      readFile(join(folder, 'search.json'), 'utf8'),
      readFile(join(folder, 'search.template.html'), 'utf8'),
    ])
    const pages = names.filter((name) => /\.(html|css|png|js)$/.test(name) && !/^(search|missing)\b/.test(name))
    // Written by our own build.
    known = { stamp, files: new Set(pages), parts: JSON.parse(index) as FoundPart[], searchPage }
    return known
  }
}

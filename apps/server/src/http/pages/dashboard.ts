import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerPolicy, pageHeaders } from '../request/browser-headers.ts'
import type { App } from '../types.ts'
import { docsRoutes, headersOfDocs } from './docs-pages.ts'

const builtDashboard = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Addresses of programs: what is not there under them is an error in the envelope, never a page. */
const programPaths = /^\/(?:public|app|hub|api|docs|assets|livez|readyz|metrics)(?:[/?]|$)/

/**
 * What the service worker may do is said with its script, not with the page: it fetches from this service. It stands at the root,
 * so that its scope is the whole dashboard without a header that widens it.
 */
const isWorker = /\/sw\.js(\.br|\.gz)?$/
const workerPolicy = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

const noncePlace = '%STYLE_NONCE%'

/**
 * Only what this service serves itself may run or load in a page; its `<style>` elements carry the nonce of the answer.
 * `wasm-unsafe-eval` is for the reader of QR codes (decision 0020): it allows WebAssembly, not `eval`.
 */
function pagePolicy(styleNonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "img-src 'self' data: blob:",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** Names that the build gives to assets, but not those of their compressed copies. */
const assetName = /^[\w-][\w.-]*(?<!\.br|\.gz)$/

/** Answers a browser that asks for a page of the dashboard; undefined: this request asks for something else. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

/**
 * The dashboard as it stands in its folder: one that is built again takes the place of the former at once, page and assets
 * together, while the service runs. Without a built one there is none until the next start.
 */
export function openDashboard(folder = builtDashboard): { answerPage: AnswerPage; routes(app: App): Promise<void> } {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) {
    return {
      answerPage: () => undefined,
      async routes(app) {
        app.log.warn('the dashboard is not built; `npm start` builds it')
      },
    }
  }
  const readPage = makePageReader(file)
  return {
    // The dashboard routes its addresses itself: anyone who loads `/printers/prn_1` again gets the same page as at `/`.
    // Programs ask for JSON, or do not say; they get their 404.
    answerPage(request, reply) {
      const isForPeople = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
      if (!isForPeople || programPaths.test(request.url)) return undefined
      return readPage().then((page) => sendPage(page, reply))
    },
    async routes(app) {
      app.get('/', async (_request, reply) => sendPage(await readPage(), reply))
      await assetRoutes(app, folder)
      docsRoutes(app, join(folder, 'docs'))
    },
  }
}

/** Reads the page, and again only when the file is another one. While a build replaces it, the former one counts. */
function makePageReader(file: string): () => Promise<string> {
  let known: { page: string; stamp: string } | undefined
  return async () => {
    try {
      const { ino, mtimeMs, size } = await stat(file)
      const stamp = `${ino} ${mtimeMs} ${size}`
      if (known?.stamp !== stamp) known = { page: await readFile(file, 'utf8'), stamp }
    } catch (error) {
      if (known === undefined || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    return known.page
  }
}

/**
 * Hashed assets may be kept for ever, the page itself is asked for again each time. The build leaves each asset compressed
 * beside it; a caller that takes none of these gets it as it is.
 */
async function assetRoutes(app: App, folder: string): Promise<void> {
  const docsFolder = join(folder, 'docs/')
  await app.register(fastifyStatic, {
    root: folder,
    // It would look through all of the folder at each start.
    serve: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      if (path.startsWith(docsFolder)) return void reply.headers(headersOfDocs(path.slice(docsFolder.length)))
      const isHashed = path.includes('/assets/')
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('Content-Security-Policy', isWorker.test(path) ? workerPolicy : answerPolicy)
      reply.header('Referrer-Policy', 'no-referrer')
      reply.header('X-Frame-Options', 'DENY')
    },
  })
  for (const path of await namedFiles(folder)) {
    app.get(`/${path}`, { schema: { hide: true } }, (_request, reply) => reply.sendFile(path))
  }
  app.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, (request, reply) => {
    if (!assetName.test(request.params.name)) return reply.callNotFound()
    return reply.sendFile(`assets/${request.params.name}`)
  })
}

/**
 * The files that have the same name in every build, such as icons. The page is none of them: without its nonce it would show nothing. Assets
 * and the documentation have routes of their own, since what is there changes with each build.
 */
async function namedFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'index.html' && assetName.test(entry.name))
  const folders = entries.filter((entry) => entry.isDirectory() && !['assets', 'docs'].includes(entry.name))
  const below = await Promise.all(
    folders.map(async ({ name }) => (await readdir(join(folder, name))).map((file) => `${name}/${file}`)),
  )
  return [...files.map(({ name }) => name), ...below.flat()]
}

function sendPage(page: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .code(200)
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': pagePolicy(nonce),
      ...pageHeaders,
    })
    .send(page.replace(noncePlace, nonce))
}

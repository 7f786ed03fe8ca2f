import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './types.ts'

const builtDashboard = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** Addresses of programs: what is not there under them is an error in the envelope, never a page. */
const programPaths = /^\/(?:public|app|hub|api|docs|assets|livez|readyz|metrics)(?:[/?]|$)/

const noncePlace = '%STYLE_NONCE%'

/** Only what this service serves itself may run or load in a page; its `<style>` elements carry the nonce of the answer. */
export function pagePolicy(styleNonce: string): string {
  return [
    "default-src 'self'",
    "img-src 'self' data: blob:",
    `style-src 'self' 'nonce-${styleNonce}'`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** Answers a browser that asks for a page of the dashboard; undefined: this request asks for something else. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/**
 * The dashboard routes its addresses itself: whoever loads `/printers/prn_1` anew gets the same page as at `/`. Programs
 * ask for JSON, or do not say; they get their 404.
 */
export function makePageAnswer(): AnswerPage {
  const file = `${builtDashboard}/index.html`
  if (!existsSync(file)) return () => undefined
  const page = readFileSync(file, 'utf8')
  return (request, reply) => {
    const isForPeople = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (!isForPeople || programPaths.test(request.url)) return undefined
    return sendPage(page, reply)
  }
}

/**
 * The built dashboard. Hashed assets may be kept for ever, the page itself is asked for anew each time. The build leaves
 * each asset compressed beside it; a caller that takes none of these gets it as it is.
 */
export async function dashboardRoutes(app: App): Promise<void> {
  const file = `${builtDashboard}/index.html`
  if (!existsSync(file)) {
    app.log.warn('the dashboard is not built; `npm start` builds it')
    return
  }
  const page = readFileSync(file, 'utf8')
  app.get('/', (_request, reply) => sendPage(page, reply))
  await app.register(fastifyStatic, {
    root: builtDashboard,
    wildcard: false,
    index: false,
    // Without its nonce the page would show nothing.
    globIgnore: ['index.html', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isHashed = path.includes('/assets/')
      reply.header('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('Content-Security-Policy', "default-src 'none'")
      reply.header('Referrer-Policy', 'no-referrer')
      reply.header('X-Frame-Options', 'DENY')
    },
  })
}

function sendPage(page: string, reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .code(200)
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': pagePolicy(nonce),
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
    })
    .send(page.replace(noncePlace, nonce))
}

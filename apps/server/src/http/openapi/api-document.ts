import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { entityTag, matchesWeakly, readTagList } from '../entity-tags.ts'
import type { App } from '../types.ts'

const compress = promisify(gzip)

/** The OpenAPI document as it is sent: text and compressed copy, each with a tag of its own. */
interface SentDocument {
  text: string
  textTag: string
  gzipped: Buffer
  gzippedTag: string
}

/**
 * Serves the OpenAPI document at `/openapi.json`. It has about a megabyte and never changes while the service runs: it is
 * written and compressed once, at the first call, and a client that has it already is answered 304.
 */
export function apiDocumentRoute(routes: App, describe: () => object): void {
  let sent: Promise<SentDocument> | undefined
  const build = async (): Promise<SentDocument> => {
    const text = JSON.stringify(describe())
    const gzipped = await compress(text)
    return { text, gzipped, textTag: entityTag(text), gzippedTag: entityTag(gzipped) }
  }
  routes.get('/openapi.json', { config: { credential: 'none' } }, async (request, reply) => {
    sent ??= build()
    const { text, textTag, gzipped, gzippedTag } = await sent
    const isCompressed = takesGzip(request)
    return answer(request, reply, isCompressed ? { body: gzipped, tag: gzippedTag } : { body: text, tag: textTag })
  })
}

function answer(request: FastifyRequest, reply: FastifyReply, { body, tag }: { body: string | Buffer; tag: string }) {
  reply.headers({ ETag: tag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' })
  const known = readTagList(request.headers['if-none-match'] ?? '')
  if (known && matchesWeakly(known, tag)) return reply.code(304).send()
  if (Buffer.isBuffer(body)) reply.header('Content-Encoding', 'gzip')
  return reply.type('application/json; charset=utf-8').send(body)
}

/** True when `Accept-Encoding` names gzip, or anything, without refusing it by `q=0`. */
function takesGzip({ headers }: FastifyRequest): boolean {
  return String(headers['accept-encoding'] ?? '')
    .split(',')
    .some((each) => /^\s*(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*$).*)?$/i.test(each))
}

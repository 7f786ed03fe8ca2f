import type { preParsingHookHandler, RouteOptions } from 'fastify'
import { AppError, validationError } from '../../kernel/errors.ts'
import type { App } from '../types.ts'
import { endSoon } from './end-soon.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The text of a body.
 *
 * @throws AppError `VALIDATION_ERROR` for bytes that are no UTF-8: read as if they were, names would be stored damaged.
 */
export function decodeUtf8(body: Buffer): string {
  try {
    return decoder.decode(body)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw validationError({ _root: ['must be encoded as UTF-8'] })
  }
}

/** A media type with the encoding of its text. */
const withCharset = /;\s*charset\s*=\s*"?([^\s;"]+)/i

/** Encodings of which every text is the same bytes in UTF-8. */
const readable = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii'])

/** Answers `UNSUPPORTED_MEDIA_TYPE` to bodies that are compressed, and to texts that say to be in another encoding. */
export function refuseEncodedBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (!takesBody(route)) return
    route.preParsing = [refuseEncoded, ...[route.preParsing ?? []].flat()]
  })
}

const withBodies = new Set(['POST', 'PUT', 'PATCH'])

/** Any other method's body is ignored, whatever it is. */
export const takesBody = ({ method }: Pick<RouteOptions, 'method'>): boolean =>
  [method].flat().some((each) => withBodies.has(each))

const refuseEncoded: preParsingHookHandler = (request, reply, payload, done) => {
  if (!hasBody(request.headers)) return done(null, payload)
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = request.headers
  const charset = withCharset.exec(type)?.[1] ?? 'utf-8'
  if (encoding.trim().toLowerCase() !== 'identity') {
    reply.header('Accept-Encoding', 'identity')
    endSoon(request.raw)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'it is, without Content-Encoding' })
  }
  if (!readable.has(charset.toLowerCase())) {
    endSoon(request.raw)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { expected: 'UTF-8' })
  }
  done(null, payload)
}

function hasBody(headers: {
  'transfer-encoding'?: string | undefined
  'content-length'?: string | undefined
}): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

import { AppError, validationError } from '../../kernel/errors.ts'
import type { App } from '../types.ts'
import { endSoon } from './end-soon.ts'

/** Far more than any schema of ours goes down. Whoever walks down what has no end runs out of stack. */
const maxDepth = 50

/** `type/subtype` as Fastify reads it; it refuses every other type before it looks for a body. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Reads bodies that are JSON. A body of no bytes counts as none, whatever its type: many clients name the type of a body
 * that they do not send.
 */
export function readJsonBodies(app: App): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // Anything but JSON is refused by its type, not misread as a text.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body: string, done) => {
    if (body === '') return done(null, undefined)
    void parseJson(request, body, (error, value: unknown) => {
      if (error) done(error)
      else if (isDeeperThan(maxDepth, value)) done(nestedTooDeeply())
      else done(null, value)
    })
  })
  refuseOtherBodies(app, 'application/json')
  app.addHook('onRequest', async ({ raw: { headers } }) => {
    const type = headers['content-type']
    if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream'
  })
}

/** Answers `UNSUPPORTED_MEDIA_TYPE` to a body of any other type at its first byte, and takes one without bytes for none. */
export function refuseOtherBodies(app: App, expected: string): void {
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.is404) return done(null, undefined)
    const end = (error: Error | null) => {
      payload.off('data', refuse).off('end', accept).off('error', end)
      done(error, undefined)
    }
    const accept = () => end(null)
    const refuse = () => {
      end(new AppError('UNSUPPORTED_MEDIA_TYPE', { expected }))
      endSoon(request.raw)
    }
    payload.on('data', refuse).on('end', accept).on('error', end)
  })
}

const nestedTooDeeply = () => validationError({ _root: [`must not be nested deeper than ${maxDepth} levels`] })

function isDeeperThan(levels: number, value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item))
}

import { AppError, validationError } from '../../kernel/errors.ts'
import type { App } from '../types.ts'
import { decodeUtf8 } from './body-encoding.ts'
import { endSoon } from './end-soon.ts'
import type { Look } from './first-looks.ts'

/** Far more than any schema of ours goes down. Anyone who walks down what has no end runs out of stack. */
const maxDepth = 50

/** `type/subtype` as Fastify reads it; it refuses every other type before it looks for a body. */
const mediaType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

/**
 * Reads bodies that are JSON. A body of no bytes counts as none, whatever its type: many clients name the type of a body
 * that they do not send.
 */
export function readJsonBodies(app: App): void {
  // Anything but JSON is refused by its type, not misread as a text.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length === 0 ? undefined : readJson(decodeUtf8(body)),
  )
  refuseOtherBodies(app, 'application/json')
}

/** What does not even say its type in the right form is taken for bytes of no type that is read. */
export const renameOddTypes: Look = ({ raw: { headers } }) => {
  const type = headers['content-type']
  if (type !== undefined && !mediaType.test(type)) headers['content-type'] = 'application/octet-stream'
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

function readJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw validationError({ _root: [`must be valid JSON: ${error.message}`] })
  }
  refuseUnlessPlain(value, maxDepth)
  return value
}

const nestedTooDeeply = () => validationError({ _root: [`must not be nested deeper than ${maxDepth} levels`] })

/** A copy of such a field into another object would change what that object does. */
const prototypeNamed = () =>
  validationError({ _root: ['must not have a field named __proto__, or one named constructor with a prototype in it'] })

/** Written without a list of fields for each object: a body has up to a quarter of a million of them. */
function refuseUnlessPlain(value: unknown, levels: number): void {
  if (value === null || typeof value !== 'object') return
  if (levels === 0) throw nestedTooDeeply()
  if (Array.isArray(value)) {
    for (const item of value) refuseUnlessPlain(item, levels - 1)
    return
  }
  for (const name in value) {
    if (name === '__proto__') throw prototypeNamed()
    const item = (value as Record<string, unknown>)[name]
    const isPrototype = name === 'constructor' && typeof item === 'object' && item !== null
    if (isPrototype && Object.hasOwn(item, 'prototype')) throw prototypeNamed()
    refuseUnlessPlain(item, levels - 1)
  }
}

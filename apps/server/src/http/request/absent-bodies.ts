import { Readable } from 'node:stream'
import type { preParsingHookHandler } from 'fastify'
import type { App } from '../types.ts'
import { takesBody } from './body-encoding.ts'

/**
 * Gives who reads a body that does not come an empty one. A request whose head tells of no body has ended before anyone reads it
 * (decision 0097): who waits for its end would wait for ever.
 */
export function endAbsentBodies(app: App): void {
  app.addHook('onRoute', (route) => {
    if (takesBody(route)) route.preParsing = [endAtOnce, ...[route.preParsing ?? []].flat()]
  })
}

/** Without a type no one reads it. */
const endAtOnce: preParsingHookHandler = ({ headers }, _reply, payload, done) => {
  const isRead = headers['content-type'] !== undefined
  const isComing = headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined
  done(null, isComing || !isRead ? payload : Readable.from([]))
}

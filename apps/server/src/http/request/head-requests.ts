import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { App } from '../types.ts'
import type { Look } from './first-looks.ts'

/** On a request that asked for the head of an answer alone, while its route is looked for. */
const isForHead = Symbol('is for the head of an answer')

type RoutedRequest = IncomingMessage & { [isForHead]?: true }

/**
 * Has a HEAD find the route of the GET that it repeats: routes of their own for HEAD would double what is described at each start, and
 * what stays of it in memory. Given to the framework as `rewriteUrl`, since nothing else comes before it looks for a route; the address
 * stays as it is.
 */
export function routeHeadAsGet(request: RoutedRequest): string {
  if (request.method === 'HEAD') {
    request[isForHead] = true
    request.method = 'GET'
  }
  return request.url ?? '/'
}

/** From here on it is a HEAD again, to every hook and to the framework. */
export const restoreHead: Look = ({ raw }: { raw: RoutedRequest }) => {
  if (raw[isForHead]) raw.method = 'HEAD'
}

/** The head of a stream is answered without reading it. Other bodies give the answer its length, and Node sends none of them. */
export function dropStreamsOfHeads(app: App): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    payload.destroy()
    done(null, Readable.from([]))
  })
}

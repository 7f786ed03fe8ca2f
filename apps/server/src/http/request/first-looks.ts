import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../types.ts'

/** What is done about every request before it is known who sends it; it throws what refuses the request. */
export type Look = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Does these in their order, in one hook: the way from one hook to the next takes longer than most of them. From here on the request
 * has its `route`.
 */
export function lookFirst(app: App, looks: readonly Look[]): void {
  app.decorateRequest('route')
  app.addHook('onRequest', (request, reply, done) => {
    // The framework makes another object each time it is asked.
    request.route = request.routeOptions.config
    for (const look of looks) look(request, reply)
    done()
  })
}

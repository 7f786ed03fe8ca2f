import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { makeAuthenticate } from './authentication.ts'
import { makeFailureLimiter, makeKeyLimiter } from './rate-limit.ts'
import type { App } from './types.ts'

/** Where a route must say who may call it. Everything else is pages, assets and health: open by design. */
const guardedPaths = ['/public/', '/app/', '/hub/']

/**
 * Who may call, for every route by construction: credential (401), then limit (429), then scope (403), all before the
 * body is read. A route under a guarded path that names neither a scope nor another credential
 * does not start.
 */
export function guardRoutes(app: App, context: Context): void {
  const authenticate = makeAuthenticate(context)
  const countCall = makeKeyLimiter(context.config.rateLimitPerMinute)
  const failures = makeFailureLimiter()

  app.decorateRequest('actor')

  app.addHook('onRoute', (route) => {
    if (!guardedPaths.some((path) => route.url.startsWith(path)) || route.config?.credential) return
    if (!route.config?.scope) throw new Error(`${route.method} ${route.url} names no scope`)
    if (!route.schema?.response) throw new Error(`${route.method} ${route.url} does not say what it answers`)
  })

  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    const { scope } = request.routeOptions.config
    if (!scope) return
    try {
      request.actor = await authenticate(request)
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        // A key that is right is never held up by others behind the same address who guess wrong.
        await failures.refuseIfExhausted(request.ip)
        await failures.noteFailure(request.ip)
      }
      throw error
    }
    await countCall(request.actor, reply)
    if (!request.actor.scopes.includes(scope)) throw new AppError('INSUFFICIENT_SCOPE', { scope })
  })
}

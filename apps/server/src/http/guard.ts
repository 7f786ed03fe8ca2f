import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { makeAuthenticate } from './authentication.ts'
import { makeFailureLimiter, makeKeyLimiter } from './rate-limit.ts'
import { completeRoute, findWithoutExample, isGuarded } from './route-rules.ts'
import type { App } from './types.ts'

/**
 * Who may call, for every route by construction: credential (401), then limit (429), then scope (403), all before the
 * body is read. A route under a guarded path that leaves out what `completeRoute` asks for does not start, nor
 * does the service when something cannot be shown by example.
 */
export function guardRoutes(app: App, context: Context): void {
  const authenticate = makeAuthenticate(context)
  const countCall = makeKeyLimiter(context.config.rateLimitPerMinute)
  const failures = makeFailureLimiter()

  app.decorateRequest('actor')

  const withoutExample: string[] = []
  app.addHook('onRoute', (route) => {
    if (!isGuarded(route)) return
    completeRoute(route)
    withoutExample.push(...findWithoutExample(route))
  })
  app.addHook('onReady', async () => {
    if (withoutExample.length === 0) return
    const places = withoutExample.join('\n  ')
    throw new Error(`No example: give these \`examples\`, or their names a value in example-values.ts:\n  ${places}`)
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

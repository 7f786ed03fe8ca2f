import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { completeRoute, fillLeftOutBody, isForPeople, isGuarded } from '../../../http/openapi/route-rules.ts'
import { makeCallLimiter, makeFailureLimiter, makeSessionLimiter } from '../../../http/rate-limit.ts'
import { isFromOwnPage } from '../../../http/request/own-origin.ts'
import type { App } from '../../../http/types.ts'
import type { Scope } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { inARow } from '../../../kernel/in-a-row.ts'
import { isAtLeast } from '../../../kernel/policy.ts'
import { requireProof } from '../proof/proof.ts'
import { type KeyActor, makeAuthenticate } from './authentication.ts'
import { makeSessionAuthenticate } from './session-authentication.ts'

/** Largest body that is read before it is known who sends it: signing in, set-up, joining, resetting a password. */
const unknownCallerBodyBytes = 16 * 1024

/**
 * Guards every route, by construction: credential (401), then limit (429), then scope or role (403), all before
 * the body is read. Below /app/v1 the credential is the session of a person, and changes must come from our own pages. A
 * route under a guarded path that leaves out what `completeRoute` asks for does not start.
 */
export function guardRoutes(app: App, context: Context): void {
  const admitKey = makeKeyGuard(context)
  const admitPerson = makeSessionGuard(context)

  app.decorateRequest('actor')

  app.addHook('onRoute', (route) => {
    if (route.config?.credential === 'none') route.bodyLimit ??= unknownCallerBodyBytes
    if (!isGuarded(route)) return
    completeRoute(route)
    fillLeftOutBody(route)
  })

  // What has arrived by now is read first and then answered in a row, so that callers are not woken for each answer alone.
  const admit = inARow(({ request, reply, done }: Caller) => {
    let admitted: void | Promise<void>
    try {
      admitted = isForPeople(request.route.url) ? admitPerson(request, reply) : admitKey(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (admitted instanceof Promise) admitted.then(() => done(), done)
    else done()
  })

  app.addHook('onRequest', (request, reply, done) => {
    const { scope, url } = request.route
    if (scope || isForPeople(url)) admit({ request, reply, done })
    else done()
  })
}

/** A request that waits to be let in. */
interface Caller {
  request: FastifyRequest
  reply: FastifyReply
  done: (error?: Error) => void
}

/** Lets requests in by their API key. */
function makeKeyGuard(context: Context) {
  const authenticate = makeAuthenticate(context)
  const countCall = makeCallLimiter(context.limits, 'key', context.config.rateLimitPerMinute)
  const failures = makeFailureLimiter(context.limits, 'key-failures')

  function pass(actor: KeyActor, request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const counted = countCall(actor.apiKeyId, reply)
    return counted === undefined ? grant(actor, request) : counted.then(() => grant(actor, request))
  }

  function grant(actor: KeyActor, request: FastifyRequest): void {
    const { scope, alsoScope } = request.route
    if (scope) requireScope(actor, scope)
    if (alsoScope) requireScope(actor, alsoScope)
    request.actor = actor
  }

  function requireScope(actor: KeyActor, scope: Scope): void {
    if (!actor.scopes.includes(scope)) throw new AppError('INSUFFICIENT_SCOPE', { scope })
  }

  async function refuse(error: unknown, request: FastifyRequest): Promise<never> {
    // Who signs in by digest asks first without a word, to be given a challenge: that is no guess.
    const isFirstStep = request.route.takesDigest && request.headers.authorization === undefined
    if (error instanceof AppError && error.status === 401 && !(isFirstStep && error.code === 'UNAUTHORIZED')) {
      // A key that is right is never held up by others behind the same address who guess wrong.
      await failures.refuseIfExhausted(request.ip)
      await failures.recordFailure(request.ip)
    }
    throw error
  }

  /** A caller whose key is remembered is let in without waiting. */
  return function admit(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    let actor: KeyActor | Promise<KeyActor>
    try {
      actor = authenticate(request)
    } catch (error) {
      return refuse(error, request)
    }
    if (!(actor instanceof Promise)) return pass(actor, request, reply)
    return actor.catch((error: unknown) => refuse(error, request)).then((found) => pass(found, request, reply))
  }
}

/** Lets people in by their session; no one guesses its 256 bits, so failures are not counted. */
function makeSessionGuard(context: Context) {
  const authenticate = makeSessionAuthenticate(context)
  const countCall = makeSessionLimiter(context.limits, context.config.rateLimitPerMinute)

  return async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { scope, role, credential, needsProof } = request.route
    // An upload address is the credential itself: no cookie has a part in it.
    if (credential === 'upload_token') return
    if (scope) request.actor = await authenticate(request)
    if (request.method !== 'GET' && !isFromOwnPage(context.config, request)) throw new AppError('ORIGIN_REFUSED')
    if (!scope) return
    const { sessionId, userId, role: own } = request.actor
    if (sessionId === undefined || userId === undefined || own === undefined) throw new AppError('UNAUTHORIZED')
    await countCall(userId, reply)
    if (role === undefined || !isAtLeast(own, role)) throw new AppError('FORBIDDEN', { action: 'do this' })
    if (needsProof) await requireProof(context, context.db.sql, request.actor)
  }
}

import type { preValidationAsyncHookHandler, RouteOptions } from 'fastify'
import type { ErrorCode } from '../../kernel/errors.ts'
import { canUse, leastRoleFor } from '../../kernel/policy.ts'
import { addFailures, mayBeLeftOut } from '../schema.ts'
import type { App } from '../types.ts'
import { exampleOf } from './examples.ts'

/** Paths below which a route must say who may call it. Everything else is pages, assets and health: open by design. */
const guardedPaths = ['/public/', '/app/', '/hub/']

/** Path below which people who are signed in call, by a path of the service. */
export const sessionPrefix = '/app/v1'

/** True when it is a person's session that opens this route, and no API key. */
export function isForPeople(url: string | undefined): boolean {
  return url?.startsWith('/app/') === true
}

/** True when it is an API key or a session that opens this route. */
export function isGuarded(route: RouteOptions): boolean {
  return guardedPaths.some((path) => route.url.startsWith(path)) && route.config?.credential === undefined
}

/**
 * Makes whole what a guarded route says of itself: its least role is by its scope unless it names one.
 *
 * @throws Error that names what is left out
 */
export function completeRoute(route: RouteOptions): void {
  const { scope, role } = route.config ?? {}
  const refuse = (why: string) => new Error(`${route.method} ${route.url} ${why}`)
  if (!scope) throw refuse('names no scope')
  if (role && !canUse(role, scope)) throw refuse(`is for a ${role}, whose role has not the scope "${scope}"`)
  const answers = responsesOf(route)
  if (!answers) throw refuse('does not say what it answers')
  if (!Object.keys(answers).some((status) => status.startsWith('2'))) throw refuse('does not say how it succeeds')
  // Whatever `failures()` is given, it names this one.
  if (!('500' in answers)) throw refuse('does not say how it fails')
  if (route.url.includes('/:') && !('404' in answers))
    throw refuse('names something that may not be there, without a 404')
  route.config = { ...route.config, role: role ?? leastRoleFor(scope) }
  if (isForPeople(route.url)) route.schema = { ...route.schema, response: addFailures(answers, ...ofSessions(route)) }
}

/** Answers what the guard of sessions answers before a route of people is asked. */
function ofSessions({ config }: RouteOptions): ErrorCode[] {
  return ['SESSION_EXPIRED', ...(config?.beforeSecondFactor ? [] : (['SECOND_FACTOR_REQUIRED'] as const))]
}

/** Gives a handler whose body may be left out an empty one. */
export function fillLeftOutBody(route: RouteOptions): void {
  const { body } = route.schema ?? {}
  if (typeof body !== 'object' || body === null || !(mayBeLeftOut in body)) return
  const fill: preValidationAsyncHookHandler = async (request) => {
    request.body ??= {}
  }
  route.preValidation = [fill, ...[route.preValidation ?? []].flat()]
}

/**
 * Refuses to describe routes of which something cannot be shown by example. For the description alone: a service that starts
 * has better things to do.
 *
 * @throws Error that names each place, once the application is ready
 */
export function refuseWithoutExamples(app: App): void {
  const missing: string[] = []
  app.addHook('onRoute', (route) => {
    if (isGuarded(route)) missing.push(...findWithoutExample(route))
  })
  app.addHook('onReady', async () => {
    if (missing.length === 0) return
    const places = missing.join('\n  ')
    throw new Error(`No example: give these \`examples\`, or their names a value in example-values.ts:\n  ${places}`)
  })
}

/** The places of a route's body and success that no example can be made of. */
function findWithoutExample(route: RouteOptions): string[] {
  const missing: string[] = []
  const place = `${route.method} ${route.url}`
  const { body } = route.schema ?? {}
  if (body && !isOtherThanJson(body) && !route.schema?.consumes) exampleOf(body, `${place} body`, missing)
  for (const [status, answer] of Object.entries(responsesOf(route) ?? {})) {
    if (status.startsWith('2') && !isOtherThanJson(answer)) exampleOf(answer, `${place} ${status}`, missing)
  }
  return missing
}

/** Fastify leaves the form of a response to its compilers; here it is a schema by status. */
function responsesOf(route: RouteOptions): Record<string, unknown> | undefined {
  return route.schema?.response as Record<string, unknown> | undefined
}

/** Bytes are described by media type. */
function isOtherThanJson(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'content' in schema
}

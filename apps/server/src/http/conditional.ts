import type { FastifyReply, FastifyRequest, onSendHookHandler, preHandlerHookHandler, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import type { Context } from '../context/context.ts'
import type { Database, Transaction } from '../db/database.ts'
import { AppError, validationError } from '../kernel/errors.ts'
import { entityTag, matchesStrongly, matchesWeakly, readTagList, type TagList } from './entity-tags.ts'
import { ok } from './schema.ts'
import type { App } from './types.ts'

/**
 * True when a route answers a resource that has an `ETag`: every GET whose path ends in the name of one thing, every PATCH
 * and PUT. `config.tagged` says otherwise where that is wrong.
 */
function isTagged(route: Pick<RouteOptions, 'method' | 'url' | 'config'>): boolean {
  if (!route.config?.scope) return false
  if (route.config.tagged !== undefined) return route.config.tagged
  return route.method === 'GET' ? /\/:\w+$/.test(route.url) : route.method === 'PATCH' || route.method === 'PUT'
}

/**
 * Gives the answers of tagged routes their `ETag`, and those who have the same bytes already a 304. A handler has nothing
 * to do for it.
 */
export function tagAnswers(app: App): void {
  app.addHook('onRoute', (route) => {
    const tagged = isTagged(route)
    route.config = { ...route.config, tagged }
    if (!tagged) return
    route.preHandler = [refuseMalformed, ...[route.preHandler ?? []].flat()]
    route.onSend = [...[route.onSend ?? []].flat(), tagAnswer]
  })
}

/** Before anything is looked up: what is malformed is refused whether or not the thing exists. */
const refuseMalformed: preHandlerHookHandler = (request, _reply, done) => {
  readIfMatch(request)
  done()
}

const tagAnswer: onSendHookHandler<unknown> = (request, reply, payload, done) => {
  if (reply.statusCode !== 200) return done(null, payload)
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
  const given = reply.getHeader('etag')
  const tag = typeof given === 'string' ? given : entityTag(payload)
  reply.header('etag', tag)
  if ((request.method !== 'GET' && request.method !== 'HEAD') || !isKnown(request, tag)) return done(null, payload)
  reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length')
  done(null, null)
}

/** A malformed `If-None-Match` costs nothing but the saving, so it counts as none. */
function isKnown(request: FastifyRequest, tag: string): boolean {
  const header = request.headers['if-none-match']
  const list = header === undefined ? undefined : readTagList(header)
  return list !== undefined && matchesWeakly(list, tag)
}

function readIfMatch(request: FastifyRequest): TagList | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  const list = readTagList(header)
  if (!list) throw validationError({ 'If-Match': ['must be * or a list of entity tags, each in double quotes'] })
  return list
}

/**
 * `context.db.beginFor` for a PATCH or PUT: its transactions begin with what `If-Match` asks for, and do nothing when that
 * is not so. `current` locks the row that anyone who changes the resource locks first, and gives the `data` that the GET of
 * the resource would answer; it is not called without the header.
 *
 * @param asGet response schema of the GET, where that of the change is another
 * @throws AppError `PRECONDITION_FAILED`, and what `current` throws
 */
export function beginIfMatch(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  current: (sql: Transaction) => Promise<object>,
  asGet?: TSchema,
): Database['begin'] {
  const list = readIfMatch(request)
  const { accountId } = request.actor
  if (!list) return (work) => context.db.beginFor(accountId, work)
  return (work) =>
    context.db.beginFor(accountId, async (sql) => {
      if (!matchesStrongly(list, tagOf(reply, await current(sql), asGet))) throw new AppError('PRECONDITION_FAILED')
      return work(sql)
    })
}

/** Gives a change that answers less than the GET of the resource the `ETag` which that GET answers. */
export function tagAsGet(reply: FastifyReply, data: object, asGet: TSchema): void {
  reply.header('ETag', tagOf(reply, data, asGet))
}

/** By the response schema of the GET, which most changes share: the same bytes have the same tag. */
function tagOf(reply: FastifyReply, data: object, asGet?: TSchema): string {
  return entityTag(
    (asGet ? reply.serializeInput(ok(data), { ...asGet }) : reply.serializeInput(ok(data), '200')) as string,
  )
}

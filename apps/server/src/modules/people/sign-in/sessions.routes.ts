import type { Context } from '../../../context/context.ts'
import { readPage } from '../../../http/cursor.ts'
import {
  bodyFailures,
  envelope,
  failures,
  idParams,
  ok,
  page,
  pageEnvelope,
  pageQuery,
  request,
} from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { clearSessionCookie } from './session-cookie.ts'
import { listLiveSessions } from './sessions.queries.ts'
import { describeSession, endSessions, revokeSession, seenAfter, switchAccount } from './sessions.service.ts'
import {
  Nothing,
  OwnSession,
  PasswordBody,
  ProfileBody,
  presentOwnSession,
  Session,
  SessionAccountBody,
  SignedInUser,
  SignedOut,
} from './sign-in.schema.ts'
import { changePassword, changeProfile } from './sign-in.service.ts'

/** What a person does with their own sessions, name and password. Everybody may, whatever their role. */
const everybody = { scope: 'read', role: 'viewer', tagged: false, beforeSecondFactor: true } as const

export function sessionRoutes(app: App, context: Context): void {
  app.post(
    '/sign-out',
    {
      config: everybody,
      schema: { summary: 'End this session', response: { 200: envelope(Nothing), ...failures('ORIGIN_REFUSED') } },
    },
    async (request, reply) => {
      const { accountId, userId, sessionId } = personOf(request.actor)
      await context.db.beginFor(accountId, (sql) =>
        endSessions(context, sql, userId, 'signed_out', { only: sessionId }),
      )
      clearSessionCookie(context, request, reply)
      return ok({})
    },
  )

  app.post(
    '/sign-out/everywhere',
    {
      config: everybody,
      schema: {
        summary: 'End all sessions of the person, this one too',
        response: { 200: envelope(SignedOut), ...failures('ORIGIN_REFUSED') },
      },
    },
    async (request, reply) => {
      const { accountId, userId } = personOf(request.actor)
      const ended = await context.db.beginFor(accountId, (sql) =>
        endSessions(context, sql, userId, 'signed_out_everywhere'),
      )
      clearSessionCookie(context, request, reply)
      return ok({ ended_sessions: ended })
    },
  )

  app.get(
    '/session',
    {
      config: everybody,
      schema: {
        summary: 'Get the signed-in person and their permissions',
        response: { 200: envelope(Session), ...failures() },
      },
    },
    async ({ actor }) => {
      const { sessionId: id, userId, accountId } = personOf(actor)
      return ok(await describeSession(context, context.db.sql, { id, userId, accountId }))
    },
  )

  app.put(
    '/session/account',
    {
      config: everybody,
      schema: {
        summary: 'Switch to another account of the person',
        body: SessionAccountBody,
        response: { 200: envelope(Session), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async ({ actor, body }) => {
      const person = personOf(actor)
      await switchAccount(context, person, body.account_id)
      const { sessionId: id, userId } = person
      return ok(await describeSession(context, context.db.sql, { id, userId, accountId: body.account_id }))
    },
  )

  app.get(
    '/sessions',
    {
      config: everybody,
      schema: {
        summary: 'List the sessions of the person, the newest first',
        querystring: request(pageQuery),
        response: { 200: pageEnvelope(OwnSession), ...failures() },
      },
    },
    async (request) => {
      const { userId, sessionId } = personOf(request.actor)
      const now = context.clock.now()
      const { rows, meta } = await readPage(context, request, (bounds) =>
        listLiveSessions(context.db.sql, userId, { now, seenAfter: seenAfter(now) }, bounds),
      )
      return page(
        rows.map((row) => presentOwnSession(row, sessionId)),
        meta,
      )
    },
  )

  app.delete(
    '/sessions/:id',
    {
      config: everybody,
      schema: {
        summary: 'End a session of the person',
        params: idParams('session'),
        response: { 200: envelope(Nothing), ...failures('NOT_FOUND', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      await revokeSession(context, personOf(actor), params.id)
      return ok({})
    },
  )

  app.put(
    '/profile',
    {
      config: everybody,
      schema: {
        summary: 'Change the name of the person, and the language in which they read the dashboard',
        body: ProfileBody,
        response: { 200: envelope(SignedInUser), ...failures('ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async ({ actor, body }) => ok(await changeProfile(context, personOf(actor), body)),
  )

  app.put(
    '/password',
    {
      config: everybody,
      schema: {
        summary: 'Change the password of the person',
        description:
          'Everywhere else the person is signed out. Who has none yet must have shown to be there (`PROOF_REQUIRED`).',
        body: PasswordBody,
        response: { 200: envelope(Nothing), ...failures('PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (request) => {
      await changePassword(context, request, personOf(request.actor), request.body)
      return ok({})
    },
  )
}

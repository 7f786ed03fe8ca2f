import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { bodyFailures, envelope, failures, idParams, ok } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { listPasskeys } from '../passkeys/passkeys.queries.ts'
import {
  addPasskey,
  beginAssertion,
  beginPasskey,
  changePasskeyName,
  checkAssertion,
  removePasskey,
  spendChallenge,
} from '../passkeys/passkeys.service.ts'
import { findRelyingParty, type RelyingParty } from '../passkeys/relying-party.ts'
import {
  AssertionBody,
  Passkey,
  PasskeyBody,
  PasskeyName,
  PasskeyOptions,
  Passkeys,
  presentPasskey,
} from './passkeys.schema.ts'
import { Proof } from './proof.schema.ts'
import { recordProof } from './proof.service.ts'
import { mailPerson } from './security-mails.ts'
import { findUser } from './sessions.queries.ts'
import { endSessions, giveSession } from './sessions.service.ts'
import { Nothing, Session } from './sign-in.schema.ts'
import { enterByPasskey } from './sign-in.service.ts'

/** Sign-ins by a passkey that one client address may begin or end per minute: each keeps something. */
const triesPerMinute = 30

const everybody = { scope: 'read', role: 'viewer', tagged: false, beforeSecondFactor: true } as const
const proven = { ...everybody, needsProof: true } as const

/** Passkeys (WebAuthn): keys of a device that a person unlocks there. They are password and second factor in one. */
export function passkeyRoutes(routes: App, context: Context): void {
  const countTry = makeTryLimiter(context.limits, 'passkey', triesPerMinute)

  function getParty(incoming: FastifyRequest): RelyingParty {
    const party = findRelyingParty(context, incoming)
    if (!party)
      throw new AppError(
        'PASSKEY_INVALID',
        {},
        { message: 'Passkeys work only at the public HTTPS name of this service.' },
      )
    return party
  }

  routes.get(
    '/passkeys',
    {
      config: everybody,
      schema: { summary: 'List the passkeys of the person', response: { 200: envelope(Passkeys), ...failures() } },
    },
    async (incoming) => {
      const rows = await listPasskeys(context.db.sql, personOf(incoming.actor).userId)
      return ok({ available: findRelyingParty(context, incoming) !== undefined, passkeys: rows.map(presentPasskey) })
    },
  )

  routes.post(
    '/passkeys/options',
    {
      config: proven,
      schema: {
        summary: 'Start adding a passkey',
        response: {
          200: envelope(PasskeyOptions),
          ...failures('PASSKEY_INVALID', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (incoming) => {
      const party = getParty(incoming)
      const { accountId, userId } = personOf(incoming.actor)
      const user = await findUser(context.db.sql, userId)
      if (!user) throw new AppError('SESSION_EXPIRED')
      return ok({ options: await context.db.beginFor(accountId, (sql) => beginPasskey(context, sql, party, user)) })
    },
  )

  routes.post(
    '/passkeys',
    {
      config: proven,
      schema: {
        summary: 'Add the passkey that the browser made',
        description: 'Everywhere else the person is signed out. From now on the password alone signs no one in.',
        body: PasskeyBody,
        response: {
          201: envelope(Passkey),
          ...failures('PASSKEY_INVALID', 'ALREADY_EXISTS', 'PROOF_REQUIRED', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (incoming, reply) => {
      const person = personOf(incoming.actor)
      const party = getParty(incoming)
      const made = await context.db.beginFor(person.accountId, async (sql) => {
        const passkey = await addPasskey(context, sql, party, person, incoming.body)
        // Who was in before by the password alone is out.
        await endSessions(context, sql, person.userId, 'second_factor_added', { except: person.sessionId })
        return passkey
      })
      await mailPerson(context, person.userId, 'passkey_added')
      reply.code(201)
      return ok(presentPasskey(made))
    },
  )

  routes.patch(
    '/passkeys/:id',
    {
      config: everybody,
      schema: {
        summary: 'Rename a passkey',
        params: idParams('passkey'),
        body: PasskeyName,
        response: { 200: envelope(Passkey), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async ({ actor, params, body }) =>
      ok(presentPasskey(await changePasskeyName(context.db.sql, personOf(actor).userId, params.id, body.name))),
  )

  routes.delete(
    '/passkeys/:id',
    {
      config: proven,
      schema: {
        summary: 'Remove a passkey',
        params: idParams('passkey'),
        response: { 200: envelope(Nothing), ...failures('NOT_FOUND', 'PROOF_REQUIRED', 'ORIGIN_REFUSED') },
      },
    },
    async ({ actor, params }) => {
      const person = personOf(actor)
      await context.db.beginFor(person.accountId, (sql) => removePasskey(sql, person, params.id))
      await mailPerson(context, person.userId, 'passkey_removed')
      return ok({})
    },
  )

  routes.post(
    '/passkeys/sign-in/options',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Start signing in by a passkey',
        response: { 200: envelope(PasskeyOptions), ...failures('PASSKEY_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming) => {
      const party = getParty(incoming)
      return ok({ options: await context.db.begin((sql) => beginAssertion(context, sql, party, 'sign_in', null)) })
    },
  )

  routes.post(
    '/passkeys/sign-in',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Sign in by a passkey',
        body: AssertionBody,
        response: {
          200: envelope(Session),
          ...failures('PASSKEY_INVALID', 'FORBIDDEN', 'ORIGIN_REFUSED', ...bodyFailures),
        },
      },
    },
    async (incoming, reply) => {
      const session = await enterByPasskey(context, incoming, getParty(incoming), incoming.body.response)
      return ok(await giveSession(context, incoming, reply, session))
    },
  )

  routes.post(
    '/proof/passkey/options',
    {
      config: everybody,
      schema: {
        summary: 'Start proving the identity of the person by a passkey',
        response: { 200: envelope(PasskeyOptions), ...failures('PASSKEY_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming) => {
      const { accountId, userId } = personOf(incoming.actor)
      const party = getParty(incoming)
      const options = await context.db.beginFor(accountId, (sql) =>
        beginAssertion(context, sql, party, 'prove', userId),
      )
      return ok({ options })
    },
  )

  routes.post(
    '/proof/passkey',
    {
      config: everybody,
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Prove the identity of the person by a passkey',
        body: AssertionBody,
        response: { 200: envelope(Proof), ...failures('PASSKEY_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming) => {
      const person = personOf(incoming.actor)
      const { response } = incoming.body
      const party = getParty(incoming)
      await spendChallenge(context, context.db.sql, response, 'prove', person.userId)
      await context.db.beginFor(person.accountId, (sql) => checkAssertion(context, sql, party, person.userId, response))
      return ok(await recordProof(context, person))
    },
  )
}

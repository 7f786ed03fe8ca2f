import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { sessionPrefix } from '../../../http/openapi/route-rules.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { answer, bodyFailures, envelope, failures, ok, request, text } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { personOf } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { readSessionToken } from '../sign-in/session-cookie.ts'
import { giveSession, type StartedSession } from '../sign-in/sessions.service.ts'
import { Session } from '../sign-in/sign-in.schema.ts'
import { InvitationChoice, InvitationsToAccept, presentToAccept } from './oidc.schema.ts'
import {
  beingInvited,
  forgetInBrowser,
  readFromBrowser,
  type Started,
  signingIn,
  storeInBrowser,
} from './oidc-cookie.ts'
import { OidcProblem } from './oidc-problem.ts'
import { proveByProvider } from './prove-by-provider.ts'
import { makeOidcProvider } from './provider.ts'
import { acceptByProvider, listInvitationsOf, signInByProvider } from './sign-in-by-provider.ts'

/** Sign-ins by the provider that one client address may begin or end per minute: each asks the provider something. */
const triesPerMinute = 30

/** Pages on which the dashboard asks a person which invitation to accept, and where a proof that was given ends. */
const pages = { invited: '/join', proven: '/proven' } as const

const Oidc = answer(
  {
    configured: Type.Boolean({ description: 'Whether people may sign in by a provider' }),
    name: Type.String({ description: 'Name of the provider', examples: ['single sign-on'] }),
  },
  { description: 'Signing in by a provider' },
)

const OidcStart = answer(
  {
    url: Type.String({
      description: 'Address that the browser goes to next',
      examples: ['https://id.example.com/authorize?client_id=printyard'],
    }),
  },
  { description: 'A sign-in by the provider that has started' },
)

const StartBody = request({
  invitation: Type.Optional(
    text(1, 200, 'Token of an invitation that the person says yes to, and accepts by signing in'),
  ),
})

/**
 * Signing in by an OpenID Connect provider: the browser goes there and comes back. It begins by a POST from our own pages, so
 * that no other page signs anybody in or makes them a member. Failures on the way lead to the sign-in page.
 */
export function oidcRoutes(routes: App, context: Context): void {
  const provider = makeOidcProvider(context)
  const countTry = makeTryLimiter(context.limits, 'oidc', triesPerMinute)

  async function begin(
    incoming: FastifyRequest,
    reply: FastifyReply,
    more: Pick<Started, 'invitation' | 'proofFor'>,
  ): Promise<{ url: string }> {
    if (!provider) throw new AppError('NOT_FOUND', { resource: 'sign-in provider' })
    const redirectUri = `${publicUrl(context, incoming)}${sessionPrefix}/oidc/callback`
    try {
      const { url, started } = await provider.begin(redirectUri, { isAgain: more.proofFor !== undefined })
      storeInBrowser(context, incoming, reply, signingIn, { ...started, ...more })
      return { url }
    } catch (error) {
      if (!(error instanceof OidcProblem)) throw error
      throw new AppError('SERVICE_UNAVAILABLE', { why: 'the sign-in provider does not answer' }, { cause: error })
    }
  }

  routes.get(
    '/oidc',
    { config: { credential: 'none' }, schema: { response: { 200: envelope(Oidc), ...failures() } } },
    async () => ok({ configured: provider !== undefined, name: context.config.oidcName }),
  )

  routes.post(
    '/oidc/start',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Start signing in by the provider',
        body: StartBody,
        response: {
          200: envelope(OidcStart),
          ...failures('NOT_FOUND', 'ORIGIN_REFUSED', 'SERVICE_UNAVAILABLE', ...bodyFailures),
        },
      },
    },
    async (incoming, reply) => ok(await begin(incoming, reply, { invitation: incoming.body.invitation })),
  )

  routes.post(
    '/proof/provider',
    {
      config: { scope: 'read', role: 'viewer', tagged: false, beforeSecondFactor: true },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Start proving the identity of the person by a new sign-in at the provider',
        response: { 200: envelope(OidcStart), ...failures('NOT_FOUND', 'ORIGIN_REFUSED', 'SERVICE_UNAVAILABLE') },
      },
    },
    async (incoming, reply) => ok(await begin(incoming, reply, { proofFor: personOf(incoming.actor).sessionId })),
  )

  routes.get(
    '/oidc/callback',
    { config: { credential: 'none' }, onRequest: (incoming) => countTry(incoming.ip) },
    (incoming, reply) =>
      orLeadBack(reply, async () => {
        if (!provider) throw new OidcProblem('oidc_not_configured')
        const started = readFromBrowser(context, incoming, signingIn)
        forgetInBrowser(context, incoming, reply)
        if (!started) throw new OidcProblem('oidc_expired')
        const proven = await provider.end(incoming.url.split('?')[1] ?? '', started)
        if (started.proofFor !== undefined) {
          await proveByProvider(context, readSessionToken(context, incoming), started.proofFor, proven)
          return pages.proven
        }
        const session = await signInByProvider(context, incoming, proven, started.invitation)
        if (session === 'invited') {
          storeInBrowser(context, incoming, reply, beingInvited, { proven })
          return pages.invited
        }
        await giveSession(context, incoming, reply, session)
        return '/'
      }),
  )

  routes.get(
    '/oidc/invitations',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'List the invitations of a person who has signed in by the provider and is not a member yet',
        response: { 200: envelope(InvitationsToAccept), ...failures() },
      },
    },
    async (incoming) => {
      const invited = readFromBrowser(context, incoming, beingInvited)
      if (!invited) return ok({ email: null, invitations: [] })
      return ok(presentToAccept(await listInvitationsOf(context, invited.proven)))
    },
  )

  routes.post(
    '/oidc/invitations/accept',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        summary: 'Accept an invitation by the sign-in at the provider',
        body: InvitationChoice,
        response: { 200: envelope(Session), ...failures('INVITATION_INVALID', 'ORIGIN_REFUSED', ...bodyFailures) },
      },
    },
    async (incoming, reply) => {
      const { proven } = readInvited(incoming)
      let session: StartedSession
      try {
        session = await acceptByProvider(context, incoming, proven, incoming.body.invitation_id)
      } catch (error) {
        if (error instanceof OidcProblem) throw new AppError('INVITATION_INVALID', {}, { cause: error })
        throw error
      }
      forgetInBrowser(context, incoming, reply)
      return ok(await giveSession(context, incoming, reply, session, { isFirst: true }))
    },
  )

  function readInvited(incoming: FastifyRequest) {
    const invited = readFromBrowser(context, incoming, beingInvited)
    if (!invited) throw new AppError('INVITATION_INVALID')
    return invited
  }
}

/** Leads the browser to where `work` says, or to the sign-in page with what went wrong. */
async function orLeadBack(reply: FastifyReply, work: () => Promise<string>): Promise<FastifyReply> {
  try {
    return reply.redirect(await work())
  } catch (error) {
    if (!(error instanceof OidcProblem)) throw error
    return reply.redirect(`/sign-in?problem=${error.problem}`)
  }
}

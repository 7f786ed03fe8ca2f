import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import type { Context } from '../../../context/context.ts'
import { sessionPrefix } from '../../../http/openapi/route-rules.ts'
import { publicUrl } from '../../../http/public-url.ts'
import { makeTryLimiter } from '../../../http/rate-limit.ts'
import { answer, envelope, failures, ok, request, text } from '../../../http/schema.ts'
import type { App } from '../../../http/types.ts'
import { setSessionCookie } from '../sign-in/session-cookie.ts'
import { forgetBegun, keepBegun, readBegun } from './begun-cookie.ts'
import { OidcProblem } from './oidc-problem.ts'
import { makeOidcProvider } from './provider.ts'
import { signInByProvider } from './sign-in-by-provider.ts'

/** Sign-ins by the provider that one client address may begin or end per minute: each asks the provider something. */
const triesPerMinute = 30

const Oidc = answer(
  {
    configured: Type.Boolean({ description: 'Whether people may sign in by a provider' }),
    name: Type.String({ description: 'What the provider is called', examples: ['single sign-on'] }),
  },
  { description: 'Signing in by a provider' },
)

/** Signing in by an OpenID Connect provider: the browser goes there and comes back. Failures lead to the sign-in page. */
export function oidcRoutes(routes: App, context: Context): void {
  const provider = makeOidcProvider(context)
  const countTry = makeTryLimiter(triesPerMinute)

  routes.get(
    '/oidc',
    { config: { credential: 'none' }, schema: { response: { 200: envelope(Oidc), ...failures() } } },
    async () => ok({ configured: provider !== undefined, name: context.config.oidcName }),
  )

  routes.get(
    '/oidc/start',
    {
      config: { credential: 'none' },
      onRequest: (incoming) => countTry(incoming.ip),
      schema: {
        querystring: request({
          invitation: Type.Optional(text(1, 200, 'Token of an invitation to be accepted by signing in')),
        }),
      },
    },
    (incoming, reply) =>
      orLeadBack(reply, async () => {
        if (!provider) throw new OidcProblem('oidc_not_configured')
        const { url, begun } = await provider.begin(`${publicUrl(context, incoming)}${sessionPrefix}/oidc/callback`)
        keepBegun(context, incoming, reply, { ...begun, invitation: incoming.query.invitation })
        return url
      }),
  )

  routes.get(
    '/oidc/callback',
    { config: { credential: 'none' }, onRequest: (incoming) => countTry(incoming.ip) },
    (incoming, reply) =>
      orLeadBack(reply, async () => {
        if (!provider) throw new OidcProblem('oidc_not_configured')
        const begun = readBegun(context, incoming)
        forgetBegun(context, incoming, reply)
        if (!begun) throw new OidcProblem('oidc_expired')
        const proven = await provider.end(incoming.url.split('?')[1] ?? '', begun)
        const session = await signInByProvider(context, incoming, proven, begun.invitation)
        setSessionCookie(context, incoming, reply, session, context.clock.now())
        return '/'
      }),
  )
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import { cookieName, isProtected } from '../sign-in/session-cookie.ts'
import type { BegunSignIn } from './provider.ts'

/** A person has this long to sign in at the provider. */
const lifetimeMs = 10 * 60 * 1000

/** What the browser keeps, sealed, while it is at the provider. */
export interface Begun extends BegunSignIn {
  /** The token of an invitation that is to be accepted by signing in. */
  invitation?: string | undefined
}

const boundTo = 'sign-in by a provider'

export function keepBegun(context: Context, request: FastifyRequest, reply: FastifyReply, begun: Begun): void {
  const sealed = context.secrets.seal({ ...begun, until: context.clock.now().getTime() + lifetimeMs }, boundTo)
  write(context, request, reply, sealed.toString('base64url'), lifetimeMs / 1000)
}

export function forgetBegun(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  write(context, request, reply, '', 0)
}

/** What was begun in this browser; undefined when that was nothing, is too long ago, or is not what we have sealed. */
export function readBegun(context: Context, request: FastifyRequest): Begun | undefined {
  const wanted = cookieName(context, request, 'oidc')
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [name, value = ''] = pair.trim().split('=', 2)
    if (name === wanted) return open(context, value)
  }
  return undefined
}

function open(context: Context, value: string): Begun | undefined {
  let opened: unknown
  try {
    opened = context.secrets.open(Buffer.from(value, 'base64url'), boundTo)
  } catch (error) {
    context.log.debug({ err: error }, 'a cookie of a begun sign-in does not open')
    return undefined
  }
  // Sealed by us, so it holds what was put in.
  const { until, ...begun } = opened as Begun & { until: number }
  return until > context.clock.now().getTime() ? begun : undefined
}

function write(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  value: string,
  maxAgeSeconds: number,
): void {
  // Lax: the browser comes back from another site, and must bring it along.
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`
  const secure = isProtected(context.config, request) ? '; Secure' : ''
  reply.header('Set-Cookie', `${cookieName(context, request, 'oidc')}=${value}; ${flags}${secure}`)
}

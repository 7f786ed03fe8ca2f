import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'
import type { SessionId } from '../../../kernel/ids.ts'
import { cookieName, isProtected, readCookie } from '../sign-in/session-cookie.ts'
import type { ProvenPerson, StartedSignIn } from './provider.ts'

/** A person has this long to sign in at the provider, and then to answer what they are asked here. */
const lifetimeMs = 10 * 60 * 1000

/** What the browser keeps, sealed, while it is at the provider. */
export interface Started extends StartedSignIn {
  /** The token of an invitation that the person has said yes to, and accepts by signing in. */
  invitation?: string | undefined
  /** The session whose person shows to be there. */
  proofFor?: SessionId | undefined
}

/** What it keeps while a person is asked which invitation to accept. */
interface Invited {
  proven: ProvenPerson
}

interface Purpose<T> {
  /** What a sealed value is bound to: one does not open as another. */
  boundTo: string
  /** Never there: it only carries the type. */
  readonly type?: T
}

export const signingIn: Purpose<Started> = { boundTo: 'sign-in by a provider' }
export const beingInvited: Purpose<Invited> = { boundTo: 'invitation of a person whom a provider has proven' }

export function storeInBrowser<T extends object>(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { boundTo }: Purpose<T>,
  content: T,
): void {
  const sealed = context.secrets.seal({ ...content, until: context.clock.now().getTime() + lifetimeMs }, boundTo)
  write(context, request, reply, sealed.toString('base64url'), lifetimeMs / 1000)
}

export function forgetInBrowser(context: Context, request: FastifyRequest, reply: FastifyReply): void {
  write(context, request, reply, '', 0)
}

/** Answers what was kept in this browser; undefined when that was nothing, is too long ago, or is not what we have sealed. */
export function readFromBrowser<T extends object>(
  context: Context,
  request: FastifyRequest,
  { boundTo }: Purpose<T>,
): T | undefined {
  const value = readCookie(request, cookieName(context, request, 'oidc'))
  if (value === undefined) return undefined
  let opened: unknown
  try {
    opened = context.secrets.open(Buffer.from(value, 'base64url'), boundTo)
  } catch (error) {
    context.log.debug({ err: error }, 'a cookie of a sign-in by the provider does not open')
    return undefined
  }
  // Sealed by us, so it holds what was put in.
  const { until, ...content } = opened as T & { until: number }
  return until > context.clock.now().getTime() ? (content as unknown as T) : undefined
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

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'

/** Browsers keep such a cookie only from this very host, over a connection that nobody can listen to. */
const protectedName = '__Host-printyard_session'

/** On plain HTTP browsers keep no protected cookie: no browser in a local network, and Safari not on its own machine either. */
const plainName = 'printyard_session'

const tokenForm = /^[A-Za-z0-9_-]{43}$/

type Reached = Pick<FastifyRequest, 'protocol'>

/** Whether every browser takes a `Secure` cookie: over HTTPS, whether this service or the proxy before it speaks that. */
export function isProtected(config: Pick<Config, 'publicUrl'>, request: Reached): boolean {
  return config.publicUrl?.startsWith('https:') === true || request.protocol === 'https'
}

/** The token that the cookie of this request holds; undefined when there is none that could be one. */
export function readSessionToken(
  config: Pick<Config, 'publicUrl'>,
  request: Reached & Pick<FastifyRequest, 'headers'>,
): string | undefined {
  const wanted = isProtected(config, request) ? protectedName : plainName
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === wanted && value !== undefined && tokenForm.test(value)) return value
  }
  return undefined
}

/** Gives the browser the token of its session. It cannot be read by scripts, nor is it sent when other sites write here. */
export function setSessionCookie(
  config: Pick<Config, 'publicUrl'>,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
  session: { token: string; expiresAt: Date },
  now: Date,
): void {
  const maxAgeSeconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000))
  writeCookie(config, request, reply, session.token, maxAgeSeconds)
}

export function clearSessionCookie(
  config: Pick<Config, 'publicUrl'>,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
): void {
  writeCookie(config, request, reply, '', 0)
}

function writeCookie(
  config: Pick<Config, 'publicUrl'>,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
  value: string,
  maxAgeSeconds: number,
): void {
  const isSecure = isProtected(config, request)
  const name = isSecure ? protectedName : plainName
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`
  reply.header('Set-Cookie', `${name}=${value}; ${flags}`)
}

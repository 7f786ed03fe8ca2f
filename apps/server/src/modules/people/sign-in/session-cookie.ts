import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../../kernel/config.ts'
import type { SecretBox } from '../../../kernel/secret-box.ts'

const tokenForm = /^[A-Za-z0-9_-]{43}$/

/** What tells this service from others. */
interface Service {
  config: Pick<Config, 'publicUrl'>
  secrets: SecretBox
}

type Reached = Pick<FastifyRequest, 'protocol'>

/** True when every browser takes a `Secure` cookie: over HTTPS, whether this service or the proxy before it speaks that. */
export function isProtected(config: Pick<Config, 'publicUrl'>, request: Reached): boolean {
  return config.publicUrl?.startsWith('https:') === true || request.protocol === 'https'
}

/** Eight characters that follow from the secret key: the same for all processes of a service, others for any other. */
const markOf = (secrets: SecretBox) => secrets.sign('mark of cookies').slice(0, 8)

/**
 * The name of a cookie of this service. Browsers send a cookie to every port of a host, so services beside one another need
 * names of their own. With the prefix browsers keep it only from this very host, over a connection that no one can listen
 * to. On plain HTTP they keep none such: no browser in a local network, and Safari not on its own machine either.
 */
export function cookieName(
  { config, secrets }: Service,
  request: Reached,
  purpose: 'session' | 'oidc' | 'device',
): string {
  const name = `printyard_${purpose}_${markOf(secrets)}`
  return isProtected(config, request) ? `__Host-${name}` : name
}

/** The token that the cookie of this request holds; undefined when there is none that could be one. */
export function readSessionToken(
  context: Service,
  request: Reached & Pick<FastifyRequest, 'headers'>,
): string | undefined {
  return listCookies(request, cookieName(context, request, 'session')).find((value) => tokenForm.test(value))
}

/** The value of a cookie; undefined when the browser has none of this name. */
export function readCookie(request: Pick<FastifyRequest, 'headers'>, wanted: string): string | undefined {
  return listCookies(request, wanted)[0]
}

function listCookies({ headers }: Pick<FastifyRequest, 'headers'>, wanted: string): string[] {
  return (headers.cookie?.split(';') ?? []).flatMap((pair) => {
    const [name, value] = pair.trim().split('=', 2)
    return name === wanted && value !== undefined ? [value] : []
  })
}

/** Gives the browser the token of its session. It cannot be read by scripts, nor is it sent when other sites write here. */
export function setSessionCookie(
  context: Service,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
  session: { token: string; expiresAt: Date },
  now: Date,
): void {
  const maxAgeSeconds = Math.max(0, Math.floor((session.expiresAt.getTime() - now.getTime()) / 1000))
  writeCookie(context, request, reply, session.token, maxAgeSeconds)
}

export function clearSessionCookie(context: Service, request: Reached, reply: Pick<FastifyReply, 'header'>): void {
  writeCookie(context, request, reply, '', 0)
}

function writeCookie(
  context: Service,
  request: Reached,
  reply: Pick<FastifyReply, 'header'>,
  value: string,
  maxAgeSeconds: number,
): void {
  const name = cookieName(context, request, 'session')
  const secure = isProtected(context.config, request) ? '; Secure' : ''
  const flags = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`
  reply.header('Set-Cookie', `${name}=${value}; ${flags}`)
}

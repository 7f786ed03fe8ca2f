import type { FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config.ts'
import { isLoopbackName } from '../../kernel/loopback.ts'

type Asked = Pick<FastifyRequest, 'headers' | 'host'>

/**
 * True when a request comes from a page of this service: browsers say so in `Sec-Fetch-Site`, older ones and plain HTTP by
 * `Origin` alone. A proxy may have ended TLS, so that only the host of the origin can be compared with the one asked for.
 */
export function isFromOwnPage(config: Pick<Config, 'publicUrl'>, { headers, host }: Asked): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const { host: originHost, protocol, origin: exact } = new URL(origin)
  if (config.publicUrl !== undefined && exact === new URL(config.publicUrl).origin) return true
  return (protocol === 'http:' || protocol === 'https:') && originHost === hostOf(host, protocol)
}

/** As an address spells it: in lower case, without the port that goes without saying. */
function hostOf(host: string, protocol: string): string | undefined {
  const address = `${protocol}//${host}`
  return URL.canParse(address) ? new URL(address).host : undefined
}

/**
 * True when a person at this very machine asks. A proxy asks from here too, and a page elsewhere may give its own name this
 * address: neither is a person here.
 */
export function isFromThisMachine({
  ip,
  hostname,
  headers,
}: Pick<FastifyRequest, 'ip' | 'hostname' | 'headers'>): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && isLoopbackName(ip.replace(/^::ffff:/i, '')) && isLoopbackName(hostname)
}

import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context/context.ts'

/** What passkeys are bound to: they open no other name, so that a page elsewhere cannot ask for them. */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * The name by which browsers use passkeys of this service: that of the configured public URL, or `localhost` where a person
 * works on this very machine. Undefined where browsers use none: at an IP address, or over plain HTTP.
 */
export function findRelyingParty(
  { config }: Pick<Context, 'config'>,
  request: Pick<FastifyRequest, 'host' | 'protocol'>,
): RelyingParty | undefined {
  const { hostname, protocol, origin } = new URL(config.publicUrl ?? addressOf(request))
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  // Without a public URL the name is only what the request says.
  if (config.publicUrl === undefined ? !isLocal : protocol !== 'https:' && !isLocal) return undefined
  return { id: hostname, origin }
}

function addressOf({ host, protocol }: Pick<FastifyRequest, 'host' | 'protocol'>): string {
  const address = `${protocol}://${host}`
  return URL.canParse(address) ? address : 'http://0.0.0.0'
}

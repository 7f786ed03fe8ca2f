import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Look } from './first-looks.ts'

/** Names that no public registry gives away: anyone who hands one out is on the network of the service. */
const localEnding = /(^|\.)(localhost|local|internal|home\.arpa)$/

type Names = Pick<Config, 'publicUrl' | 'allowedHosts'>

/**
 * True when a `Host` names this service. A page elsewhere may give its own name the address of the service, whose browser then takes
 * both for one site: the name that was asked for is all that tells them apart.
 */
export function isOwnHost({ publicUrl, allowedHosts }: Names, host: string): boolean {
  const name = hostnameOf(host)
  if (name === undefined) return false
  if (isIP(name) !== 0 || !name.includes('.') || localEnding.test(name)) return true
  if (publicUrl !== undefined && hostnameOf(new URL(publicUrl).host) === name) return true
  return readHosts(allowedHosts ?? '').includes(name)
}

/** The names of a setting, with commas between them. */
function readHosts(text: string): string[] {
  return text.split(',').flatMap((host) => host.trim().toLowerCase().replace(/\.$/, '') || [])
}

/** In lower case, without port, brackets and the dot at the end of a full name. */
function hostnameOf(host: string): string | undefined {
  if (!URL.canParse(`http://${host}`)) return undefined
  const { hostname, username, pathname } = new URL(`http://${host}`)
  if (username !== '' || pathname !== '/') return undefined
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

/** What a browser is asked for: the pages, and what their cookie or nothing at all opens. */
function isForBrowsers({ url, method, headers }: FastifyRequest): boolean {
  const isPage = (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
  return url.startsWith('/app/') || url === '/' || isPage
}

/** Refuses browsers that ask for another name; programs bring a key, which no page elsewhere has. */
export function refuseOtherHosts(config: Names): Look {
  return (request) => {
    // The header itself: what a proxy says of the name is what the page would say.
    const { host } = request.headers
    if (host !== undefined && isForBrowsers(request) && !isOwnHost(config, host)) {
      throw new AppError('HOST_REFUSED', { host: host.slice(0, 255) })
    }
  }
}

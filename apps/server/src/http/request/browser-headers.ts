import type { FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config.ts'
import type { Look } from './first-looks.ts'

/** A year: browsers ask for this name by HTTPS alone from the first answer on. */
const httpsOnly = 'max-age=31536000'

/** What a page may use of its device: the camera reads labels. */
const permissions = [
  'camera=(self)',
  ...['microphone', 'geolocation', 'payment', 'usb', 'serial', 'hid', 'bluetooth', 'midi', 'display-capture'].map(
    (feature) => `${feature}=()`,
  ),
].join(', ')

/** Headers of every page: no window of another site keeps hold of it, and no device but the camera is used. */
export const pageHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': permissions,
} as const

/** What is no page runs nothing, and is shown in no frame. */
export const answerPolicy = "default-src 'none'; frame-ancestors 'none'"

/** The same of files and images, which browsers may show as pages of their own. */
export const contentPolicy = `${answerPolicy}; sandbox`

/**
 * Answers what every answer carries. Names are in lower case, as they are kept: the framework would make them so at each request, and look for
 * each of them again.
 */
export function makeCommonHeaders(config: Pick<Config, 'publicUrl' | 'tlsCertFile'>): Look {
  return (request, reply) => {
    reply
      .header('x-request-id', request.id)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .header('content-security-policy', answerPolicy)
    if (isHttpsOnly(config, request)) reply.header('strict-transport-security', httpsOnly)
  }
}

/**
 * Behind TLS alone: said over plain HTTP it would mean nothing, and lock people out of a service that has no certificate. Browsers take it
 * for all ports of a name, so a service with a certificate of its own says it at the port of HTTPS alone: at another one it would lock
 * people out of what else the machine serves.
 */
function isHttpsOnly(
  { publicUrl, tlsCertFile }: Pick<Config, 'publicUrl' | 'tlsCertFile'>,
  request: Pick<FastifyRequest, 'protocol' | 'host'>,
): boolean {
  if (publicUrl?.startsWith('https://')) return true
  return request.protocol === 'https' && (tlsCertFile === undefined || !hasPort(request.host))
}

/** The port of HTTPS is not written down by browsers. */
const hasPort = (host: string) => /:\d+$/.test(host) && !host.endsWith(':443')

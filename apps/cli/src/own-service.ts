import type { X509Certificate } from 'node:crypto'
import { get as getHttp, type IncomingMessage } from 'node:http'
import { get as getHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { TLSSocket } from 'node:tls'
import type { Config } from '@printyard/server/kernel/config'

export interface OwnAnswer {
  status: number
  body: string
  /** The certificate that it came with, over HTTPS. */
  certificate: X509Certificate | undefined
}

/** Answers where the service of these settings answers on this machine; undefined when the settings do not tell. */
export function addressOf({
  host,
  port,
  tlsCertFile,
}: Pick<Config, 'host' | 'port' | 'tlsCertFile'>): string | undefined {
  if (port === 0) return undefined
  // It listens to all addresses; this machine is one of them.
  const here = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const scheme = tlsCertFile === undefined ? 'http' : 'https'
  return `${scheme}://${here.includes(':') ? `[${here}]` : here}:${port}`
}

/**
 * Asks the service on this machine how it is. No secret goes there, so its certificate is not checked: one that has ended is no
 * reason to call the service dead, and what it is worth is told by `doctor`.
 *
 * Not by `fetch`, which refuses to ask at some ports on which a service may well listen.
 */
export function askOwnService(url: string, timeoutMs: number): Promise<OwnAnswer> {
  const options = { signal: AbortSignal.timeout(timeoutMs), agent: false as const }
  return new Promise((resolve, reject) => {
    const take = (answer: IncomingMessage) => {
      const { socket, statusCode = 0 } = answer
      const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined
      text(answer).then((body) => resolve({ status: statusCode, body, certificate }), reject)
    }
    const request = url.startsWith('https:')
      ? getHttps(url, { ...options, rejectUnauthorized: false }, take)
      : getHttp(url, options, take)
    request.on('error', reject)
  })
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Config } from '../../kernel/config.ts'
import { AppError } from '../../kernel/errors.ts'
import { authorityPath, certificatePath } from '../../tls/certificate-paths.ts'
import type { ServedCertificate } from '../../tls/served-certificate.ts'
import { isOwnHost } from '../request/own-host.ts'
import { makeAuthorityFile, makeCertificatePage, type Page } from './certificate-page.ts'

/**
 * Answers what comes in plain text to the port of HTTPS. Browsers that ask for a page are sent on; a program is told, and not sent on:
 * its key has crossed the network already, and would again each time. The authority is given out here too: a phone has to have it
 * before it can use HTTPS.
 */
export function makePlainDoor(
  config: Pick<Config, 'publicUrl' | 'allowedHosts'>,
  certificate: ServedCertificate,
): RequestListener {
  return (request, response) => {
    // No one waits for the rest of a body.
    request.resume()
    const { host } = request.headers
    const path = pathOf(request)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (host !== undefined && !isOwnHost(config, host)) {
      return refuse(response, new AppError('HOST_REFUSED', { host: host.slice(0, 255) }))
    }
    if (isRead && path === authorityPath) return send(response, makeAuthorityFile(certificate))
    if (isRead && path === certificatePath) {
      return send(response, makeCertificatePage(certificate, { host: host ?? '', isEncrypted: false }))
    }
    const wantsPage = (request.headers.accept ?? '').includes('text/html')
    if (isRead && wantsPage && host !== undefined) {
      // Not for good: the service may lose its certificate again.
      return send(response, { status: 307, headers: { Location: `https://${host}${request.url}` }, body: '' })
    }
    refuse(response, new AppError('HTTPS_REQUIRED', { url: `https://${host ?? 'HOST'}` }))
  }
}

/** The part of the address before its query; a proxy may write the whole of it. */
function pathOf(request: IncomingMessage): string {
  const { url = '/' } = request
  if (!url.startsWith('/')) request.url = URL.canParse(url) ? new URL(url).pathname : '/'
  return (request.url ?? '/').split('?')[0] ?? '/'
}

function send(response: ServerResponse, { status, headers, body }: Page): void {
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

function refuse(response: ServerResponse, { code, message, status }: AppError): void {
  const body = JSON.stringify({ success: false, error: { code, message } })
  send(response, { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body })
}

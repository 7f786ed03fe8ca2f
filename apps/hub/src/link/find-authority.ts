import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { connect, type DetailedPeerCertificate } from 'node:tls'

const HANDSHAKE_MS = 20_000

/** A SHA-256 fingerprint as 64 digits; undefined when the text is none. Colons and a prefix are as people copy them. */
export function readFingerprint(text: string): string | undefined {
  const digits = text
    .trim()
    .toLowerCase()
    .replace(/^sha-?256[:=\s]*/, '')
    .replaceAll(':', '')
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined
}

/**
 * The authority with this fingerprint, out of what the service shows. Nothing is sent to it: it is only looked at, and the fingerprint, which
 * came another way, tells whether it is the right one. Rejects when the service does not show it.
 */
export async function findAuthority(serviceUrl: string, fingerprint: string): Promise<string> {
  const shown = await readChain(new URL(serviceUrl))
  const found = shown.find((certificate) => readFingerprint(certificate.fingerprint256) === fingerprint)
  if (found === undefined) {
    throw new Error(
      'it shows no certificate with this fingerprint: another service answers there, or its authority is another one',
    )
  }
  if (!found.ca) {
    throw new Error(
      'the fingerprint is that of a certificate, not of its authority: it would be refused after the next renewal',
    )
  }
  return found.toString()
}

function readChain({ hostname, port }: URL): Promise<X509Certificate[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: port === '' ? 443 : Number(port),
      ...(isIP(host) === 0 && { servername: host }),
      // What it shows is compared with the fingerprint, and checked in full by everything that comes after.
      rejectUnauthorized: false,
    })
    socket.setTimeout(HANDSHAKE_MS, () => socket.destroy(new Error(`no answer within ${HANDSHAKE_MS / 1000} s`)))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection was closed')))
    socket.once('secureConnect', () => {
      const chain: X509Certificate[] = []
      let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
      while (next?.raw !== undefined && !chain.some(({ fingerprint256 }) => fingerprint256 === next?.fingerprint256)) {
        chain.push(new X509Certificate(next.raw))
        next = next.issuerCertificate
      }
      resolve(chain)
      socket.end()
    })
  })
}

import { connect } from 'node:tls'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { baseTls, fingerprintOf } from './printer-trust.ts'

const HANDSHAKE_MS = 5_000

/** What the certificate of a printer says, before anybody believes it. */
export interface SeenCertificate {
  /** The common name, which is the serial number of a printer; empty when there is none. */
  serial: string
  /** The issuer's own names. */
  issuer: string
  fingerprint: string
  /** One of the given authorities signed it, directly or not. */
  isVouched: boolean
}

/**
 * Looks at the certificate at a port and hangs up; nothing is sent. Rejects with a `ConnectionProblemError`
 * `not_this_family` when there is no TLS.
 */
export function inspectCertificate(
  { host, port, authorities }: { host: string; port: number; authorities: string[] },
  signal: AbortSignal,
): Promise<SeenCertificate> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const socket = connect({
      ...baseTls,
      host,
      port,
      ca: authorities,
      allowPartialTrustChain: true,
      // It is only looked at: anyone who goes on to speak with the printer judges it.
      rejectUnauthorized: false,
      checkServerIdentity: () => undefined,
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      settle()
    }
    const foreign = (cause?: unknown) => new ConnectionProblemError('not_this_family', {}, { cause })
    const timer = setTimeout(() => end(() => reject(foreign())), HANDSHAKE_MS)
    const onAbort = () => end(() => reject(signal.reason))
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('error', (error) => end(() => reject(foreign(error))))
    socket.on('close', () => end(() => reject(foreign())))
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate()
      end(() => {
        if (!certificate.fingerprint256) return reject(foreign())
        resolve({
          serial: firstOf(certificate.subject?.CN),
          issuer: [firstOf(certificate.issuer?.O), firstOf(certificate.issuer?.CN)].join(' '),
          fingerprint: fingerprintOf(certificate),
          isVouched: socket.authorized,
        })
      })
    })
  })
}

/** A name may stand in a certificate several times. */
function firstOf(value: unknown): string {
  return String(Array.isArray(value) ? (value[0] ?? '') : (value ?? ''))
}

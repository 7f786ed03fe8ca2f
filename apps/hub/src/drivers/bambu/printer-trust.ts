import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ConnectionOptions, connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { ConnectionProblemError } from '../connection/connection-problem-error.ts'
import { DriverError } from '../driver.ts'
import { textIn } from '../wire/wire-values.ts'
import { knownAuthorities } from './known-authorities.ts'

/**
 * Trust in what says that it is the printer. `ca`: anyone who that authority vouches for. `pinned`: the one certificate with this
 * SHA-256. `first_use`: anyone who a known authority vouches for, else the one that was shown first, kept in a file. `any`: everybody,
 * because an operator said so. All but `any` also want the serial number as common name: printers have no host name to compare.
 */
export type Trust =
  | { kind: 'ca'; ca: string }
  | { kind: 'pinned'; fingerprint: string }
  | { kind: 'first_use'; path: string; authorities: string[] }
  | { kind: 'any' }

const CONNECT_MS = 5_000

/** The plain RSA suites are all that printers offer; a hardened host may have them switched off. */
export const baseTls = {
  minVersion: 'TLSv1.2',
  ciphers: 'DEFAULT:AES256-GCM-SHA384:AES128-GCM-SHA256',
} as const satisfies ConnectionOptions

/** Answers what the settings say about trust. Throws a `DriverError` when they cannot be understood. */
export function readTrust(connection: Record<string, unknown>, serial: string, dataDir: string): Trust {
  if (connection.allow_any_certificate === true) return { kind: 'any' }
  const pinned = textIn(connection.pinned_fingerprint)
  if (pinned !== null) {
    const fingerprint = pinned.replace(/[^0-9a-f]/gi, '').toUpperCase()
    if (fingerprint.length === 64) return { kind: 'pinned', fingerprint }
    throw new DriverError('REFUSED', 'pinned_fingerprint must be a SHA-256 fingerprint of 64 hexadecimal digits')
  }
  const ca = textIn(connection.ca, 16_384)
  if (ca !== null) return { kind: 'ca', ca }
  return { kind: 'first_use', path: firstUsePath(dataDir, serial), authorities: knownAuthorities(dataDir) }
}

function firstUsePath(dataDir: string, serial: string): string {
  return join(dataDir, 'printer-certificates', `${serial}.sha256`)
}

/** The fingerprint that this printer was first seen with; undefined when it never was. */
export function findFirstSeen(dataDir: string, serial: string): string | undefined {
  try {
    return readFileSync(firstUsePath(dataDir, serial), 'utf8').trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

interface TrustedConnection {
  socket: TLSSocket
  /** The certificate that was believed, as PEM: every other connection must show it too. */
  certificate: string
}

/**
 * Opens a TLS connection to the printer and resolves once its certificate is believed; nothing is sent before. Rejects with
 * a `DriverError`: `REFUSED` when it is not believed, else `UNREACHABLE`.
 */
export function openTrusted(
  { host, port, serial, trust }: { host: string; port: number; serial: string; trust: Trust },
  signal: AbortSignal,
): Promise<TrustedConnection> {
  return new Promise((resolve, reject) => {
    const isKnownAuthority = trust.kind === 'ca'
    const socket = connect({
      ...baseTls,
      host,
      port,
      servername: serial,
      // Without an authority the certificate is judged below, before the first byte is sent.
      rejectUnauthorized: isKnownAuthority,
      ...(isKnownAuthority && { ca: trust.ca }),
      ...(trust.kind === 'first_use' && { ca: trust.authorities, allowPartialTrustChain: true }),
      checkServerIdentity: (_host, certificate) => wrongName(certificate, serial),
    })
    const end = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const fail = (error: Error) =>
      end(() => {
        socket.destroy()
        reject(error)
      })
    const onAbort = () => fail(signal.reason)
    const timer = setTimeout(
      () => fail(new DriverError('UNREACHABLE', `no TLS connection within ${CONNECT_MS} ms`)),
      CONNECT_MS,
    )
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    socket.on('error', (error: NodeJS.ErrnoException) => fail(asDriverError(error)))
    socket.once('close', () => fail(new DriverError('UNREACHABLE', 'the printer closed the connection')))
    socket.once('secureConnect', () => {
      try {
        const certificate = socket.getPeerCertificate()
        judge(certificate, serial, trust, socket.authorized)
        end(() => {
          socket.removeAllListeners('error')
          socket.removeAllListeners('close')
          resolve({ socket, certificate: pemOf(certificate) })
        })
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  })
}

/** Answers what a further connection to the same printer must be opened with: only the certificate that was believed will do. */
export function sameCertificate(serial: string, trust: Trust, certificate: string): ConnectionOptions {
  if (trust.kind === 'any') return { ...baseTls, servername: serial, rejectUnauthorized: false }
  return {
    ...baseTls,
    servername: serial,
    ca: trust.kind === 'ca' ? trust.ca : certificate,
    // A certificate that is not its own issuer may be where the chain ends.
    allowPartialTrustChain: true,
    checkServerIdentity: (_host, shown) => wrongName(shown, serial),
  }
}

function wrongName(certificate: PeerCertificate, serial: string): Error | undefined {
  if (certificate.subject?.CN === serial) return undefined
  return new ConnectionProblemError('serial_differs', {
    message: 'The certificate names another serial number than the settings.',
  })
}

function judge(certificate: PeerCertificate, serial: string, trust: Trust, isVouched: boolean): void {
  if (trust.kind === 'any' || trust.kind === 'ca') return
  const wrong = wrongName(certificate, serial)
  if (wrong) throw wrong
  // The maker may renew a certificate at any time; the serial number in it is what he vouches for.
  if (trust.kind === 'first_use' && isVouched) return
  const shown = fingerprintOf(certificate)
  const expected = trust.kind === 'pinned' ? trust.fingerprint : firstSeen(trust.path, shown)
  if (shown === expected) return
  throw certificateChanged(shown)
}

/** SHA-256 of a certificate, in upper case without colons. */
export function fingerprintOf({ fingerprint256 }: PeerCertificate): string {
  return fingerprint256.replaceAll(':', '')
}

export function certificateChanged(shown: string): ConnectionProblemError {
  const message = `The printer shows another certificate than before; if that is right, set pinned_fingerprint to ${shown}.`
  return new ConnectionProblemError('certificate_changed', { message }, { certificateFingerprint: shown })
}

/** The fingerprint that this printer was first seen with; the present one is written down when there is none. */
function firstSeen(path: string, shown: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${shown}\n`, { flag: 'wx', mode: 0o600, flush: true })
    return shown
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = readFileSync(path, 'utf8').trim()
    // A power cut may have left the file without its line.
    if (kept === '') writeFileSync(path, `${shown}\n`, { flush: true })
    return kept || shown
  }
}

function pemOf({ raw }: PeerCertificate): string {
  const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** Errors of certificates are named like these; everything else is the network. */
const certificateErrors = /CERT|VERIFY|SIGNED|ISSUER|LEAF/
/** By our clock the certificate is from another time, which says more about the clock. */
const timeErrors = /^CERT_(NOT_YET_VALID|HAS_EXPIRED)$/

function asDriverError(error: NodeJS.ErrnoException): DriverError {
  if (error instanceof DriverError) return error
  const code = error.code ?? ''
  if (timeErrors.test(code)) return new ConnectionProblemError('clock_skew', {}, { cause: error })
  return certificateErrors.test(code)
    ? new ConnectionProblemError('certificate_unknown', {}, { cause: error })
    : new DriverError('UNREACHABLE', `the printer cannot be reached (${code || error.message})`, { cause: error })
}

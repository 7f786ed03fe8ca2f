import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'

/** Files of a certificate and its private key, both as PEM. */
export interface PairFiles {
  certFile: string
  keyFile: string
}

/** A certificate that can be served: it is whole, and the key is its own. */
export interface CertificatePair {
  /** The certificate and its chain, as they are served. */
  cert: string
  key: string
  leaf: X509Certificate
  /** Time when the first certificate of the chain ends. */
  endsAt: Date
  /** The authority at the end of the chain where the file has it: a local one, that devices have to be told to trust. */
  authority: X509Certificate | undefined
}

/** Reason why a pair of files cannot be served, in a sentence for people. */
export class CertificateError extends Error {
  /** The file that has to be put right. */
  readonly file: 'certificate' | 'key'

  constructor(file: 'certificate' | 'key', message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CertificateError'
    this.file = file
  }
}

/** Reads and checks both files. @throws CertificateError */
export function readPair({ certFile, keyFile }: PairFiles): CertificatePair {
  const cert = readText('certificate', certFile)
  const key = readText('key', keyFile)
  const [leaf, ...rest] = readChain(cert, certFile)
  const privateKey = readKey(key, keyFile)
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new CertificateError('key', `${keyFile} is not the private key of the first certificate in ${certFile}`)
  }
  try {
    createSecureContext({ cert, key })
  } catch (cause) {
    throw new CertificateError('certificate', `${certFile} cannot be used: ${messageOf(cause)}`, { cause })
  }
  const chain = [leaf, ...rest]
  return {
    cert,
    key,
    leaf,
    endsAt: new Date(Math.min(...chain.map(({ validToDate }) => validToDate.getTime()))),
    authority: chain.find((certificate) => isAuthority(certificate)),
  }
}

/** The names and addresses that a certificate is for. */
export function namesOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string[] {
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):"?([^",\s]+)/g)].flatMap(([, name]) => name ?? [])
}

function isAuthority(certificate: X509Certificate): boolean {
  return certificate.ca && certificate.checkIssued(certificate)
}

function readText(file: 'certificate' | 'key', path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new CertificateError(file, `${path} cannot be read (${code})`, { cause })
  }
}

/** A file that is being written may end in the middle of a certificate: then the whole of it does not count. */
function readChain(text: string, path: string): [X509Certificate, ...X509Certificate[]] {
  const started = text.match(/-----BEGIN /g)?.length ?? 0
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (started !== blocks.length) {
    throw new CertificateError('certificate', `${path} is cut short, or holds something else than certificates`)
  }
  try {
    const [leaf, ...rest] = blocks.map((block) => new X509Certificate(block))
    if (leaf !== undefined) return [leaf, ...rest]
  } catch (cause) {
    throw new CertificateError('certificate', `${path} holds a damaged certificate: ${messageOf(cause)}`, { cause })
  }
  throw new CertificateError('certificate', `${path} holds no certificate in the form of PEM`)
}

function readKey(text: string, path: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (cause) {
    const isEncrypted = text.includes('ENCRYPTED')
    const problem = isEncrypted
      ? 'is encrypted; the service needs it without a passphrase'
      : 'holds no private key in the form of PEM'
    throw new CertificateError('key', `${path} ${problem}`, { cause })
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

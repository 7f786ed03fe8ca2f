// The library of certificates finds its parts by it.
import 'reflect-metadata'
import { createPrivateKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { type NetworkBytes, permittedNetworks } from './local-names.ts'

const constraintsId = '2.5.29.30'
const dnsNameTag = 0x82
const addressTag = 0x87

/** Known to every phone, browser and TLS library in use. */
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 24 * 3_600_000
const authorityDays = 3_650
/** Phones of Apple refuse certificates for longer than 825 days, those of local authorities too. */
const certificateDays = 820
/** Clocks of phones and hubs that go behind. */
const backdatedMs = dayMs

/** A certificate and its private key, as PEM. */
export interface MadeCertificate {
  cert: string
  key: string
}

/**
 * Makes a local authority. It can vouch for these names, and for names and addresses that exist in local networks alone: anyone who steals its
 * key cannot pass for a site of the internet before the devices that trust it.
 */
export async function makeAuthority(
  { name, dnsNames }: { name: string; dnsNames: readonly string[] },
  now: Date,
): Promise<MadeCertificate> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: [{ CN: [name] }],
      serialNumber: randomSerial(),
      notBefore: new Date(now.getTime() - backdatedMs),
      notAfter: new Date(now.getTime() + authorityDays * dayMs),
      signingAlgorithm: algorithm,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        new Extension(constraintsId, true, nameConstraints(dnsNames, permittedNetworks)),
      ],
    },
    webcrypto,
  )
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) }
}

/** Makes a certificate of a server for these names and addresses, with the authority behind it in the same text. */
export async function makeServerCertificate(
  authority: MadeCertificate,
  hosts: readonly [string, ...string[]],
  now: Date,
): Promise<MadeCertificate> {
  const issuer = new X509Certificate(authority.cert)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.create(
    {
      subject: [{ CN: [hosts[0].slice(0, 64)] }],
      issuer: issuer.subjectName,
      serialNumber: randomSerial(),
      notBefore: new Date(now.getTime() - backdatedMs),
      notAfter: new Date(Math.min(now.getTime() + certificateDays * dayMs, issuer.notAfter.getTime())),
      signingAlgorithm: algorithm,
      publicKey: keys.publicKey,
      signingKey: await importKey(createPrivateKey(authority.key)),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth], false),
        new SubjectAlternativeNameExtension(
          hosts.map((host) => ({ type: isIP(host) === 0 ? ('dns' as const) : ('ip' as const), value: host })),
          false,
        ),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await AuthorityKeyIdentifierExtension.create(issuer, false, webcrypto),
      ],
    },
    webcrypto,
  )
  return { cert: `${certificate.toString('pem')}\n${authority.cert.trim()}\n`, key: await pemOf(keys.privateKey) }
}

/** The DNS names that an authority of ours may vouch for, with all below them. */
export function permittedIn({ cert }: Pick<MadeCertificate, 'cert'>): string[] {
  const extension = new X509Certificate(cert).getExtension(constraintsId)
  if (!extension) return []
  const [constraints] = readDer(new Uint8Array(extension.value))
  const [permitted] = readDer(constraints?.value ?? new Uint8Array())
  return readDer(permitted?.value ?? new Uint8Array()).flatMap(({ value }) =>
    readDer(value).flatMap(({ tag, value: name }) => (tag === dnsNameTag ? [Buffer.from(name).toString('ascii')] : [])),
  )
}

/** Positive, as a serial number has to be. */
function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString()
}

function importKey(key: KeyObject): Promise<webcrypto.CryptoKey> {
  const der = key.export({ format: 'der', type: 'pkcs8' })
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
}

/** Answers what the library has no form for: RFC 5280, 4.2.1.10, with nothing but permitted names and networks. */
function nameConstraints(dnsNames: readonly string[], networks: readonly NetworkBytes[]): Buffer {
  const subtree = (tag: number, value: Uint8Array) => der(0x30, der(tag, value))
  const permitted = [
    ...dnsNames.map((name) => subtree(dnsNameTag, Buffer.from(name, 'ascii'))),
    ...networks.map(({ address, mask }) => subtree(addressTag, Buffer.concat([address, mask]))),
  ]
  return der(0x30, der(0xa0, Buffer.concat(permitted)))
}

function der(tag: number, value: Uint8Array): Buffer {
  const { length } = value
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), value])
}

/** The elements that follow one another in bytes that the library has taken for DER already. */
function readDer(bytes: Uint8Array): { tag: number; value: Uint8Array }[] {
  const elements: { tag: number; value: Uint8Array }[] = []
  for (let at = 0; at + 1 < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2)
    const sizeBytes = first < 0x80 ? 0 : first & 0x7f
    const start = at + 2 + sizeBytes
    const length = sizeBytes === 0 ? first : bytes.subarray(at + 2, start).reduce((size, byte) => size * 256 + byte, 0)
    elements.push({ tag, value: bytes.subarray(start, start + length) })
    at = start + length
  }
  return elements
}

import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** A key with its certificate, both as PEM. */
export interface PrinterCertificate {
  key: string
  cert: string
}

const generate = promisify(generateKeyPair)
const dayMs = 86_400_000

/** A key takes a good part of a second to make; simulated printers of one process share it, not their certificates. */
let sharedKeys: Promise<{ publicKey: KeyObject; privateKey: KeyObject }> | undefined

/**
 * A certificate as a Bambu printer shows one: RSA, the serial number as common name, no host name at all. Signed by itself,
 * where the real one is signed by its maker.
 */
export async function makePrinterCertificate(commonName: string): Promise<PrinterCertificate> {
  sharedKeys ??= generate('rsa', { modulusLength: 2048 })
  const { publicKey, privateKey } = await sharedKeys
  const name = sequence(set(sequence(objectId('550403'), element(0x0c, Buffer.from(commonName, 'utf8')))))
  const now = Date.now()
  const algorithm = sequence(objectId('2a864886f70d01010b'), element(0x05))
  const toBeSigned = sequence(
    element(0xa0, integer(Buffer.from([2]))),
    // Positive and never zero, as the standard wants it.
    integer(Buffer.concat([Buffer.from([0x4a]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(now - dayMs), time(now + 3_650 * dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const der = sequence(toBeSigned, algorithm, element(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pemOf(der) }
}

/** One element of DER: tag, length, content. */
function element(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body])
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body])
}

const sequence = (...content: Buffer[]) => element(0x30, ...content)
const set = (...content: Buffer[]) => element(0x31, ...content)
const integer = (bytes: Buffer) => element(0x02, bytes)
const objectId = (hex: string) => element(0x06, Buffer.from(hex, 'hex'))

/** UTCTime, which counts two digits of the year: good until 2049. */
function time(atMs: number): Buffer {
  const digits = new Date(atMs).toISOString().replace(/[-:T]/g, '').slice(2, 14)
  return element(0x17, Buffer.from(`${digits}Z`))
}

function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

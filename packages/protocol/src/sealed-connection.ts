import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** A public key as it is told: the 32 bytes of X25519 in base64url. */
export const publicKeyForm = /^[A-Za-z0-9_-]{43}$/

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** A new key pair of a hub; the private key as PEM (PKCS #8). */
export function makeHubKey(): { publicKey: string; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: textOf(publicKey), privateKey: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) }
}

/** The public key that belongs to a private one. Throws for what is no key of X25519. */
export function publicKeyOf(privateKey: string): string {
  return textOf(createPublicKey(createPrivateKey(privateKey)))
}

/**
 * Seals values so that the holder of the private key alone reads them: X25519 with a key of its own, HKDF-SHA256, AES-256-GCM.
 * `boundTo` must be the same when a value is opened, so that what was sealed for one printer is not taken for another's.
 */
export function createSealer(publicKey: string): (value: unknown, boundTo: string) => string {
  const receiver = publicKeyFrom(publicKey)
  const own = generateKeyPairSync('x25519')
  const ownText = textOf(own.publicKey)
  const secret = deriveKey(diffieHellman({ privateKey: own.privateKey, publicKey: receiver }), ownText, publicKey)
  return (value, boundTo) => {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(boundTo))
    const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
    return Buffer.concat([Buffer.from(ownText, 'base64url'), iv, cipher.getAuthTag(), body]).toString('base64url')
  }
}

/** Opens what `createSealer` has sealed. Throws for what was sealed for another key or thing, or was changed. */
export function openSealed(privateKey: string, sealed: string, boundTo: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url')
  const sender = bytes.subarray(0, keyBytes).toString('base64url')
  const own = createPrivateKey(privateKey)
  const shared = diffieHellman({ privateKey: own, publicKey: publicKeyFrom(sender) })
  const secret = deriveKey(shared, sender, textOf(createPublicKey(own)))
  const [ivEnd, tagEnd] = [keyBytes + ivBytes, keyBytes + ivBytes + tagBytes]
  const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(keyBytes, ivEnd))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(bytes.subarray(ivEnd, tagEnd))
  return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8'))
}

function deriveKey(shared: Buffer, sender: string, receiver: string): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, `${sender}.${receiver}`, 'printyard connection v1', 32))
}

const publicKeyFrom = (x: string) => createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })

const textOf = (key: KeyObject) => String(key.export({ format: 'jwk' }).x)

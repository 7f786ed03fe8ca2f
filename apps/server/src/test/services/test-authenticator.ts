import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What a browser is asked, as far as an authenticator looks at it. */
interface CreationOptions {
  challenge: string
  rp: { id?: string; name: string }
  user: { id: string }
  excludeCredentials?: { id: string }[]
}
interface RequestOptions {
  challenge: string
  rpId?: string
  allowCredentials?: { id: string }[]
}

interface Credential {
  id: Buffer
  key: KeyObject
  userHandle: string
  count: number
}

interface Manner {
  /** Where the page is that asks. */
  origin?: string
  /** The person has unlocked it. */
  isVerified?: boolean
  /** Signs by another key than that which it showed. */
  isForged?: boolean
  /** Shows this count instead of its own. */
  count?: number
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 }

/**
 * A software authenticator (WebAuthn level 2, ES256, attestation `none`) with the browser before it: answers options in the JSON
 * form of browsers.
 */
export function createTestAuthenticator(origin = 'http://localhost') {
  const credentials: Credential[] = []

  function clientData(type: 'webauthn.create' | 'webauthn.get', challenge: string, from: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))
  }

  function authenticatorData(rpId: string, isVerified: boolean, count: number, attested = Buffer.alloc(0)): Buffer {
    const flag = flags.present | (isVerified ? flags.verified : 0) | (attested.length > 0 ? flags.attested : 0)
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(count)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flag]), counter, attested])
  }

  return {
    credentials,
    /** Makes a key and answers as `navigator.credentials.create` does. */
    create(options: CreationOptions, { origin: from = origin, isVerified = true }: Manner = {}) {
      if (options.excludeCredentials?.some(({ id }) => credentials.some((known) => encode(known.id) === id))) {
        throw new Error('InvalidStateError: the authenticator has a key of this person already')
      }
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const id = randomBytes(32)
      credentials.push({ id, key: privateKey, userHandle: options.user.id, count: 0 })
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)])
      const data = authenticatorData(options.rp.id ?? '', isVerified, 0, attested)
      return {
        id: encode(id),
        rawId: encode(id),
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(clientData('webauthn.create', options.challenge, from)),
          attestationObject: encode(attestationObject(data)),
          transports: ['internal' as const],
        },
      }
    },
    /** Signs and answers as `navigator.credentials.get` does, by the key of the page's name that was made last. */
    get(options: RequestOptions, { origin: from = origin, isVerified = true, isForged = false, count }: Manner = {}) {
      const allowed = options.allowCredentials ?? []
      const credential = credentials.findLast(
        ({ id }) => allowed.length === 0 || allowed.some((each) => each.id === encode(id)),
      )
      if (!credential) throw new Error('NotAllowedError: the authenticator has no such key')
      credential.count += 1
      const data = authenticatorData(options.rpId ?? '', isVerified, count ?? credential.count)
      const client = clientData('webauthn.get', options.challenge, from)
      const key = isForged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : credential.key
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), key)
      return {
        id: encode(credential.id),
        rawId: encode(credential.id),
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: encode(client),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle: credential.userHandle,
        },
      }
    },
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64url')

/** RFC 8949: a byte string of fewer than 65,536 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}

/** RFC 8949: a text of fewer than 24 bytes. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

/** `{fmt: "none", attStmt: {}, authData}` */
function attestationObject(authData: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    cborBytes(authData),
  ])
}

/** RFC 9053: `{1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}` */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, 'base64url')),
  ])
}

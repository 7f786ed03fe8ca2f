import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeSecretOnce } from '@printyard/protocol/secret-file'

/** Encrypts what must be readable again (printer credentials) and signs what leaves and comes back (file addresses). */
export interface SecretBox {
  /** AES-256-GCM; `boundTo` must be the same when it is opened, so that a sealed value cannot be moved to another row. */
  seal(value: unknown, boundTo: string): Buffer
  open(sealed: Buffer, boundTo: string): unknown
  /** URL-safe HMAC-SHA256 of a text. */
  sign(text: string): string
  /** The signatures by former keys, for what was stored before a rotation. */
  formerSigns(text: string): string[]
}

const ivBytes = 12
const tagBytes = 16

/** @param formerKeysHex keys from before a rotation: what they sealed is still opened, and nothing more is sealed by them */
export function createSecretBox(keyHex: string, formerKeysHex: readonly string[] = []): SecretBox {
  const { encryptionKey, signingKey } = deriveKeys(keyHex)
  const former = formerKeysHex.map(deriveKeys)
  return {
    seal(value, boundTo) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(sealed, boundTo) {
      for (const key of former) {
        const opened = tryOpen(key.encryptionKey, sealed, boundTo)
        if (opened !== undefined) return opened.value
      }
      // Its failure is the one that is told.
      return openWith(encryptionKey, sealed, boundTo)
    },
    sign: (text) => signWith(signingKey, text),
    formerSigns: (text) => former.map((key) => signWith(key.signingKey, text)),
  }
}

/** As objects: made of bytes again for each use, a key takes longer than what is done with it. */
function deriveKeys(keyHex: string): { encryptionKey: KeyObject; signingKey: KeyObject } {
  const master = Buffer.from(keyHex, 'hex')
  const derive = (use: string) => createSecretKey(createHmac('sha256', master).update(`printyard ${use}`).digest())
  return { encryptionKey: derive('encryption'), signingKey: derive('signatures') }
}

/** Tells one secret key from another; nothing of the key follows from it. */
export function fingerprintOf(keyHex: string): string {
  return createHmac('sha256', Buffer.from(keyHex, 'hex')).update('printyard fingerprint').digest('hex').slice(0, 32)
}

/** Answers what was sealed; undefined when none of the keys of this box opens it. */
export function openIfReadable(
  secrets: Pick<SecretBox, 'open'>,
  sealed: Buffer,
  boundTo: string,
): { value: unknown } | undefined {
  try {
    return { value: secrets.open(sealed, boundTo) }
  } catch {
    return undefined
  }
}

const signWith = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url')

function openWith(key: KeyObject, sealed: Buffer, boundTo: string): unknown {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes))
    .setAAD(Buffer.from(boundTo))
    .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  const body = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
  return JSON.parse(body.toString('utf8'))
}

/** Undefined for what was sealed by another key: the tag tells. */
function tryOpen(key: KeyObject, sealed: Buffer, boundTo: string): { value: unknown } | undefined {
  try {
    return { value: openWith(key, sealed, boundTo) }
  } catch {
    return undefined
  }
}

/** The box of a service: by the keys of its settings, or those of its data directory. */
export async function openSecretBox(config: {
  secretKey?: string | undefined
  formerSecretKey?: string | undefined
  dataDir: string
}): Promise<SecretBox> {
  const { secretKey, formerSecretKey, dataDir } = config
  if (secretKey !== undefined) return createSecretBox(secretKey, formerSecretKey === undefined ? [] : [formerSecretKey])
  return createSecretBox(await loadSecretKey(dataDir), await loadFormerSecretKeys(dataDir))
}

/**
 * The secret key of a data directory, made at first use with mode 0600. Two starters at once agree on one: the file
 * appears whole, by a hard link that only one of them can make.
 */
export async function loadSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const existing = await readKey(path)
  if (existing) return existing
  return makeKey(path)
}

/** The key of before the last rotation, while it is still there. */
export async function loadFormerSecretKeys(dataDir: string): Promise<string[]> {
  const former = await readKey(formerPath(dataDir))
  return former ? [former] : []
}

const formerPath = (dataDir: string) => join(dataDir, 'secret.key.former')

/**
 * Puts a new secret key in the place of the present one, which stays as `secret.key.former`: whenever this is broken off, what was sealed
 * by either can be opened. A rotation that was broken off goes on with the keys that are there.
 */
export async function rotateSecretKey(dataDir: string): Promise<{ key: string; former: string }> {
  const path = join(dataDir, 'secret.key')
  const next = join(dataDir, 'secret.key.next')
  const present = await loadSecretKey(dataDir)
  const [former] = await loadFormerSecretKeys(dataDir)
  const key = (await readKey(next)) ?? (await makeKey(next))
  if (former === undefined) await link(path, formerPath(dataDir))
  else if (former !== present) throw new Error(`${formerPath(dataDir)} is there: the rotation before is not over`)
  await rename(next, path)
  // What is sealed from here on must not outlive its key in a power cut.
  await syncDirectory(dataDir)
  return { key, former: present }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Ends a rotation: the former key opens nothing any more. False when there was none. */
export async function forgetFormerSecretKey(dataDir: string): Promise<boolean> {
  const [former] = await loadFormerSecretKeys(dataDir)
  await rm(formerPath(dataDir), { force: true })
  return former !== undefined
}

async function makeKey(path: string): Promise<string> {
  await writeSecretOnce(path, `${randomBytes(32).toString('hex')}\n`)
  const made = await readKey(path)
  if (!made) throw new Error(`${path} could not be written`)
  return made
}

async function readKey(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  if (!/^[0-9a-f]{64}$/.test(text))
    throw new Error(`${path} is damaged: it must hold 64 hex digits. Restore it from a backup.`)
  await chmod(path, 0o600)
  return text
}

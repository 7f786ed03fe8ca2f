import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Encrypts what must be readable again (printer credentials) and signs what leaves and comes back (file addresses). */
export interface SecretBox {
  /** AES-256-GCM; `boundTo` must be the same when it is opened, so that a sealed value cannot be moved to another row. */
  seal(value: unknown, boundTo: string): Buffer
  open(sealed: Buffer, boundTo: string): unknown
  /** URL-safe HMAC-SHA256 of a text. */
  sign(text: string): string
}

const ivBytes = 12
const tagBytes = 16

export function createSecretBox(keyHex: string): SecretBox {
  const master = Buffer.from(keyHex, 'hex')
  const encryptionKey = createHmac('sha256', master).update('printyard encryption').digest()
  const signingKey = createHmac('sha256', master).update('printyard signatures').digest()
  return {
    seal(value, boundTo) {
      const iv = randomBytes(ivBytes)
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv).setAAD(Buffer.from(boundTo))
      const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body])
    },
    open(sealed, boundTo) {
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, sealed.subarray(0, ivBytes))
        .setAAD(Buffer.from(boundTo))
        .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
      const body = Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
      return JSON.parse(body.toString('utf8'))
    },
    sign(text) {
      return createHmac('sha256', signingKey).update(text).digest('base64url')
    },
  }
}

/**
 * The secret key of a data directory, made at first use with mode 0600. Two starters at once agree on one: the file
 * appears whole, by a hard link that only one of them can make.
 */
export async function loadSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, 'secret.key')
  const existing = await readKey(path)
  if (existing) return existing
  const temporary = `${path}.${randomUUID()}.tmp`
  const file = await open(temporary, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(temporary, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(temporary, { force: true })
  }
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

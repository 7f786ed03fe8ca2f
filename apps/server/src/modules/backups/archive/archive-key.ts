import { createHmac, randomBytes, scrypt } from 'node:crypto'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeSecretOnce } from '@printyard/protocol/secret-file'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { BackupError } from './backup-error.ts'

/** What encrypts the backups of a folder that were made with one passphrase. */
export interface ArchiveKey {
  /** Names the key; backups and files say by it what opens them. */
  id: string
  master: Buffer
}

const KeyFile = Type.Object({
  format: Type.Literal(1),
  salt: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Memory: 128 × N × r bytes. */
  scrypt: Type.Object({
    N: Type.Integer({ minimum: 16_384, maximum: 1_048_576 }),
    r: Type.Integer({ minimum: 8, maximum: 32 }),
    p: Type.Integer({ minimum: 1, maximum: 16 }),
  }),
  /** Tells whether a passphrase is the right one. */
  check: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

/** OWASP's choice for 32 MB, https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html: a small board has no more to spare. */
const cost = { N: 32_768, r: 8, p: 3 }

const shortestPassphrase = 12

const deriveKey = promisify(
  scrypt as (
    passphrase: string,
    salt: Buffer,
    length: number,
    options: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, key: Buffer) => void,
  ) => void,
)

/** The key of a passphrase for backups of a folder: one that is there, or a new one. */
export async function openArchiveKey(folder: string, passphrase: string): Promise<ArchiveKey> {
  const known = await findArchiveKey(folder, passphrase)
  if (known !== undefined) return known
  const id = randomBytes(6).toString('hex')
  const salt = randomBytes(32)
  const master = await stretch(passphrase, salt, cost)
  await mkdir(keysIn(folder), { recursive: true, mode: 0o700 })
  const text = { format: 1, salt: salt.toString('hex'), scrypt: cost, check: checkOf(master) }
  await writeSecretOnce(join(keysIn(folder), `${id}.json`), `${JSON.stringify(text)}\n`)
  return { id, master }
}

/** The key of a passphrase among those of a folder; undefined when none of them is by this passphrase. */
export async function findArchiveKey(folder: string, passphrase: string): Promise<ArchiveKey | undefined> {
  const names = await readdir(keysIn(folder)).catch(() => [])
  for (const name of names) {
    const id = /^([0-9a-f]{12})\.json$/.exec(name)?.[1]
    if (id === undefined) continue
    const { salt, scrypt: parameters, check } = await readKeyFile(join(keysIn(folder), name))
    const master = await stretch(passphrase, Buffer.from(salt, 'hex'), parameters)
    if (checkOf(master) === check) return { id, master }
  }
  return undefined
}

async function readKeyFile(path: string): Promise<Static<typeof KeyFile>> {
  try {
    return Value.Parse(KeyFile, JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new BackupError('BACKUP_DAMAGED', `${path} is damaged: it is needed to open the encrypted backups.`, {
      cause: error,
    })
  }
}

/** The passphrase in a file, without the line end that editors add. */
export async function readPassphrase(path: string): Promise<string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new BackupError('BACKUP_LOCKED', `The passphrase file ${path} cannot be read.`, { cause: error })
  }
  const passphrase = text.replace(/\r?\n$/, '')
  if (passphrase.length < shortestPassphrase) {
    const words = `The passphrase in ${path} is too short: ${shortestPassphrase} characters are the least.`
    throw new BackupError('BACKUP_LOCKED', words)
  }
  return passphrase
}

function stretch(passphrase: string, salt: Buffer, parameters: { N: number; r: number; p: number }): Promise<Buffer> {
  const maxmem = 256 * parameters.N * parameters.r
  return deriveKey(passphrase.normalize('NFC'), salt, 32, { ...parameters, maxmem })
}

function checkOf(master: Buffer): string {
  return createHmac('sha256', master).update('printyard backup: check').digest('hex')
}

const keysIn = (folder: string) => join(folder, 'keys')

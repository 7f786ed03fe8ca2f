import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { ArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import { openStream, sealStream } from './sealed-stream.ts'

/** A stored part of a backup: its bytes as they lie on the disk. */
export interface StoredPart {
  bytes: number
  /** SHA-256 of the stored bytes. */
  sha256: string
}

interface PartForm {
  key: ArchiveKey | undefined
  /** What the part is; an encrypted one opens only as this. */
  purpose: string
  isCompressed: boolean
}

/** Writes a part and waits until it is on the disk. The path must be free. */
export async function writePart(
  path: string,
  content: Readable,
  { key, purpose, isCompressed }: PartForm,
): Promise<StoredPart> {
  const counted = new HashingStream()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const steps = [
    ...(isCompressed ? [createGzip({ level: 4 })] : []),
    ...(key === undefined ? [] : [sealStream(key.master, purpose)]),
    counted,
  ]
  await pipeline([content, ...steps, file])
  return { bytes: counted.bytes, sha256: counted.hex() }
}

/** The content of a part. Fails with `BACKUP_DAMAGED` for one that is encrypted and was changed, and for one that is cut off. */
export function readPart(path: string, { key, purpose, isCompressed }: PartForm): Readable {
  const steps = [
    ...(key === undefined ? [] : [openStream(key.master, purpose)]),
    ...(isCompressed ? [createGunzip()] : []),
  ]
  let stream: Readable = createReadStream(path)
  for (const step of steps) {
    const source = stream
    source.on('error', (error) => step.destroy(error))
    step.on('close', () => source.destroy())
    stream = source.pipe(step)
  }
  return stream
}

/** Compares the stored bytes of a part with what is written of it. @throws BackupError `BACKUP_DAMAGED` */
export async function checkPart(path: string, expected: StoredPart): Promise<void> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw new BackupError('BACKUP_DAMAGED', `${path} is missing from the backup.`, { cause: error })
  })
  if (size !== expected.bytes || (await hashOf(createReadStream(path))) !== expected.sha256) {
    throw new BackupError('BACKUP_DAMAGED', `${path} is damaged: it is not what the backup wrote.`)
  }
}

/** SHA-256 of all that a stream gives. */
export async function hashOf(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of content) hash.update(piece)
  return hash.digest('hex')
}

/** Passes bytes on, and knows their SHA-256 and number at the end. */
export class HashingStream extends Transform {
  bytes = 0
  readonly #hash = createHash('sha256')

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: (error: null, piece: Buffer) => void): void {
    this.bytes += piece.length
    this.#hash.update(piece)
    done(null, piece)
  }

  hex(): string {
    return this.#hash.digest('hex')
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Waits until everything below a folder is on the disk. */
export async function syncTree(path: string): Promise<void> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() || entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name))
  }
  await syncFolder(path)
}

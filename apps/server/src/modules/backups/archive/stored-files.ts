import { createHmac, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { StoredContents } from '../../../file-store/file-store.ts'
import type { ArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import { HashingStream, hashOf, readPart, syncFolder, writePart } from './parts.ts'

/** A print file or picture, by its content. */
export interface StoredFile {
  sha256: string
  bytes: number
}

const hashForm = /^[0-9a-f]{64}$/

/**
 * The files of the backups of one folder, each content once. Encrypted ones have a folder per key, and names that tell nothing of
 * their content.
 */
export class FileArchive {
  readonly #folder: string
  readonly #key: ArchiveKey | undefined

  constructor(folder: string, key: ArchiveKey | undefined) {
    this.#folder = join(folder, key === undefined ? 'files' : `files-${key.id}`)
    this.#key = key
  }

  get isEncrypted(): boolean {
    return this.#key !== undefined
  }

  nameOf(sha256: string): string {
    if (this.#key === undefined) return sha256
    return createHmac('sha256', this.#key.master).update(`printyard backup: name of ${sha256}`).digest('hex')
  }

  pathOf(sha256: string): string {
    const name = this.nameOf(sha256)
    return join(this.#folder, name.slice(0, 2), name)
  }

  #formOf(sha256: string) {
    return { key: this.#key, purpose: `file ${sha256}`, isCompressed: false }
  }

  async has(sha256: string): Promise<boolean> {
    return (await stat(this.pathOf(sha256)).catch(() => undefined)) !== undefined
  }

  /**
   * Copies a stored content. It appears whole or not at all.
   *
   * @returns what it took on the disk; undefined when it is gone or is not what its hash says.
   */
  async copyFrom(contents: StoredContents, sha256: string): Promise<{ storedBytes: number } | undefined> {
    if ((await contents.sizeOf(sha256)) === undefined) return undefined
    const path = this.pathOf(sha256)
    const draft = `${path}.${randomUUID()}.draft`
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const { content: reading } = await contents.read(sha256)
    const content = new HashingStream()
    reading.on('error', (error) => content.destroy(error))
    try {
      const { bytes } = await writePart(draft, reading.pipe(content), this.#formOf(sha256))
      if (content.hex() !== sha256) return undefined
      await rename(draft, path)
      await syncFolder(dirname(path))
      return { storedBytes: bytes }
    } finally {
      reading.destroy()
      await rm(draft, { force: true })
    }
  }

  /** The content of a file. */
  read(sha256: string): Readable {
    return readPart(this.pathOf(sha256), this.#formOf(sha256))
  }

  /** @throws BackupError `BACKUP_DAMAGED` when a file is missing, or its content is not what its hash says. */
  async check({ sha256 }: StoredFile): Promise<void> {
    const path = this.pathOf(sha256)
    let found: string
    try {
      found = await hashOf(this.read(sha256))
    } catch (error) {
      if (error instanceof BackupError) throw error
      throw new BackupError('BACKUP_DAMAGED', `The file ${path} of the backup cannot be read.`, { cause: error })
    }
    if (found !== sha256) throw new BackupError('BACKUP_DAMAGED', `The file ${path} of the backup is damaged.`)
  }

  /** Removes what no backup needs any more, and what a killed backup left. */
  async removeOthers(needed: ReadonlySet<string>): Promise<number> {
    let removed = 0
    for (const folder of await readdir(this.#folder).catch(() => [])) {
      for (const name of await readdir(join(this.#folder, folder))) {
        if (needed.has(name)) continue
        await rm(join(this.#folder, folder, name), { force: true })
        removed += 1
      }
    }
    return removed
  }
}

/** The list of the files of a backup, a line each, as bytes. */
export function writeList(files: Iterable<StoredFile>): Readable {
  function* lines() {
    for (const { sha256, bytes } of files) yield Buffer.from(`${sha256} ${bytes}\n`)
  }
  return Readable.from(lines())
}

/** @throws BackupError `BACKUP_DAMAGED` */
export async function* readList(content: Readable): AsyncGenerator<StoredFile> {
  const lines = createInterface({ input: content })
  for await (const line of lines) {
    const [sha256 = '', bytes = ''] = line.split(' ')
    if (!hashForm.test(sha256) || !/^\d+$/.test(bytes)) {
      throw new BackupError('BACKUP_DAMAGED', 'The list of files of the backup is damaged.')
    }
    yield { sha256, bytes: Number(bytes) }
  }
}

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { ArchiveKey } from './archive-key.ts'
import { BackupError } from './backup-error.ts'
import { readPart, writePart } from './parts.ts'

const count = Type.Integer({ minimum: 0 })
const hex64 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const name = Type.String({ pattern: '^[a-z0-9_]{1,63}$' })

/** What a backup holds. Its form grows by optional fields; any other change takes a new number. */
export const Manifest = Type.Object({
  format: Type.Literal(1),
  installation: Type.String({ format: 'uuid' }),
  /** Time when the snapshot was taken: the backup is the installation of this moment. */
  taken_at: Type.String({ format: 'date-time' }),
  printyard_version: Type.String(),
  postgres_version: Type.String(),
  migrations: Type.Array(Type.Object({ number: count, file: Type.String(), checksum: hex64 })),
  tables: Type.Array(
    Type.Object({
      name,
      columns: Type.Array(name),
      rows: count,
      /** Digest of the rows in any order. */
      digest: hex64,
      bytes: count,
      /** SHA-256 of the stored part. */
      sha256: hex64,
    }),
  ),
  sequences: Type.Array(
    Type.Object({ name, last_value: Type.Union([Type.String({ pattern: '^-?\\d+$' }), Type.Null()]) }),
  ),
  files: Type.Object({
    count,
    /** Bytes of their content, before encryption. */
    total_bytes: count,
    /** The list of them, a part of its own. */
    bytes: count,
    sha256: hex64,
  }),
  /** Files of which the database knows and which were not there, or not as their hash says, when the backup was made. */
  missing_files: Type.Array(hex64),
  /** Tell the secret keys that open what this backup holds; nothing of a key follows from its fingerprint. */
  secret_key_fingerprints: Type.Array(Type.String({ pattern: '^[0-9a-f]{32}$' })),
})

export type Manifest = Static<typeof Manifest>

const plainName = 'manifest.json'
const sealedName = 'manifest.sealed'

const sumName = (file: string) => `${file}.sha256`

/** Writes the manifest: the last part of a backup. */
export async function writeManifest(folder: string, manifest: Manifest, key: ArchiveKey | undefined): Promise<void> {
  const file = key === undefined ? plainName : sealedName
  const text = Readable.from([Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)])
  const { sha256 } = await writePart(join(folder, file), text, { key, purpose: 'manifest', isCompressed: false })
  const sum = Readable.from([Buffer.from(`${sha256}  ${file}${key === undefined ? '' : `  key ${key.id}`}\n`)])
  await writePart(join(folder, sumName(file)), sum, { key: undefined, purpose: '', isCompressed: false })
}

/** The backup in a folder, and the key that encrypted it, if one did; undefined where there is none. */
export async function findManifest(folder: string): Promise<{ sealedBy: string | undefined } | undefined> {
  for (const file of [plainName, sealedName]) {
    const text = await readFile(join(folder, sumName(file)), 'utf8').catch(() => undefined)
    if (text !== undefined) return { sealedBy: /key ([0-9a-f]{12})/.exec(text)?.[1] }
  }
  return undefined
}

/** @throws BackupError `BACKUP_DAMAGED`, `BACKUP_TOO_NEW` */
export async function readManifest(folder: string, key: ArchiveKey | undefined): Promise<Manifest> {
  const file = key === undefined ? plainName : sealedName
  const path = join(folder, file)
  const stored = await readFile(path).catch((error: unknown) => {
    throw new BackupError('BACKUP_DAMAGED', `${path} cannot be read.`, { cause: error })
  })
  const sum = await readFile(join(folder, sumName(file)), 'utf8')
  if (!sum.startsWith(createHash('sha256').update(stored).digest('hex'))) {
    throw new BackupError('BACKUP_DAMAGED', `${path} is damaged: it is not what the backup wrote.`)
  }
  const text = await buffer(readPart(path, { key, purpose: 'manifest', isCompressed: false }))
  const value: unknown = JSON.parse(text.toString('utf8'))
  if (Value.Check(Manifest, value)) return value
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined
  if (format !== undefined && format !== 1) {
    const words = `${folder} was made by a newer Printyard (format ${String(format)}). Restore it with that version.`
    throw new BackupError('BACKUP_TOO_NEW', words)
  }
  throw new BackupError('BACKUP_DAMAGED', `${path} is damaged: it does not have the form of a manifest.`)
}

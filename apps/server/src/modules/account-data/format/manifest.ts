import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import { AccountDataError } from './account-data-error.ts'

const count = Type.Integer({ minimum: 0 })
const hex64 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const name = Type.String({ pattern: '^[a-z0-9_]{1,63}$' })

/**
 * The version of the format. Kinds and columns may be added under the same number: a reader refuses those that it does not know, so that
 * nothing is lost unseen. Any other change takes a new number.
 */
export const formatVersion = 1

const ExportManifest = Type.Object({
  format: Type.Literal('printyard-account-export'),
  format_version: Type.Integer({ minimum: 1 }),
  printyard_version: Type.String(),
  /** Time when the snapshot was taken: the export is the account of this moment. */
  taken_at: Type.String({ format: 'date-time' }),
  account: Type.Object({ id: Type.String({ pattern: '^acc_[0-9a-z]{26}$' }), name: Type.String() }),
  /** SHA-256 over all kinds and files: two exports with the same content have the same. */
  content_id: hex64,
  /** In the order in which they can be loaded. */
  kinds: Type.Array(
    Type.Object({
      kind: name,
      path: Type.String({ pattern: '^data/[a-z0-9_]+\\.jsonl$' }),
      columns: Type.Array(name, { minItems: 1 }),
      rows: count,
      bytes: count,
      sha256: hex64,
    }),
  ),
  /** For people alone: an import reads none of it. */
  spreadsheets: Type.Array(
    Type.Object({ path: Type.String(), about: Type.String(), rows: count, bytes: count, sha256: hex64 }),
  ),
  /** Each content lies once at `files/AB/SHA256`, where AB are its first two digits. */
  files: Type.Object({ count, bytes: count, sha256s: Type.Array(hex64) }),
  /** Files that rows name and whose content was not there, or not as its hash says. */
  missing_files: Type.Array(hex64),
  secrets: Type.String(),
  left_out: Type.Record(Type.String(), Type.String()),
})

export type ExportManifest = Static<typeof ExportManifest>

/** A kind of rows as the manifest lists it. */
export type ExportedKind = ExportManifest['kinds'][number]

export const manifestName = 'manifest.json'

/** Names every part with its SHA-256, in the form that `sha256sum --check` reads. */
export const sumsName = 'SHA256SUMS'

export function contentIdOf(kinds: readonly Pick<ExportedKind, 'kind' | 'sha256'>[], files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const { kind, sha256 } of kinds) hash.update(`${kind} ${sha256}\n`)
  for (const sha256 of files.toSorted()) hash.update(`file ${sha256}\n`)
  return hash.digest('hex')
}

/** The manifest of the export in a folder. @throws AccountDataError `EXPORT_NOT_FOUND`, `EXPORT_DAMAGED`, `EXPORT_TOO_NEW` */
export async function readManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, manifestName)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new AccountDataError('EXPORT_NOT_FOUND', `${folder} is not an export of Printyard: ${error.message}.`, {
      cause: error,
    })
  })
  const manifest = parse(bytes)
  if (typeof manifest?.format_version === 'number' && manifest.format_version > formatVersion) {
    const words = `${folder} has version ${manifest.format_version} of the export format; this Printyard knows up to ${formatVersion}. Import it with a newer one.`
    throw new AccountDataError('EXPORT_TOO_NEW', words)
  }
  const sums = await readFile(join(folder, sumsName), 'utf8').catch(() => '')
  const expected = new RegExp(`^([0-9a-f]{64}) {2}${manifestName}$`, 'm').exec(sums)?.[1]
  const isWhole = expected === createHash('sha256').update(bytes).digest('hex')
  if (!isWhole || !Value.Check(ExportManifest, manifest)) {
    throw new AccountDataError('EXPORT_DAMAGED', `${path} is damaged: it is not what the export wrote.`)
  }
  return manifest
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

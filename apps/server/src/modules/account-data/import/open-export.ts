import { createReadStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { checkPart, hashOf } from '../../backups/archive/parts.ts'
import { AccountDataError } from '../format/account-data-error.ts'
import { kinds } from '../format/kinds.ts'
import { type ExportManifest, readManifest } from '../format/manifest.ts'
import { unpackArchive } from './unpack-archive.ts'

/** An export that was found to be whole. */
interface OpenedExport {
  folder: string
  manifest: ExportManifest
  /** Removes what was unpacked for it. */
  close(): Promise<void>
}

/**
 * Opens the export in a folder or a `.tar.gz`, and compares every part and file with its hash.
 *
 * @throws AccountDataError `EXPORT_NOT_FOUND`, `EXPORT_DAMAGED`, `EXPORT_TOO_NEW`
 */
export async function openExport(from: string): Promise<OpenedExport> {
  const path = resolve(from)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new AccountDataError('EXPORT_NOT_FOUND', `${path} cannot be read: ${error.message}.`, { cause: error })
  })
  const folder = found.isDirectory() ? path : await mkdtemp(join(dirname(path), '.import-'))
  const close = async () => {
    if (folder !== path) await rm(folder, { recursive: true, force: true })
  }
  try {
    if (folder !== path) await unpackArchive(path, folder)
    const manifest = await readManifest(folder)
    requireKnown(manifest)
    for (const kind of manifest.kinds) await checkKind(folder, kind)
    for (const sha256 of manifest.files.sha256s) await checkFile(folder, sha256)
    return { folder, manifest, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What this version would lose is not imported. */
function requireKnown({ kinds: exported, printyard_version: version }: ExportManifest): void {
  const unknown = exported.flatMap(({ kind, columns }) => {
    const known = kinds.find(({ name }) => name === kind)
    if (known === undefined) return [kind]
    return columns.filter((column) => !known.columns.includes(column)).map((column) => `${kind}.${column}`)
  })
  if (unknown.length === 0) return
  const words = `The export is of Printyard ${version} and holds what this version does not know: ${unknown.join(', ')}. Import it with that version or a newer one.`
  throw new AccountDataError('EXPORT_TOO_NEW', words)
}

async function checkKind(folder: string, kind: ExportManifest['kinds'][number]): Promise<void> {
  const path = join(folder, kind.path)
  try {
    await checkPart(path, kind)
  } catch (error) {
    const words = `${path} is damaged or was changed: it is not what the export wrote.`
    throw new AccountDataError('EXPORT_DAMAGED', words, { cause: error })
  }
}

async function checkFile(folder: string, sha256: string): Promise<void> {
  const path = join(folder, 'files', sha256.slice(0, 2), sha256)
  const found = await hashOf(createReadStream(path)).catch((error: Error) => {
    throw new AccountDataError('EXPORT_DAMAGED', `${path} cannot be read: ${error.message}.`, { cause: error })
  })
  if (found !== sha256) throw new AccountDataError('EXPORT_DAMAGED', `${path} is damaged: its content is another.`)
}

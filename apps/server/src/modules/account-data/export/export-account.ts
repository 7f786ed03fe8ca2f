import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { StoredContents } from '../../../file-store/file-store.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { hashOf, syncFolder, writePart } from '../../backups/archive/parts.ts'
import { FileArchive } from '../../backups/archive/stored-files.ts'
import { AccountDataError } from '../format/account-data-error.ts'
import { exportedTables } from '../format/exported-tables.ts'
import { kinds } from '../format/kinds.ts'
import { contentIdOf, type ExportManifest, formatVersion, manifestName, sumsName } from '../format/manifest.ts'
import { leftOutTables } from '../format/other-tables.ts'
import { AccountSnapshot } from './account-snapshot.ts'
import { packFolder } from './pack-folder.ts'
import { asCsv, spreadsheets } from './spreadsheets.ts'

interface ExportRequest {
  target: DatabaseTarget
  accountId: AccountId
  /** The files of the service, by their hash. */
  files: StoredContents
  version: string
  /** A folder that does not exist, or a file that ends in `.tar.gz`. */
  to: string
  /** Told what is written now, such as `orders`, and of files how far it has come. */
  onProgress?: (step: string) => void
}

export interface MadeExport {
  path: string
  manifest: ExportManifest
  rows: number
}

/** How an export is written: no key, and parts that any program reads. */
const plain = { key: undefined, purpose: '', isCompressed: false }

const secretsNote =
  'None. Passwords, API keys, tokens of hubs, credentials of printers, addresses of webhooks and settings of notification channels are not in this export.'

/**
 * Exports all of an account, beside the running service or without it: rows as JSON Lines, spreadsheets for people, and each file once. It
 * is of one moment, and appears whole or not at all.
 *
 * @throws AccountDataError
 */
export async function exportAccount(request: ExportRequest): Promise<MadeExport> {
  const path = resolve(request.to)
  await requireFree(path)
  const draft = join(dirname(path), `.export-${randomUUID()}.draft`)
  try {
    await mkdir(join(draft, 'data'), { recursive: true, mode: 0o700 })
    await mkdir(join(draft, 'spreadsheets'), { mode: 0o700 })
    const manifest = await writeAll(request, draft)
    if (/\.tar\.gz$/i.test(path)) await packFolder(draft, path, `${draft}.tar`)
    else await rename(draft, path)
    await syncFolder(dirname(path))
    return { path, manifest, rows: manifest.kinds.reduce((sum, { rows }) => sum + rows, 0) }
  } catch (error) {
    throw asTargetError(path, error)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function requireFree(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) return
  throw new AccountDataError(
    'EXPORT_TARGET_EXISTS',
    `${path} exists already. Choose a new name: nothing is overwritten.`,
  )
}

async function writeAll(
  { target, accountId, files: contents, version, onProgress = () => undefined }: ExportRequest,
  folder: string,
): Promise<ExportManifest> {
  const snapshot = await AccountSnapshot.open(target, accountId)
  const written: ExportManifest['kinds'] = []
  const sheets: ExportManifest['spreadsheets'] = []
  let about: { name: string; taken_at: string }
  let hashes: string[]
  try {
    about = await snapshot.describe()
    for (const { name, columns } of kinds) {
      onProgress(name.replaceAll('_', ' '))
      const path = `data/${name}.jsonl`
      let rows = 0
      const lines = snapshot.readKind(name, () => {
        rows += 1
      })
      const part = await writePart(join(folder, path), lines, plain)
      written.push({ kind: name, path, columns: [...columns], rows, ...part })
    }
    for (const sheet of spreadsheets) {
      onProgress(`${sheet.name}.csv`)
      const path = `spreadsheets/${sheet.name}.csv`
      let rows = 0
      const text = asCsv(sheet, snapshot.readRows(sheet.statement), () => {
        rows += 1
      })
      const part = await writePart(join(folder, path), text, plain)
      sheets.push({ path, about: sheet.about, rows, ...part })
    }
    hashes = await snapshot.listFiles()
  } finally {
    await snapshot.close()
  }
  const files = await copyFiles(hashes, contents, folder, onProgress)
  const manifest: ExportManifest = {
    format: 'printyard-account-export',
    format_version: formatVersion,
    printyard_version: version,
    taken_at: about.taken_at,
    account: { id: accountId, name: about.name },
    content_id: contentIdOf(written, files.copied),
    kinds: written,
    spreadsheets: sheets,
    files: { count: files.copied.length, bytes: files.bytes, sha256s: files.copied },
    missing_files: files.missing,
    secrets: secretsNote,
    left_out: listLeftOut(),
  }
  await writeManifest(folder, manifest)
  return manifest
}

/** Copies each file once, and compares it with its hash on the way. */
async function copyFiles(
  hashes: readonly string[],
  contents: StoredContents,
  folder: string,
  onProgress: (step: string) => void,
) {
  const archive = new FileArchive(folder, undefined)
  const copied: string[] = []
  const missing: string[] = []
  let bytes = 0
  for (const [index, sha256] of hashes.entries()) {
    if (index % 100 === 0) onProgress(`files, ${index} of ${hashes.length}`)
    const added = await archive.copyFrom(contents, sha256)
    if (added === undefined) missing.push(sha256)
    else {
      copied.push(sha256)
      bytes += added.storedBytes
    }
  }
  return { copied, missing, bytes }
}

/** What of the account is not in an export, and why. */
function listLeftOut(): Record<string, string> {
  const columns = exportedTables.flatMap(({ name, without }) =>
    (without.secret ?? []).map((column) => [`${name}.${column}`, 'A credential, or the key or hash of one.']),
  )
  return { ...leftOutTables, ...Object.fromEntries(columns) }
}

async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)
  const sums = [
    `${await hashOf(single(bytes))}  ${manifestName}`,
    ...[...manifest.kinds, ...manifest.spreadsheets].map(({ path, sha256 }) => `${sha256}  ${path}`),
    ...manifest.files.sha256s.map((sha256) => `${sha256}  files/${sha256.slice(0, 2)}/${sha256}`),
  ]
  await writeFile(join(folder, sumsName), `${sums.join('\n')}\n`, { mode: 0o600, flush: true })
  await writeFile(join(folder, manifestName), bytes, { mode: 0o600, flush: true })
  await syncFolder(folder)
}

async function* single(bytes: Buffer) {
  yield bytes
}

/** A failed write as an error that says what to do. */
function asTargetError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return unusable(`No space is left for ${path}. Free some space, or choose a larger disk.`, error)
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return unusable(`${path} cannot be written: ${error.message}.`, error)
    default:
      return error
  }
}

function unusable(message: string, cause: Error): AccountDataError {
  return new AccountDataError('EXPORT_TARGET_UNUSABLE', message, { cause })
}

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseTarget } from '../../../db/database.ts'
import type { AccountId } from '../../../kernel/ids.ts'
import { hashOf, writePart } from '../../backups/archive/parts.ts'
import { exportedTables } from '../format/exported-tables.ts'
import { kinds } from '../format/kinds.ts'
import { contentIdOf, type ExportManifest, formatVersion, manifestName, sumsName } from '../format/manifest.ts'
import { leftOutTables } from '../format/other-tables.ts'
import { AccountSnapshot } from './account-snapshot.ts'
import type { ExportSink } from './export-sink.ts'
import { asCsv, spreadsheets } from './spreadsheets.ts'

export interface ExportSource {
  target: DatabaseTarget
  accountId: AccountId
  version: string
  /** Told what is written now, such as `orders`, and how far that has come. */
  onProgress?: (step: string) => void
}

/** Form of an export: no key, and parts that any program reads. */
const plain = { key: undefined, purpose: '', isCompressed: false }

/** Number of rows that go by between two words of how many there were. */
const rowsPerWord = 1_000

const secretsNote =
  'None. Passwords, API keys, tokens of hubs, credentials of printers, addresses of webhooks and settings of notification channels are not in this export.'

/** Writes all of an account: rows as they were at one moment, spreadsheets of them, and the content of each file once. */
export async function writeExport(source: ExportSource, draft: string, sink: ExportSink): Promise<ExportManifest> {
  await mkdir(join(draft, 'data'), { recursive: true, mode: 0o700 })
  await mkdir(join(draft, 'spreadsheets'), { mode: 0o700 })
  const rows = await writeRows(source, draft, sink)
  const files = await copyFiles(rows.hashes, sink, source.onProgress)
  const manifest: ExportManifest = {
    format: 'printyard-account-export',
    format_version: formatVersion,
    printyard_version: source.version,
    taken_at: rows.takenAt,
    account: { id: source.accountId, name: rows.accountName },
    content_id: contentIdOf(rows.kinds, files.copied),
    kinds: rows.kinds,
    spreadsheets: rows.sheets,
    files: { count: files.copied.length, bytes: files.bytes, sha256s: files.copied },
    missing_files: files.missing,
    secrets: secretsNote,
    left_out: listLeftOut(),
  }
  await writeManifest(draft, manifest)
  await sink.finish()
  return manifest
}

async function writeRows(
  { target, accountId, onProgress = () => undefined }: ExportSource,
  draft: string,
  sink: ExportSink,
) {
  const snapshot = await AccountSnapshot.open(target, accountId)
  const written: ExportManifest['kinds'] = []
  const sheets: ExportManifest['spreadsheets'] = []
  try {
    const { name: accountName, taken_at: takenAt } = await snapshot.describe()
    for (const { name, columns } of kinds) {
      onProgress(name.replaceAll('_', ' '))
      const path = `data/${name}.jsonl`
      let rows = 0
      const lines = snapshot.readKind(name, () => {
        rows += 1
        if (rows % rowsPerWord === 0) onProgress(`${name.replaceAll('_', ' ')}, ${rows} rows`)
      })
      const part = await writePart(join(draft, path), lines, plain)
      written.push({ kind: name, path, columns: [...columns], rows, ...part })
      sink.addPart(path)
    }
    for (const sheet of spreadsheets) {
      onProgress(`${sheet.name}.csv`)
      const path = `spreadsheets/${sheet.name}.csv`
      let rows = 0
      const text = asCsv(sheet, snapshot.readRows(sheet.statement), () => {
        rows += 1
      })
      const part = await writePart(join(draft, path), text, plain)
      sheets.push({ path, about: sheet.about, rows, ...part })
      sink.addPart(path)
    }
    return { accountName, takenAt, kinds: written, sheets, hashes: await snapshot.listFiles() }
  } finally {
    await snapshot.close()
  }
}

/** Copies each file once, and compares it with its hash on the way. */
async function copyFiles(
  hashes: readonly string[],
  sink: ExportSink,
  onProgress: (step: string) => void = () => undefined,
) {
  const copied: string[] = []
  const missing: string[] = []
  let bytes = 0
  for (const [index, sha256] of hashes.entries()) {
    if (index % 100 === 0) onProgress(`files, ${index} of ${hashes.length}`)
    const added = await sink.addFile(sha256)
    if (added === undefined) missing.push(sha256)
    else {
      copied.push(sha256)
      bytes += added.bytes
    }
  }
  return { copied, missing, bytes }
}

/** Answers what of the account is not in an export, and why. */
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
}

async function* single(bytes: Buffer) {
  yield bytes
}

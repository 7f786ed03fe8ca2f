import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { StoredContents } from '../../../file-store/file-store.ts'
import { syncFolder } from '../../backups/archive/parts.ts'
import { AccountDataError } from '../format/account-data-error.ts'
import type { ExportManifest } from '../format/manifest.ts'
import { ArchiveSink } from './archive-sink.ts'
import { folderSink } from './folder-sink.ts'
import { type ExportSource, writeExport } from './write-export.ts'

interface ExportRequest extends ExportSource {
  /** The files of the service, by their hash. */
  files: StoredContents
}

export interface MadeExport {
  path: string
  manifest: ExportManifest
  rows: number
}

/**
 * Exports all of an account, beside the running service or without it: rows as JSON Lines, spreadsheets for people, and each file once. It
 * is of one moment, and appears whole or not at all.
 *
 * @param request.to A folder that does not exist, or a file that ends in `.tar.gz`
 * @throws AccountDataError
 */
export async function exportAccount({ to, ...request }: ExportRequest & { to: string }): Promise<MadeExport> {
  const path = resolve(to)
  await requireFree(path)
  const draft = join(dirname(path), `.export-${randomUUID()}.draft`)
  try {
    const manifest = /\.tar\.gz$/i.test(path)
      ? await writeArchive(request, draft, path)
      : await writeFolder(request, draft, path)
    await syncFolder(dirname(path))
    return { path, manifest, rows: manifest.kinds.reduce((sum, { rows }) => sum + rows, 0) }
  } catch (error) {
    throw asTargetError(path, error)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Writes an export as one `.tar.gz` to a stream, and ends it. A stream that is broken off holds no manifest, so that no one takes it for
 * whole.
 *
 * @param draft A folder that does not exist, for rows on their way. The caller removes it
 */
export async function streamExport(request: ExportRequest, draft: string, to: Writable): Promise<ExportManifest> {
  const zipped = createGzip({ level: 6 })
  const written = pipeline(zipped, to)
  // Told below: what takes the bytes may fail long before the next ones are written.
  written.catch(() => undefined)
  try {
    const manifest = await writeExport(request, draft, new ArchiveSink(draft, request.files, zipped))
    zipped.end()
    await written
    return manifest
  } catch (error) {
    zipped.destroy(error instanceof Error ? error : new Error(String(error)))
    // Rejects with what failed first: the export itself, or what takes it, such as a full disk.
    await written
    throw error
  }
}

async function writeFolder(request: ExportRequest, draft: string, path: string): Promise<ExportManifest> {
  const manifest = await writeExport(request, draft, folderSink(draft, request.files))
  await rename(draft, path)
  return manifest
}

async function writeArchive(request: ExportRequest, draft: string, path: string): Promise<ExportManifest> {
  const archive = `${draft}.tar`
  try {
    const file = createWriteStream(archive, { flags: 'wx', mode: 0o600, flush: true })
    const manifest = await streamExport(request, draft, file)
    await rename(archive, path)
    return manifest
  } finally {
    await rm(archive, { force: true })
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

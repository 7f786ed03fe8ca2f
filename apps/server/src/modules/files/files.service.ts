import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { ReceivedFile } from '../../file-store/file-store.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import { type AccountId, newId, type PrintFileId, type ProductId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import { type Work, workOf } from '../events/work.ts'
import { requireRoom } from '../quotas/quotas.service.ts'
import { lockContent, removeUnreferenced } from './content-references.ts'
import {
  clearCurrentVersion,
  countRecipesInUse,
  countUnfinishedJobs,
  findFile,
  findTwin,
  holdProduct,
  insertFile,
  insertVersion,
  listContentOfFile,
  listVersions,
  lockFile,
  setCurrentVersion,
  setNumberOfUnits,
  updateFile,
} from './files.queries.ts'
import { presentFileDetail } from './files.schema.ts'
import { readFolder } from './folder-path.ts'
import type { PrintFileReader } from './print-file-reader.ts'
import { emptyUpload, findUpload, type UploadRow, useUpload } from './uploads.queries.ts'
import { tokenOf } from './uploads.service.ts'
import type { FileReading } from './version-facts.ts'

/** Most versions of one file. */
const maxVersions = 100

const maxThumbnailBytes = 5 * 1024 * 1024

type Received = UploadRow & { sha256: string; size_bytes: number }

/** An upload that was read and is a print file, with its picture at hand. Discard it in the end, used or not. */
export interface PreparedVersion {
  upload: Received
  reading: FileReading
  thumbnail: ReceivedFile | undefined
}

/**
 * Reads an upload, which may take long and so happens outside of any transaction. Bytes that are no print file are
 * removed, and the upload address may be filled again.
 */
export async function prepareVersion(
  context: Context,
  reader: PrintFileReader,
  actor: Actor,
  input: { upload_token?: string; storage_key?: string; plate?: number },
): Promise<PreparedVersion> {
  const upload = await getReceived(context, actor, tokenOf(input))
  const reading = await context.files
    .withLocalCopy(upload.sha256, (path) => reader.read({ accountId: actor.accountId, path, plate: input.plate }))
    .catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'INVALID_FILE') {
        await emptyUpload(context.db.sql, actor.accountId, upload.id, upload.sha256)
        await removeUnreferenced(context, [upload.sha256])
      }
      throw error
    })
  const thumbnail =
    reading.thumbnail === null
      ? undefined
      : await context.files.receive(Readable.from([reading.thumbnail.bytes]), { maxBytes: maxThumbnailBytes })
  return { upload, reading, thumbnail }
}

async function getReceived(context: Context, actor: Actor, token: string): Promise<Received> {
  const upload = await findUpload(context.db.sql, actor.accountId, hashSecret(token))
  const refuse = (why: string) => new AppError('FILE_NOT_UPLOADED', { why })
  if (!upload) throw refuse('it is unknown')
  if (upload.state === 'used') throw refuse('it was used already')
  if (upload.expires_at <= context.clock.now()) throw refuse('it has expired')
  if (upload.sha256 === null || upload.size_bytes === null) throw refuse('no file was sent to its address')
  return { ...upload, sha256: upload.sha256, size_bytes: upload.size_bytes }
}

interface NewFileInput {
  name?: string
  product_id?: ProductId
  number_of_units?: number
  notes?: string
  folder?: string
}

export async function addFile(context: Context, work: Work, prepared: PreparedVersion, input: NewFileInput) {
  await requireRoom(context, work.sql, work.accountId, 'files')
  const id = prepared.upload.file_id ?? newId('printFile', work.now.getTime())
  const name = input.name ?? prepared.upload.file_name
  await requireProduct(work, input.product_id)
  await claimUpload(work, prepared)
  await insertFile(work, { id, name, product_id: input.product_id ?? null, folder: readFolder(input.folder ?? '') })
  await takeVersion(work, prepared, {
    print_file_id: id,
    version_number: 1,
    is_current_version: true,
    notes: input.notes ?? '',
    number_of_units: input.number_of_units ?? 1,
  })
  await work.record({ type: 'file.created', subjectId: id, data: { name } })
  return getFileDetail(work.sql, work.accountId, id)
}

/** Adds a version, which new jobs print from now on unless `isCurrent` is false; jobs that exist keep theirs. */
export async function addVersion(
  work: Work,
  fileId: PrintFileId,
  prepared: PreparedVersion,
  { notes, isCurrent }: { notes: string; isCurrent: boolean },
) {
  const { sql, accountId } = work
  if (!(await lockFile(sql, accountId, fileId))) throw notFound('file')
  const { file, newest } = await requireRoomForVersion(sql, accountId, fileId)
  await claimUpload(work, prepared)
  if (isCurrent) await clearCurrentVersion(work, fileId)
  await takeVersion(work, prepared, {
    print_file_id: fileId,
    version_number: newest + 1,
    is_current_version: isCurrent,
    notes,
    number_of_units: file.number_of_units,
  })
  await updateFile(work, fileId, {})
  await work.record({ type: 'file.version_added', subjectId: fileId, data: { version_number: newest + 1 } })
  return getFileDetail(sql, accountId, fileId)
}

/** Refuses before anything slow is done for a version that could not be added. */
export async function requireRoomForVersion(sql: Sql, accountId: AccountId, fileId: PrintFileId) {
  const file = await findFile(sql, accountId, fileId)
  if (!file) throw notFound('file')
  const versions = await listVersions(sql, accountId, fileId)
  if (versions.length >= maxVersions) throw new AppError('MAX_VERSIONS_REACHED', { limit: maxVersions })
  return { file, newest: versions[0]?.version_number ?? 0 }
}

interface VersionPlace {
  print_file_id: PrintFileId
  version_number: number
  is_current_version: boolean
  notes: string
  number_of_units: number
}

/** Claims an upload: of two requests with one the second waits here for the first, and is refused. */
async function claimUpload({ sql, accountId }: Work, { upload }: PreparedVersion): Promise<void> {
  if (await useUpload(sql, accountId, upload.id, upload.sha256)) return
  throw new AppError('FILE_NOT_UPLOADED', { why: 'it was used or replaced meanwhile' })
}

async function takeVersion(
  work: Work,
  { upload, reading, thumbnail }: PreparedVersion,
  place: VersionPlace,
): Promise<void> {
  if (thumbnail) {
    await lockContent(work.sql, thumbnail.sha256)
    await thumbnail.keep()
  }
  await insertVersion(
    work,
    {
      ...place,
      ...reading.facts,
      id: newId('fileVersion', work.now.getTime()),
      original_name: upload.file_name,
      sha256: upload.sha256,
      file_size_bytes: upload.size_bytes,
      thumbnail_sha256: thumbnail?.sha256 ?? null,
      thumbnail_mime: reading.thumbnail?.mime ?? null,
    },
    reading.metadataJson,
  )
}

export async function getFileDetail(sql: Sql, accountId: AccountId, fileId: PrintFileId) {
  const file = await findFile(sql, accountId, fileId)
  if (!file) throw notFound('file')
  return presentFileDetail(file, await listVersions(sql, accountId, fileId), await findTwin(sql, accountId, fileId))
}

export interface FileChanges {
  name?: string
  product_id?: ProductId | null
  number_of_units?: number
  tags?: string[]
  folder?: string
}

export async function changeFile(
  context: Context,
  actor: Actor,
  fileId: PrintFileId,
  asked: FileChanges,
  begin: Database['begin'],
) {
  const changes = asked.folder === undefined ? asked : { ...asked, folder: readFolder(asked.folder) }
  const { number_of_units, ...columns } = changes
  return begin(async (sql) => {
    const work = workOf(context, actor, sql)
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    const before = await getFileDetail(sql, actor.accountId, fileId)
    const fields = changedFields(before, changes)
    if (fields.length === 0) return before
    await requireProduct(work, changes.product_id ?? undefined)
    await updateFile(work, fileId, columns)
    if (number_of_units !== undefined) await setNumberOfUnits(work, fileId, number_of_units)
    await work.record({ type: 'file.updated', subjectId: fileId, data: { fields, ...changes } })
    return getFileDetail(sql, actor.accountId, fileId)
  })
}

/** Makes new jobs print this version; jobs that exist keep theirs. */
export async function selectVersion(
  context: Context,
  actor: Actor,
  fileId: PrintFileId,
  versionNumber: number,
  begin: Database['begin'],
) {
  return begin(async (sql) => {
    const work = workOf(context, actor, sql)
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    const before = await getFileDetail(sql, actor.accountId, fileId)
    if (before.versions.some((version) => version.is_current_version && version.version_number === versionNumber)) {
      return before
    }
    await clearCurrentVersion(work, fileId)
    if (!(await setCurrentVersion(work, fileId, versionNumber))) throw notFound('version')
    await updateFile(work, fileId, {})
    await work.record({ type: 'file.version_selected', subjectId: fileId, data: { version_number: versionNumber } })
    return getFileDetail(sql, actor.accountId, fileId)
  })
}

/**
 * Deletes a file and its bytes, unless others need the same bytes. The row stays, for the jobs that printed it; a file
 * that a job is still to print, or by which new jobs are made, is refused.
 */
export async function deleteFile(context: Context, actor: Actor, fileId: PrintFileId): Promise<void> {
  const content = await context.db.beginFor(actor.accountId, async (sql) => {
    const work = workOf(context, actor, sql)
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    const jobs = await countUnfinishedJobs(sql, actor.accountId, fileId)
    if (jobs > 0) {
      const why = jobs === 1 ? 'a job that is not finished prints it' : `${jobs} jobs that are not finished print it`
      throw new AppError('RESOURCE_IN_USE', { resource: 'file', why })
    }
    const recipes = await countRecipesInUse(sql, actor.accountId, fileId)
    if (recipes > 0) {
      const why = recipes === 1 ? 'a recipe that is in use prints it' : `${recipes} recipes that are in use print it`
      throw new AppError('RESOURCE_IN_USE', { resource: 'file', why })
    }
    await updateFile(work, fileId, { deleted_at: work.now })
    await work.record({ type: 'file.deleted', subjectId: fileId, data: {} })
    return listContentOfFile(sql, actor.accountId, fileId)
  })
  await removeUnreferenced(context, content)
}

async function requireProduct({ sql, accountId }: Work, productId: ProductId | undefined): Promise<void> {
  if (productId !== undefined && !(await holdProduct(sql, accountId, productId))) {
    throw new AppError('PRODUCT_NOT_FOUND')
  }
}

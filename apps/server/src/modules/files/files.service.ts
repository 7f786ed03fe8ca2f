import { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Database, Sql } from '../../db/database.ts'
import type { ReceivedFile } from '../../file-store/file-store.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { hashSecret } from '../../kernel/hash-secret.ts'
import { newId } from '../../kernel/ids.ts'
import { changedFields } from '../events/changed-fields.ts'
import { recordEvent } from '../events/events.queries.ts'
import { lockContent, removeUnreferenced } from './content-references.ts'
import {
  clearCurrentVersion,
  countUnfinishedJobs,
  findFile,
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
import type { PrintFileReader } from './print-file-reader.ts'
import { emptyUpload, findUpload, type UploadRow, useUpload } from './uploads.queries.ts'
import { tokenOf } from './uploads.service.ts'
import type { FileReading } from './version-facts.ts'

/** Most versions of one file. */
export const maxVersions = 100

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
  const reading = await reader
    .read({ accountId: actor.accountId, path: context.files.pathOf(upload.sha256), plate: input.plate })
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

export interface NewFileInput {
  name?: string
  product_id?: string
  number_of_units?: number
  notes?: string
}

export async function addFile(
  context: Context,
  sql: Sql,
  actor: Actor,
  prepared: PreparedVersion,
  input: NewFileInput,
) {
  const now = context.clock.now()
  const id = prepared.upload.file_id ?? newId('printFile', now.getTime())
  const name = input.name ?? prepared.upload.file_name
  await requireProduct(sql, actor, input.product_id)
  await claimUpload(sql, actor, prepared)
  await insertFile(sql, actor.accountId, { id, name, product_id: input.product_id ?? null }, now)
  await takeVersion(context, sql, actor, prepared, {
    print_file_id: id,
    version_number: 1,
    is_current_version: true,
    notes: input.notes ?? '',
    number_of_units: input.number_of_units ?? 1,
  })
  await recordEvent(sql, actor.accountId, { type: 'file.added', subjectId: id, data: { name }, actor: actor.label })
  return getFileDetail(sql, actor.accountId, id)
}

/** Adds a version, which new jobs print from now on unless `isCurrent` is false; jobs that exist keep theirs. */
export async function addVersion(
  context: Context,
  sql: Sql,
  actor: Actor,
  fileId: string,
  prepared: PreparedVersion,
  { notes, isCurrent }: { notes: string; isCurrent: boolean },
) {
  if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
  const { file, newest } = await requireRoomForVersion(sql, actor, fileId)
  await claimUpload(sql, actor, prepared)
  if (isCurrent) await clearCurrentVersion(sql, actor.accountId, fileId)
  await takeVersion(context, sql, actor, prepared, {
    print_file_id: fileId,
    version_number: newest + 1,
    is_current_version: isCurrent,
    notes,
    number_of_units: file.number_of_units,
  })
  await updateFile(sql, actor.accountId, fileId, { updated_at: context.clock.now() })
  await recordEvent(sql, actor.accountId, {
    type: 'file.version_added',
    subjectId: fileId,
    data: { version_number: newest + 1 },
    actor: actor.label,
  })
  return getFileDetail(sql, actor.accountId, fileId)
}

/** Refuses before anything slow is done for a version that could not be added. */
export async function requireRoomForVersion(sql: Sql, actor: Actor, fileId: string) {
  const file = await findFile(sql, actor.accountId, fileId)
  if (!file) throw notFound('file')
  const versions = await listVersions(sql, actor.accountId, fileId)
  if (versions.length >= maxVersions) throw new AppError('MAX_VERSIONS_REACHED', { limit: maxVersions })
  return { file, newest: versions[0]?.version_number ?? 0 }
}

interface VersionPlace {
  print_file_id: string
  version_number: number
  is_current_version: boolean
  notes: string
  number_of_units: number
}

/** Of two requests with one upload the second waits here for the first, and is refused. */
async function claimUpload(sql: Sql, actor: Actor, { upload }: PreparedVersion): Promise<void> {
  if (await useUpload(sql, actor.accountId, upload.id, upload.sha256)) return
  throw new AppError('FILE_NOT_UPLOADED', { why: 'it was used or replaced meanwhile' })
}

async function takeVersion(
  context: Context,
  sql: Sql,
  actor: Actor,
  { upload, reading, thumbnail }: PreparedVersion,
  place: VersionPlace,
): Promise<void> {
  if (thumbnail) {
    await lockContent(sql, thumbnail.sha256)
    await thumbnail.keep()
  }
  const now = context.clock.now()
  await insertVersion(
    sql,
    actor.accountId,
    {
      ...place,
      ...reading.facts,
      id: newId('fileVersion', now.getTime()),
      original_name: upload.file_name,
      sha256: upload.sha256,
      file_size_bytes: upload.size_bytes,
      thumbnail_sha256: thumbnail?.sha256 ?? null,
      thumbnail_mime: reading.thumbnail?.mime ?? null,
    },
    reading.metadataJson,
    now,
  )
}

export async function getFileDetail(sql: Sql, accountId: string, fileId: string) {
  const file = await findFile(sql, accountId, fileId)
  if (!file) throw notFound('file')
  return presentFileDetail(file, await listVersions(sql, accountId, fileId))
}

export interface FileChanges {
  name?: string
  product_id?: string | null
  number_of_units?: number
}

export async function changeFile(
  context: Context,
  actor: Actor,
  fileId: string,
  changes: FileChanges,
  begin: Database['begin'],
) {
  const { number_of_units, ...columns } = changes
  return begin(async (sql) => {
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    const before = await getFileDetail(sql, actor.accountId, fileId)
    if (changedFields(before, changes).length === 0) return before
    await requireProduct(sql, actor, changes.product_id ?? undefined)
    await updateFile(sql, actor.accountId, fileId, { ...columns, updated_at: context.clock.now() })
    if (number_of_units !== undefined) await setNumberOfUnits(sql, actor.accountId, fileId, number_of_units)
    await recordEvent(sql, actor.accountId, {
      type: 'file.updated',
      subjectId: fileId,
      data: { ...changes },
      actor: actor.label,
    })
    return getFileDetail(sql, actor.accountId, fileId)
  })
}

/** Makes new jobs print this version; jobs that exist keep theirs. */
export async function selectVersion(
  context: Context,
  actor: Actor,
  fileId: string,
  versionNumber: number,
  begin: Database['begin'],
) {
  return begin(async (sql) => {
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    await clearCurrentVersion(sql, actor.accountId, fileId)
    if (!(await setCurrentVersion(sql, actor.accountId, fileId, versionNumber))) throw notFound('version')
    await updateFile(sql, actor.accountId, fileId, { updated_at: context.clock.now() })
    await recordEvent(sql, actor.accountId, {
      type: 'file.version_selected',
      subjectId: fileId,
      data: { version_number: versionNumber },
      actor: actor.label,
    })
    return getFileDetail(sql, actor.accountId, fileId)
  })
}

/**
 * Deletes a file and its bytes, unless others need the same bytes. The row stays, for the jobs that printed it; a file
 * that a job is still to print is refused.
 */
export async function deleteFile(context: Context, actor: Actor, fileId: string): Promise<void> {
  const content = await context.db.begin(async (sql) => {
    if (!(await lockFile(sql, actor.accountId, fileId))) throw notFound('file')
    const jobs = await countUnfinishedJobs(sql, actor.accountId, fileId)
    if (jobs > 0) {
      const why = jobs === 1 ? 'a job that is not finished prints it' : `${jobs} jobs that are not finished print it`
      throw new AppError('RESOURCE_IN_USE', { resource: 'file', why })
    }
    const now = context.clock.now()
    await updateFile(sql, actor.accountId, fileId, { deleted_at: now, updated_at: now })
    await recordEvent(sql, actor.accountId, { type: 'file.deleted', subjectId: fileId, data: {}, actor: actor.label })
    return listContentOfFile(sql, actor.accountId, fileId)
  })
  await removeUnreferenced(context, content)
}

async function requireProduct(sql: Sql, actor: Actor, productId: string | undefined): Promise<void> {
  if (productId !== undefined && !(await holdProduct(sql, actor.accountId, productId))) {
    throw new AppError('PRODUCT_NOT_FOUND')
  }
}

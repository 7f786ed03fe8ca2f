import type { Readable } from 'node:stream'
import type { Context } from '../../context/context.ts'
import type { Sql } from '../../db/database.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AccountId, PrintFileId } from '../../kernel/ids.ts'
import { type Work, workOf } from '../events/work.ts'
import { findFile } from '../files/files.queries.ts'
import { addFile, addVersion, type PreparedVersion, prepareVersion } from '../files/files.service.ts'
import type { PrintFileReader } from '../files/print-file-reader.ts'
import { createUpload, getOpenUpload, receiveUpload } from '../files/uploads.service.ts'
import { enqueueJob } from '../jobs/jobs.service.ts'
import { askForProduct } from '../jobs/product/name-product.ts'
import { findFileNamed, findOnlyProduct, hasSkus, lockFileName } from './slicers.queries.ts'

const versionNote = 'Sent by a slicer'

/** Takes in the bytes of a file that a slicer sends, as an upload of its own: the token of it. */
export async function receiveFromSlicer(
  context: Context,
  actor: Actor,
  fileName: string,
  content: Readable,
  contentLength?: number,
): Promise<string> {
  const { token } = await createUpload(context, context.db.sql, actor, { filename: fileName })
  await receiveUpload(context, await getOpenUpload(context, token), content, contentLength)
  return token
}

/**
 * Makes what was uploaded a print file, or a new version of the file of that name; the bytes that are its current version
 * already make none. With `print` a job for any printer that fits is queued in the same transaction.
 *
 * @throws AppError `ALREADY_EXISTS` when the file of that name has other bytes and `overwrite` is false
 */
export async function storeFromSlicer(
  context: Context,
  reader: PrintFileReader,
  actor: Actor,
  input: { upload_token: string; print: boolean; plate?: number; overwrite?: boolean },
): Promise<{ fileId: PrintFileId; name: string }> {
  const { print, overwrite = true, ...upload } = input
  const prepared = await prepareVersion(context, reader, actor, upload)
  try {
    const name = prepared.upload.file_name
    const fileId = await context.db.beginFor(actor.accountId, async (sql) => {
      await lockFileName(sql, actor.accountId, name)
      const work = workOf(context, actor, sql)
      const id = await addUnderItsName(context, work, prepared, overwrite)
      if (print) await queueOnePlate(context, work, id)
      return id
    })
    return { fileId, name }
  } finally {
    await prepared.thumbnail?.discard()
  }
}

/** The print file that slicers know by this name. Throws `NOT_FOUND`. */
export async function getFileNamed(sql: Sql, accountId: AccountId, name: string): Promise<PrintFileId> {
  const file = await findFileNamed(sql, accountId, name)
  if (!file) throw new AppError('NOT_FOUND', { resource: 'print file' })
  return file.id
}

/** A slicer chooses a file that it sent before, and with `print` has a plate of it queued. Choosing alone means nothing here. */
export async function selectFromSlicer(context: Context, actor: Actor, name: string, print: boolean): Promise<void> {
  await context.db.beginFor(actor.accountId, async (sql) => {
    const fileId = await getFileNamed(sql, actor.accountId, name)
    if (print) await queueOnePlate(context, workOf(context, actor, sql), fileId)
  })
}

/**
 * What the button of a slicer means: this plate once, with all that is on it. It makes the SKU of the only recipe of the file; else the
 * worklist asks, in accounts that make products.
 */
async function queueOnePlate(context: Context, work: Work, fileId: PrintFileId): Promise<void> {
  const { sql, accountId } = work
  const made = await findOnlyProduct(sql, accountId, fileId)
  if (made) {
    const { units_per_plate: units, ...ids } = made
    await enqueueJob(context, work, { ...ids, number_of_units: units, quantity_per_print: units })
    return
  }
  const file = await findFile(sql, accountId, fileId)
  const units = file?.number_of_units ?? 1
  const plate = { number_of_units: units, quantity_per_print: units }
  const job = await enqueueJob(context, work, { print_file_id: fileId, ...plate })
  if (await hasSkus(sql, accountId)) await askForProduct(work, job)
}

async function addUnderItsName(
  context: Context,
  work: Work,
  prepared: PreparedVersion,
  overwrite: boolean,
): Promise<PrintFileId> {
  const { file_name: name, sha256 } = prepared.upload
  const known = await findFileNamed(work.sql, work.accountId, name)
  if (known === undefined) return (await addFile(context, work, prepared, {})).id
  // The upload that is not used is swept away in time, with its bytes if nothing else has them.
  if (known.sha256 === sha256 && known.archive_plate === prepared.reading.facts.archive_plate) return known.id
  if (!overwrite) throw new AppError('ALREADY_EXISTS', { resource: 'print file of this name' })
  return (await addVersion(work, known.id, prepared, { notes: versionNote, isCurrent: true })).id
}

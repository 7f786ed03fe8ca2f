import type { Sql } from '../../db/database.ts'
import {
  type AccountId,
  type AttemptId,
  type FileVersionId,
  type HubId,
  type JobId,
  newId,
  type PrinterId,
  type PrintFileId,
} from '../../kernel/ids.ts'

/** A file with one sliced version, as small as the tables allow. */
async function insertFileVersion(
  sql: Sql,
  accountId: AccountId,
): Promise<{ printFileId: PrintFileId; fileVersionId: FileVersionId }> {
  const [printFileId, fileVersionId] = [newId('printFile'), newId('fileVersion')]
  await sql`insert into print_files (account_id, id, name) values (${accountId}, ${printFileId}, 'a.gcode')`
  await sql`
    insert into print_file_versions (account_id, id, print_file_id, version_number, is_current_version, original_name,
      sha256, file_size_bytes, format, is_sliced, metadata)
    values (${accountId}, ${fileVersionId}, ${printFileId}, 1, true, 'a.gcode', ${'0'.repeat(64)}, 1, 'gcode', true,
      ${sql.json({})})`
  return { printFileId, fileVersionId }
}

/** A job that its printer is printing, with the attempt that holds the printer. */
export async function insertJobAndAttempt(
  sql: Sql,
  accountId: AccountId,
  place: { printerId: PrinterId; hubId: HubId },
): Promise<{ jobId: JobId; attemptId: AttemptId }> {
  const { printFileId, fileVersionId } = await insertFileVersion(sql, accountId)
  const [jobId, attemptId] = [newId('job'), newId('attempt')]
  await sql`
    insert into jobs (account_id, id, status, print_file_id, file_version_id, printer_id, file_name, number_of_units,
      quantity_per_print, plates_total, created_by)
    values (${accountId}, ${jobId}, 'printing', ${printFileId}, ${fileVersionId}, ${place.printerId}, 'a.gcode', 1, 1,
      1, 'system')`
  await sql`
    insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, actor)
    values (${accountId}, ${attemptId}, ${jobId}, 1, ${place.printerId}, ${place.hubId}, ${fileVersionId}, 1,
      'confirmed', 'system')`
  return { jobId, attemptId }
}

import { createHash } from 'node:crypto'
import type { Sql } from '@printyard/server/db/database'
import { newId } from '@printyard/server/kernel/ids'

/** The rows of a file that prints in ten minutes on an MK4S, as if it had been uploaded and read. Its bytes are stored elsewhere. */
export async function addSlicedFileRows(
  sql: Sql,
  { accountId, fileId, content }: { accountId: string; fileId: string; content: Buffer },
): Promise<void> {
  await sql`insert into print_files (account_id, id, name) values (${accountId}, ${fileId}, 'clip')`
  await sql`
    insert into print_file_versions ${sql({
      account_id: accountId,
      id: newId('fileVersion'),
      print_file_id: fileId,
      version_number: 1,
      is_current_version: true,
      original_name: 'clip.gcode',
      sha256: createHash('sha256').update(content).digest('hex'),
      file_size_bytes: content.length,
      format: 'gcode',
      is_sliced: true,
      print_time_seconds: 600,
      filament_weight_grams: 5,
      filament_type: 'PLA',
      filament_color: '#112233',
      printer_model: 'MK4S',
      metadata: sql.json({}),
    })}`
}

import type { Sql } from '../../db/database.ts'
import type { JobRow, PrinterRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId } from '../../kernel/ids.ts'
import type { Work } from '../events/work.ts'
import type { AttemptRow } from './attempts.queries.ts'
import { held } from './under-way/live-attempts.ts'

/** Outcome of the job since it was said that this attempt of it never began. */
interface TakeBack {
  /** It waits for the same plate of the same file, and neither it nor the printer has started anything else. */
  is_free: boolean
  file_name: JobRow['file_name']
  product_name: JobRow['product_name']
  printer_name: PrinterRow['name']
  location: PrinterRow['location']
}

/** The job is locked until the transaction ends. */
export async function findTakeBack(
  sql: Sql,
  accountId: AccountId,
  attempt: Pick<AttemptRow, 'job_id' | 'printer_id' | 'plate_number' | 'file_version_id'>,
): Promise<TakeBack | undefined> {
  const [found] = await sql<TakeBack[]>`
    select j.file_name, j.product_name, p.name as printer_name, p.location,
      j.status = 'queued' and j.plates_done + 1 = ${attempt.plate_number}
        and j.file_version_id = ${attempt.file_version_id}
        and not exists (
          select from attempts a
          where a.account_id = j.account_id
            and (${held(sql, 'a', 'job_id')} = j.id or ${held(sql, 'a', 'printer_id')} = p.id)
        ) as is_free
    from jobs j join printers p on p.account_id = j.account_id and p.id = ${attempt.printer_id}
    where j.account_id = ${accountId} and j.id = ${attempt.job_id}
    for no key update of j`
  return found
}

export async function markSecondCopy(
  { sql, accountId, now: at }: Work,
  attemptId: AttemptId,
  reason: string,
): Promise<void> {
  await sql`
    update attempts set reason_code = ${reason}, updated_at = ${at}
    where account_id = ${accountId} and id = ${attemptId}`
}

import type { Sql } from '../../db/database.ts'
import type { PrinterPeriodRow } from '../../db/rows.generated.ts'
import type { AccountId, AttemptId, JobId, PrinterId } from '../../kernel/ids.ts'

/**
 * Books to a print what its printer's record has as `offline` while the print went on, as its hub told later. What came after
 * its end was seen by no one: also not as this print, as which it counted until the report of the end was there.
 */
export async function recordUnseenPrint(
  sql: Sql,
  accountId: AccountId,
  print: { id: AttemptId; job_id: JobId; printer_id: PrinterId },
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  const unseen = await sql<Pick<PrinterPeriodRow, 'started_at' | 'ended_at'>[]>`
    select started_at, ended_at from printer_periods
    where account_id = ${accountId} and printer_id = ${print.printer_id} and cause = 'offline'
      and started_at < ${to} and coalesce(ended_at > ${from}, true)
    order by started_at for update`
  for (const { started_at, ended_at } of unseen) {
    const begin = started_at < from ? from : started_at
    const end = ended_at === null || ended_at > to ? to : ended_at
    if (begin >= end) continue
    await sql`
      update printer_periods
      set started_at = ${begin}, ended_at = ${end}, cause = 'printing', attempt_id = ${print.id}, job_id = ${print.job_id}
      where account_id = ${accountId} and printer_id = ${print.printer_id} and started_at = ${started_at}`
    const rest = [
      { started_at, ended_at: begin },
      { started_at: end, ended_at },
    ].filter((part) => part.ended_at === null || part.started_at < part.ended_at)
    for (const part of rest) {
      await sql`
        insert into printer_periods (account_id, printer_id, cause, started_at, ended_at)
        values (${accountId}, ${print.printer_id}, 'offline', ${part.started_at}, ${part.ended_at})`
    }
  }
  if (unseen.length === 0) return
  await sql`
    update printer_periods set cause = 'offline', attempt_id = null, job_id = null
    where account_id = ${accountId} and printer_id = ${print.printer_id} and attempt_id = ${print.id}
      and started_at >= ${to}`
}

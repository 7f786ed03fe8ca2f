import type { Sql } from '../../db/database.ts'
import type { PrinterRow } from '../../db/rows.generated.ts'

export interface ToldFence {
  printer_id: string
  fence: number
}

/** Raises the fences of printers that their hub has seen higher ones of: how many were behind. */
export async function raiseFences(sql: Sql, accountId: string, told: readonly ToldFence[], at: Date): Promise<number> {
  const rows = await sql`
    update printers p set fence = told.fence, fence_raised_at = ${at}, updated_at = ${at}
    from unnest(${told.map(({ printer_id }) => printer_id)}::text[], ${told.map(({ fence }) => fence)}::bigint[])
      as told (printer_id, fence)
    where p.account_id = ${accountId} and p.id = told.printer_id and p.fence < told.fence
    returning p.id`
  return rows.length
}

/** Those of these attempts that the database knows, and whether it holds them as over. */
export async function listKnownAttempts(
  sql: Sql,
  accountId: string,
  attemptIds: readonly string[],
): Promise<{ id: string; is_over: boolean }[]> {
  return sql<{ id: string; is_over: boolean }[]>`
    select id, phase = 'finished' as is_over from attempts
    where account_id = ${accountId} and id = any(${[...attemptIds]})`
}

/**
 * Makes plates unknown: those of the printers of this hub, and in the whole account those that were last changed before
 * `olderThan`, for any printer may take a job that was printed since. A plate stays on which a print of ours goes on that
 * the hub knows of. Answers the printers.
 */
export async function doubtPlates(
  sql: Sql,
  accountId: string,
  doubt: { hubId: string; openAttempts: readonly string[]; olderThan: Date | null; by: string; at: Date },
): Promise<Pick<PrinterRow, 'id' | 'name'>[]> {
  return sql<Pick<PrinterRow, 'id' | 'name'>[]>`
    update printers p set plate_state = 'unknown', plate_job_id = null, plate_changed_at = ${doubt.at},
      plate_changed_by = ${doubt.by}, plate_change_reason = 'service_restored',
      plate_unknown_reason = 'The service was restored from a backup', updated_at = ${doubt.at}
    where p.account_id = ${accountId}
      and (p.hub_id = ${doubt.hubId} or coalesce(p.plate_changed_at < ${doubt.olderThan}, false))
      and not exists (
        select from attempts a
        where a.account_id = p.account_id and a.printer_id = p.id and a.phase <> 'finished'
          and (a.id = any(${[...doubt.openAttempts]}) or a.hub_id <> ${doubt.hubId})
      )
    returning p.id, p.name`
}

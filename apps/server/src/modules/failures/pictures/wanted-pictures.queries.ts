import type { Sql } from '../../../db/database.ts'
import type { PrintFailureRow } from '../../../db/rows.generated.ts'
import type { AccountId } from '../../../kernel/ids.ts'

/** A failure that one process has taken up to look at. */
export type TakenUp = Pick<PrintFailureRow, 'id' | 'job_id' | 'printer_id'> & {
  /** True when what the camera sees now still shows how the print ended. */
  is_in_time: boolean
}

/** Takes up failures that no process has looked at, the latest first. Each is taken up once, whatever comes of it. */
export async function takeUpFailures(sql: Sql, accountId: AccountId, now: Date, limit: number): Promise<TakenUp[]> {
  return sql<TakenUp[]>`
    with wanted as (
      select id, picture_wanted_until > ${now} as is_in_time from print_failures
      where account_id = ${accountId} and picture_wanted_until is not null
      order by occurred_at desc limit ${limit} for update skip locked
    )
    update print_failures f set picture_wanted_until = null from wanted w
    where f.account_id = ${accountId} and f.id = w.id
    returning f.id, f.job_id, f.printer_id, w.is_in_time`
}

/** Accounts with failures that no process has looked at yet. */
export async function listAccountsWithUnseen(sql: Sql): Promise<AccountId[]> {
  const rows = await sql<{ account_id: AccountId }[]>`
    /* every account: the work of this process is for all of them */
    select distinct account_id from print_failures where picture_wanted_until is not null`
  return rows.map((row) => row.account_id)
}

import type { Sql } from '../../../db/database.ts'

/** How far the live attempt of a printer was seen. Nothing changes of one that is over, nor by what was seen before. */
export async function recordProgress(
  sql: Sql,
  accountId: string,
  printerId: string,
  seen: { attemptId: string; progress: number; at: Date },
): Promise<void> {
  await sql`
    update attempts set progress = ${seen.progress}, seen_at = ${seen.at}
    where account_id = ${accountId} and id = ${seen.attemptId} and printer_id = ${printerId} and phase <> 'finished'
      and (seen_at is null or seen_at <= ${seen.at})`
}

/** Since when a printer does not answer; a moment that is on record stays. */
export async function recordReach(
  sql: Sql,
  accountId: string,
  printerId: string,
  isAway: boolean,
  at: Date,
): Promise<void> {
  await sql`
    update printers set out_of_reach_since = case when ${isAway} then ${at}::timestamptz end
    where account_id = ${accountId} and id = ${printerId} and (out_of_reach_since is not null) <> ${isAway}`
}

import type { Sql } from '../../db/database.ts'

// Each deletes the rows at most that it is told, and answers how many they were. What another process is deleting at this
// moment is left to it.

/** Events whose IDs, which begin with their time, come before this one; by the primary key of each account. */
export async function deleteEventsBefore(sql: Sql, beforeId: string, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: events of all accounts grow old alike */
    delete from events e using (
      select each.account_id, each.id from accounts a
      cross join lateral (
        select o.account_id, o.id from events o where o.account_id = a.id and o.id < ${beforeId}
        order by o.id limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where e.account_id = old.account_id and e.id = old.id`
  return count
}

/** Periods of printers that ended before this time, by the index `printer_periods_by_end`. */
export async function deletePeriodsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: periods of all farms grow old alike */
    delete from printer_periods p using (
      select each.account_id, each.printer_id, each.started_at from accounts a
      cross join lateral (
        select o.account_id, o.printer_id, o.started_at from printer_periods o
        where o.account_id = a.id and o.ended_at < ${before}
        order by o.ended_at limit ${limit} for update skip locked
      ) each
      limit ${limit}
    ) old
    where p.account_id = old.account_id and p.printer_id = old.printer_id and p.started_at = old.started_at`
  return count
}

/** Invitations that nobody could accept since this time, whether or not somebody did before. */
export async function deleteInvitationsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    /* every account: invitations of all accounts grow old alike */
    delete from invitations where (account_id, id) in (
      select account_id, id from invitations where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked)`
  return count
}

/** Links to new passwords that could not be used since this time. */
export async function deleteResetsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from password_resets where token_hash in (
      select token_hash from password_resets where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked)`
  return count
}

/** Authenticator apps that somebody began to use before this time and never confirmed. */
export async function deleteUnconfirmedFactorsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from second_factors where user_id in (
      select user_id from second_factors where confirmed_at is null and created_at < ${before}
      limit ${limit} for update skip locked)`
  return count
}

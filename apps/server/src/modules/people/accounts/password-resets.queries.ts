import type { Sql } from '../../../db/database.ts'
import type { UserId } from '../../../kernel/ids.ts'

/** Keeps a link of a person beside those that they have. */
export async function insertReset(
  sql: Sql,
  reset: { user_id: UserId; token_hash: Buffer; expires_at: Date; created_at: Date },
): Promise<void> {
  await sql`insert into password_resets ${sql(reset)}`
}

/** Answers whose link this is; undefined when it cannot be used now. */
export async function findUserOfReset(sql: Sql, tokenHash: Buffer, now: Date): Promise<UserId | undefined> {
  const [reset] = await sql<{ user_id: UserId }[]>`
    select user_id from password_resets where token_hash = ${tokenHash} and expires_at > ${now}`
  return reset?.user_id
}

/**
 * Records that others than the mailbox have seen a link. False when it has ended meanwhile.
 *
 * @param shownIn the account whose member sees it; undefined for who runs the machine
 */
export async function recordResetShown(sql: Sql, tokenHash: Buffer, shownIn: string | undefined): Promise<boolean> {
  const rows = await sql`
    update password_resets set is_shown = true, shown_in = ${shownIn ?? null} where token_hash = ${tokenHash}
    returning user_id`
  return rows.length > 0
}

/**
 * Uses a link up and tells whose it is; undefined when it is unknown, used or too old, or was seen in an account that is not
 * the only one of the person. Their other links stay.
 */
export async function takeReset(
  sql: Sql,
  tokenHash: Buffer,
  now: Date,
): Promise<{ user_id: UserId; is_shown: boolean } | undefined> {
  const [reset] = await sql<{ user_id: UserId; is_shown: boolean }[]>`
    /* every account: a link that was seen in one counts only for a person of no other */
    delete from password_resets r where r.token_hash = ${tokenHash} and r.expires_at > ${now}
      and (r.shown_in is null
        or r.shown_in = all(array(select m.account_id from members m where m.user_id = r.user_id))
          and exists (select from members m where m.account_id = r.shown_in and m.user_id = r.user_id))
    returning r.user_id, r.is_shown`
  return reset
}

/** Forgets a person's links, for the one who has set a password in another way. */
export async function dropResets(sql: Sql, userId: UserId): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId}`
}

/** Links to new passwords that could not be used since this time. */
export async function deleteResetsBefore(sql: Sql, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from password_resets where token_hash in (
      select token_hash from password_resets where expires_at < ${before}
      order by expires_at limit ${limit} for update skip locked)`
  return count
}

import type { Sql } from '../../../db/database.ts'
import type { AccountId, UserId } from '../../../kernel/ids.ts'
import type { Role } from '../../../kernel/policy.ts'

export interface ListedPerson {
  user_id: UserId
  email: string
  account_id: AccountId
  role: Role
  has_password: boolean
  has_second_factor: boolean
  /** Sessions in this account that could be used now. */
  sessions: number
  last_seen_at: Date | null
}

/** The members of all accounts, one line for each membership, the oldest first. */
export async function listEverybody(sql: Sql, alive: { now: Date; seenAfter: Date }): Promise<ListedPerson[]> {
  return await sql<ListedPerson[]>`
    /* every account: who runs the machine helps people of each */
    select m.user_id, u.email, m.account_id, m.role, u.password_hash is not null as has_password,
      (exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
        or exists (select from passkeys p where p.user_id = u.id)) as has_second_factor,
      (select count(*)::integer from sessions s where s.account_id = m.account_id and s.user_id = m.user_id
        and s.ended_at is null and s.expires_at > ${alive.now} and s.last_seen_at > ${alive.seenAfter}) as sessions,
      (select max(s.last_seen_at) from sessions s where s.account_id = m.account_id and s.user_id = m.user_id)
        as last_seen_at
    from members m join users u on u.id = m.user_id order by m.created_at, m.id`
}

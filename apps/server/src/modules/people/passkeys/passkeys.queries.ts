import { columnsOf } from '../../../db/columns.ts'
import type { Sql } from '../../../db/database.ts'
import type { PasskeyChallengeRow, PasskeyRow } from '../../../db/rows.generated.ts'
import type { PasskeyId, UserId } from '../../../kernel/ids.ts'

const columns = columnsOf<PasskeyRow>()(
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'sign_count',
  'transports',
  'name',
  'created_at',
  'last_used_at',
)

export type ChallengePurpose = PasskeyChallengeRow['purpose']

/** Keeps a challenge until it is answered, and forgets those that can be answered no more. */
export async function insertChallenge(sql: Sql, challenge: PasskeyChallengeRow, now: Date): Promise<void> {
  await sql`delete from passkey_challenges where expires_at <= ${now}`
  await sql`insert into passkey_challenges ${sql(challenge)}`
}

/** Uses a challenge up. False when it is unknown, used, too old, or was given for something or another person. */
export async function takeChallenge(
  sql: Sql,
  challenge: string,
  purpose: ChallengePurpose,
  userId: UserId | null,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    delete from passkey_challenges
    where challenge = ${challenge} and purpose = ${purpose} and user_id is not distinct from ${userId}
      and expires_at > ${now}
    returning challenge`
  return rows.length > 0
}

/** False when the authenticator is known already. */
export async function insertPasskey(sql: Sql, passkey: Omit<PasskeyRow, 'last_used_at'>): Promise<boolean> {
  const rows = await sql`
    insert into passkeys ${sql(passkey)} on conflict (credential_id) do nothing returning id`
  return rows.length > 0
}

export async function listPasskeys(sql: Sql, userId: UserId): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`select ${columns(sql)} from passkeys where user_id = ${userId} order by created_at, id`
}

export async function findPasskeyByCredential(sql: Sql, credentialId: string): Promise<PasskeyRow | undefined> {
  const [passkey] = await sql<PasskeyRow[]>`
    select ${columns(sql)} from passkeys where credential_id = ${credentialId}`
  return passkey
}

/** Records a use. False when another was recorded meanwhile whose count is not lower: a copy of the key may be in use. */
export async function recordPasskeyUse(
  sql: Sql,
  { id, sign_count }: Pick<PasskeyRow, 'id' | 'sign_count'>,
  newCount: number,
  now: Date,
): Promise<boolean> {
  const rows = await sql`
    update passkeys set sign_count = ${newCount}, last_used_at = ${now}
    where id = ${id} and sign_count = ${sign_count} returning id`
  return rows.length > 0
}

export async function renamePasskey(
  sql: Sql,
  userId: UserId,
  id: PasskeyId,
  name: string,
): Promise<PasskeyRow | undefined> {
  const [passkey] = await sql<PasskeyRow[]>`
    update passkeys set name = ${name} where user_id = ${userId} and id = ${id} returning ${columns(sql)}`
  return passkey
}

/** The name of the one that was removed; undefined when there is none. */
export async function deletePasskey(sql: Sql, userId: UserId, id: PasskeyId): Promise<string | undefined> {
  const [passkey] = await sql<Pick<PasskeyRow, 'name'>[]>`
    delete from passkeys where user_id = ${userId} and id = ${id} returning name`
  return passkey?.name
}

/** Answers how many there were. */
export async function deletePasskeysOf(sql: Sql, userId: UserId): Promise<number> {
  const { count } = await sql`delete from passkeys where user_id = ${userId}`
  return count
}

export async function hasPasskey(sql: Sql, userId: UserId): Promise<boolean> {
  const rows = await sql`select id from passkeys where user_id = ${userId} limit 1`
  return rows.length > 0
}

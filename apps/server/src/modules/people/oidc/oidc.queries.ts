import type { Sql } from '../../../db/database.ts'
import type { UserId } from '../../../kernel/ids.ts'

/** Answers whom a subject of a provider stands for here. */
export async function findIdentity(sql: Sql, issuer: string, subject: string): Promise<UserId | undefined> {
  const [identity] = await sql<{ user_id: UserId }[]>`
    select user_id from oidc_identities where issuer = ${issuer} and subject = ${subject}`
  return identity?.user_id
}

/** Links a person to a subject of a provider. False when either is linked to another of the other. */
export async function linkIdentity(
  sql: Sql,
  identity: { issuer: string; subject: string; user_id: UserId },
  now: Date,
): Promise<boolean> {
  await sql`insert into oidc_identities ${sql({ ...identity, created_at: now })} on conflict do nothing`
  return (await findIdentity(sql, identity.issuer, identity.subject)) === identity.user_id
}

import type { Sql } from '../../../db/database.ts'
import type { UserId } from '../../../kernel/ids.ts'

/** What a person has to show to be there. */
interface ProofMeans {
  has_password: boolean
  has_app: boolean
  has_passkey: boolean
  /** True when they have come in by this provider. */
  is_linked: boolean
}

/** @param issuer of the provider that is configured, if any */
export async function findProofMeans(
  sql: Sql,
  userId: UserId,
  issuer: string | undefined,
): Promise<ProofMeans | undefined> {
  const [means] = await sql<ProofMeans[]>`
    select u.password_hash is not null as has_password,
      exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as has_app,
      exists (select from passkeys p where p.user_id = u.id) as has_passkey,
      exists (select from oidc_identities i where i.user_id = u.id and i.issuer = ${issuer ?? null}) as is_linked
    from users u where u.id = ${userId}`
  return means
}

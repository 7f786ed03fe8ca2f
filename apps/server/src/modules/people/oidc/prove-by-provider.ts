import type { Context } from '../../../context/context.ts'
import { hashSecret } from '../../../kernel/hash-secret.ts'
import type { SessionId } from '../../../kernel/ids.ts'
import { isAlive } from '../sign-in/session-life.ts'
import { findSessionByHash, updateProof } from '../sign-in/sessions.queries.ts'
import { findIdentity } from './oidc.queries.ts'
import { OidcProblem } from './oidc-problem.ts'
import type { ProvenPerson } from './provider.ts'

/** Time that the clock of the provider may be behind ours. */
const clockSkewMs = 60_000

/** A sign-in there that is older than this is none that was made for us. */
const longestAgeMs = 10 * 60_000

/**
 * Answers when a person typed what the provider asks for, if it says so and that was just now: a provider that lets a person pass by
 * a session of its own has shown nothing.
 */
export function freshSignIn({ clock }: Pick<Context, 'clock'>, { authenticatedAt }: ProvenPerson): Date | null {
  const now = clock.now().getTime()
  if (authenticatedAt === undefined || authenticatedAt > now + clockSkewMs) return null
  return authenticatedAt >= now - longestAgeMs ? new Date(Math.min(authenticatedAt, now)) : null
}

/**
 * Takes a new sign-in at the provider as a proof of the person of this session.
 *
 * @param token of the session in the browser that came back
 * @throws OidcProblem
 */
export async function proveByProvider(
  context: Context,
  token: string | undefined,
  sessionId: SessionId,
  proven: ProvenPerson,
): Promise<void> {
  const session = token === undefined ? undefined : await findSessionByHash(context.db.sql, hashSecret(token))
  const now = context.clock.now()
  if (!session || session.id !== sessionId || !isAlive(session, now)) throw new OidcProblem('oidc_expired')
  const userId = await findIdentity(context.db.sql, proven.issuer, proven.subject)
  if (userId !== session.user_id) throw new OidcProblem('oidc_other_person')
  if (freshSignIn(context, proven) === null) throw new OidcProblem('oidc_not_fresh')
  await updateProof(context.db.sql, session, now)
}

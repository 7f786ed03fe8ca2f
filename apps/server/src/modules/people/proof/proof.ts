import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { UserId } from '../../../kernel/ids.ts'
import { findProofMeans } from './proof.queries.ts'

/** Time that a proof counts. */
export const proofLifeMs = 10 * 60 * 1000

/** By what a person shows to be there: `code` is that of an authenticator app or a backup code, `provider` a new sign-in there. */
export const proofMethods = ['password', 'code', 'passkey', 'provider'] as const
export type ProofMethod = (typeof proofMethods)[number]

/** Until when a proof counts that was given then; undefined when that is over, or none was given. */
export function provenUntil(provenAt: Date | null, now: Date): Date | undefined {
  if (provenAt === null) return undefined
  const until = new Date(provenAt.getTime() + proofLifeMs)
  return until > now ? until : undefined
}

/** Answers what a person can show to be there. */
export async function listProofMethods(
  { config }: Pick<Context, 'config'>,
  sql: Sql,
  userId: UserId,
): Promise<ProofMethod[]> {
  const means = await findProofMeans(sql, userId, config.oidcIssuer)
  if (!means) return []
  const isThere: Record<ProofMethod, boolean> = {
    password: means.has_password,
    code: means.has_app,
    passkey: means.has_passkey,
    provider: means.is_linked,
  }
  return proofMethods.filter((method) => isThere[method])
}

/**
 * Asks a person who has not lately shown to be there to do so, before what could be used to take an account over. Programs
 * have no part in it: what their keys may do is fixed.
 *
 * @throws AppError `PROOF_REQUIRED`
 */
export async function requireProof(
  context: Pick<Context, 'config'>,
  sql: Sql,
  { userId, isProven }: Pick<Actor, 'userId' | 'isProven'>,
): Promise<void> {
  if (userId === undefined || isProven === true) return
  throw new AppError('PROOF_REQUIRED', {}, { details: { methods: await listProofMethods(context, sql, userId) } })
}

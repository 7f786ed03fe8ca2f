import type { Context } from '../../../context/context.ts'
import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { canManage, type Role } from '../../../kernel/policy.ts'
import { findRoleHeld } from '../accounts/members.queries.ts'
import { requireProof } from '../proof/proof.ts'

/**
 * Requires that a person may do this to a member of that role, by the role that they have now: it may have changed since the
 * request was let in. What concerns an owner also needs a proof.
 *
 * @throws AppError `FORBIDDEN`, `PROOF_REQUIRED`
 */
export async function requireCanManage(
  context: Pick<Context, 'config'>,
  sql: Sql,
  person: Person,
  role: Role,
  action: string,
): Promise<void> {
  const own = await findRoleHeld(sql, person.accountId, person.userId)
  if (!own || !canManage(own, role)) throw new AppError('FORBIDDEN', { action })
  if (role === 'owner') await requireProof(context, sql, person)
}

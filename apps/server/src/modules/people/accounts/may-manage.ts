import type { Sql } from '../../../db/database.ts'
import type { Person } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import { mayManage, type Role } from '../../../kernel/policy.ts'
import { findRoleHeld } from './members.queries.ts'

/**
 * That somebody may do this to a member of that role, by the role that they have now: it may have changed since the
 * request was let in.
 *
 * @throws AppError `FORBIDDEN`
 */
export async function requireMayManage(sql: Sql, person: Person, role: Role, action: string): Promise<void> {
  const own = await findRoleHeld(sql, person.accountId, person.userId)
  if (!own || !mayManage(own, role)) throw new AppError('FORBIDDEN', { action })
}

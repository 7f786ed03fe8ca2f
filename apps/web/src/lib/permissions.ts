import { type Role, roles, type Scope } from './api/api-routes.ts'
import type { Session } from './api/api-schema.generated.ts'

/** Whether a person of this role may do what needs at least `least`. */
function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}

/** Whether the session may do what needs this scope or at least this role. No one may do anything. */
export function may(session: Pick<Session, 'role' | 'scopes'> | null | undefined, need: Role | Scope): boolean {
  if (!session) return false
  return isRole(need) ? isAtLeast(session.role, need) : session.scopes.includes(need)
}

function isRole(need: Role | Scope): need is Role {
  return (roles as readonly string[]).includes(need)
}

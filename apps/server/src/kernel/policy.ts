import type { Actor, Scope } from './actor.ts'
import { AppError } from './errors.ts'

/** What a member of an account may be, from the one who may most. */
export const roles = ['owner', 'admin', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

interface Permissions {
  /** What a member of this role may do, and grant to a key: see, change data, move machines. */
  scopes: readonly Scope[]
  canMakeKeys: boolean
}

/** Permissions of each role: the whole of them. Routes name the least of these roles that may call them. */
export const policy: Record<Role, Permissions> = {
  owner: { scopes: ['read', 'write', 'control'], canMakeKeys: true },
  admin: { scopes: ['read', 'write', 'control'], canMakeKeys: true },
  operator: { scopes: ['read', 'write', 'control'], canMakeKeys: false },
  viewer: { scopes: ['read'], canMakeKeys: false },
}

export function canUse(role: Role, scope: Scope): boolean {
  return policy[role].scopes.includes(scope)
}

/** True when a person of this role may do what is for `least` and those above. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(least)
}

/** The role that may do this and otherwise least. */
export function leastRoleFor(scope: Scope): Role {
  const role = roles.findLast((each) => canUse(each, scope))
  if (!role) throw new Error(`no role may ${scope}`)
  return role
}

/**
 * Only those who run an account make keys, and none that may more than they do.
 *
 * @param role of the member who asks; undefined for a person who is no member
 * @throws AppError `FORBIDDEN`
 */
export function requireMayMakeKey(role: Role | undefined, scopes: readonly Scope[]): void {
  if (!role || !policy[role].canMakeKeys || !scopes.every((scope) => canUse(role, scope))) {
    throw new AppError('FORBIDDEN', { action: 'make API keys' })
  }
}

/** True when a person of this role may make, change and remove members of the other: admins everybody but owners. */
export function canManage(role: Role, other: Role): boolean {
  return role === 'owner' || (role === 'admin' && other !== 'owner')
}

/**
 * Credentials of printers are told to the hub that runs them: giving a printer that has some to another hub is for those who
 * could have entered them, and for keys that may both change data and move machines.
 *
 * @throws AppError `FORBIDDEN`, or `INSUFFICIENT_SCOPE` for a key
 */
export function requireMayHandOver({ role, scopes }: Pick<Actor, 'role' | 'scopes'>): void {
  if (role !== undefined && !isAtLeast(role, 'admin')) {
    throw new AppError('FORBIDDEN', { action: 'give a printer with stored credentials to another hub' })
  }
  const missing = (['write', 'control'] as const).find((scope) => !scopes.includes(scope))
  if (missing) throw new AppError('INSUFFICIENT_SCOPE', { scope: missing })
}

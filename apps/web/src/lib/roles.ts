import { type Role, roles } from './api/api-routes.ts'
import { t } from './i18n/t.ts'

/** What a role is called. */
export const roleWords: Record<Role, string> = {
  owner: t('owner'),
  admin: t('admin'),
  operator: t('operator'),
  viewer: t('viewer'),
}

/** What a role may do, as people choose by. */
export const roleSentences: Record<Role, string> = {
  owner: t('Everything, and says who else is an owner'),
  admin: t('Everything but owners: settings, members, API keys'),
  operator: t('Runs printers and changes data; no settings of people'),
  viewer: t('Sees everything, changes nothing'),
}

/** Roles that a person of this role may give and take: admins every role but owner. */
export function manageableRoles(role: Role): Role[] {
  if (role === 'owner') return [...roles]
  return role === 'admin' ? roles.filter((each) => each !== 'owner') : []
}

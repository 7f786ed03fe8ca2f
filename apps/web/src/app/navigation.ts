import type { Role } from '../lib/api/api-routes.ts'
import { t, tc } from '../lib/i18n/t.ts'
import type { IconName } from '../ui/icon.tsx'

export interface NavigationEntry {
  label: string
  /** Where a fifth of a phone's width is all there is; else the label. */
  phoneLabel?: string
  icon: IconName
  path: string
  /** The least role that sees it. */
  least: Role
  /** Among the few that stand at the bottom edge on a phone. */
  isOnPhone?: true
}

/** The areas of the dashboard, in the order people see them. A new area is one line here and its route in `router.tsx`. */
export const navigation: readonly NavigationEntry[] = [
  { label: t('Overview'), icon: 'overview', path: '/', least: 'viewer', isOnPhone: true },
  { label: t('Printers'), icon: 'printer', path: '/printers', least: 'viewer', isOnPhone: true },
  {
    label: t('Queue'),
    phoneLabel: tc('bottom of a phone', 'Queue'),
    icon: 'queue',
    path: '/queue',
    least: 'viewer',
    isOnPhone: true,
  },
  { label: t('Worklist'), icon: 'worklist', path: '/worklist', least: 'viewer', isOnPhone: true },
  { label: t('Orders'), icon: 'order', path: '/orders', least: 'viewer' },
  { label: t('Production'), icon: 'production', path: '/production', least: 'viewer' },
  { label: t('Assembly'), icon: 'assembly', path: '/assembly', least: 'viewer' },
  { label: t('History'), icon: 'history', path: '/history', least: 'viewer' },
  { label: t('Files'), icon: 'file', path: '/files', least: 'viewer' },
  { label: t('Products'), icon: 'product', path: '/products', least: 'viewer' },
  { label: t('Stock'), icon: 'stock', path: '/stock', least: 'viewer' },
  { label: t('Materials'), icon: 'spool', path: '/materials', least: 'viewer' },
  { label: t('Wiki'), icon: 'book', path: '/wiki', least: 'viewer' },
  { label: t('Reports'), icon: 'report', path: '/reports', least: 'viewer' },
  { label: t('Labels'), icon: 'label', path: '/labels', least: 'viewer' },
  { label: t('Hubs'), icon: 'hub', path: '/hubs', least: 'viewer' },
  { label: t('Settings'), icon: 'settings', path: '/settings', least: 'viewer' },
]

/** The pages of the settings. */
export const settingsNavigation: readonly NavigationEntry[] = [
  { label: t('Profile'), icon: 'user', path: '/settings/profile', least: 'viewer' },
  { label: t('Sessions'), icon: 'device', path: '/settings/sessions', least: 'viewer' },
  { label: t('Notifications'), icon: 'bell', path: '/settings/notifications', least: 'viewer' },
  { label: t('Account'), icon: 'account', path: '/settings/account', least: 'viewer' },
  { label: t('Members'), icon: 'users', path: '/settings/members', least: 'viewer' },
  { label: t('Task assignment'), icon: 'worklist', path: '/settings/tasks', least: 'viewer' },
  { label: t('Shifts'), icon: 'clock', path: '/settings/shifts', least: 'viewer' },
  { label: t('Costs'), icon: 'report', path: '/settings/costs', least: 'admin' },
  { label: t('Shops'), icon: 'shop', path: '/settings/shops', least: 'admin' },
  { label: t('Spoolman'), icon: 'spool', path: '/settings/spoolman', least: 'admin' },
  { label: t('Home Assistant'), icon: 'home', path: '/settings/home-assistant', least: 'admin' },
  { label: t('API keys'), icon: 'key', path: '/settings/api-keys', least: 'admin' },
  { label: t('Webhooks'), icon: 'forth', path: '/settings/webhooks', least: 'admin' },
  { label: t('Automation'), icon: 'automation', path: '/settings/automation', least: 'admin' },
  { label: t('Backups'), icon: 'history', path: '/settings/backups', least: 'admin' },
  { label: t('Leave and arrive'), icon: 'download', path: '/settings/leaving', least: 'owner' },
  { label: t('Audit log'), icon: 'audit', path: '/settings/audit', least: 'admin' },
]

import type { Role } from '../lib/api/api-routes.ts'
import type { IconName } from '../ui/icon.tsx'

export interface NavigationEntry {
  label: string
  icon: IconName
  path: string
  /** The least role that sees it. */
  least: Role
  /** Among the few that stand at the bottom edge on a phone. */
  isOnPhone?: true
}

/** The areas of the dashboard, in the order people see them. A new area is one line here and its route in `router.tsx`. */
export const navigation: readonly NavigationEntry[] = [
  { label: 'Overview', icon: 'overview', path: '/', least: 'viewer', isOnPhone: true },
  { label: 'Printers', icon: 'printer', path: '/printers', least: 'viewer', isOnPhone: true },
  { label: 'Queue', icon: 'queue', path: '/queue', least: 'viewer', isOnPhone: true },
  { label: 'Worklist', icon: 'worklist', path: '/worklist', least: 'viewer', isOnPhone: true },
  { label: 'Orders', icon: 'order', path: '/orders', least: 'viewer' },
  { label: 'Production', icon: 'production', path: '/production', least: 'viewer' },
  { label: 'Assembly', icon: 'assembly', path: '/assembly', least: 'viewer' },
  { label: 'History', icon: 'history', path: '/history', least: 'viewer' },
  { label: 'Files', icon: 'file', path: '/files', least: 'viewer' },
  { label: 'Products', icon: 'product', path: '/products', least: 'viewer' },
  { label: 'Stock', icon: 'stock', path: '/stock', least: 'viewer' },
  { label: 'Materials', icon: 'spool', path: '/materials', least: 'viewer' },
  { label: 'Wiki', icon: 'book', path: '/wiki', least: 'viewer' },
  { label: 'Reports', icon: 'report', path: '/reports', least: 'viewer' },
  { label: 'Labels', icon: 'label', path: '/labels', least: 'viewer' },
  { label: 'Hubs', icon: 'hub', path: '/hubs', least: 'viewer' },
  { label: 'Settings', icon: 'settings', path: '/settings', least: 'viewer' },
]

/** The pages of the settings. */
export const settingsNavigation: readonly NavigationEntry[] = [
  { label: 'Profile', icon: 'user', path: '/settings/profile', least: 'viewer' },
  { label: 'Sessions', icon: 'device', path: '/settings/sessions', least: 'viewer' },
  { label: 'Notifications', icon: 'bell', path: '/settings/notifications', least: 'viewer' },
  { label: 'Account', icon: 'account', path: '/settings/account', least: 'viewer' },
  { label: 'Members', icon: 'users', path: '/settings/members', least: 'viewer' },
  { label: 'Task assignment', icon: 'worklist', path: '/settings/tasks', least: 'viewer' },
  { label: 'Costs', icon: 'report', path: '/settings/costs', least: 'admin' },
  { label: 'API keys', icon: 'key', path: '/settings/api-keys', least: 'admin' },
  { label: 'Webhooks', icon: 'forth', path: '/settings/webhooks', least: 'admin' },
  { label: 'Automation', icon: 'automation', path: '/settings/automation', least: 'admin' },
  { label: 'Backups', icon: 'history', path: '/settings/backups', least: 'admin' },
  { label: 'Audit log', icon: 'audit', path: '/settings/audit', least: 'admin' },
]

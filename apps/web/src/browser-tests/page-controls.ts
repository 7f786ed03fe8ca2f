import type { MemberRole } from './test-dashboard.ts'

/** Controls that not everybody sees: the page, the name of the button or link, and the least role that sees it. */
export const pageControls: { path: string; control: RegExp; least: MemberRole }[] = [
  { path: '/printers', control: /^Add printer$/, least: 'operator' },
  { path: '/printers/$printerId', control: /^Pause$/, least: 'operator' },
  { path: '/printers/$printerId', control: /^Stop$/, least: 'operator' },
  { path: '/printers/$printerId', control: /^Clear plate$/, least: 'operator' },
  { path: '/printers/$printerId', control: /^Edit$/, least: 'operator' },
  { path: '/printers/$printerId', control: /^Remove$/, least: 'operator' },
  { path: '/queue', control: /^Print a file$/, least: 'operator' },
  { path: '/queue', control: /^Actions for /, least: 'operator' },
  { path: '/files', control: /^Print this/, least: 'operator' },
  { path: '/hubs', control: /^Add a hub$/, least: 'operator' },
  { path: '/settings/members', control: /^Invite somebody$/, least: 'admin' },
  { path: '/settings/api-keys', control: /^Make an API key$/, least: 'admin' },
]

const fromLeast: readonly MemberRole[] = ['viewer', 'operator', 'admin', 'owner']

export function sees(role: MemberRole, least: MemberRole): boolean {
  return fromLeast.indexOf(role) >= fromLeast.indexOf(least)
}

import type { Role, Scope } from '../../lib/api/api-routes.ts'
import type { Session } from '../../lib/api/api-schema.generated.ts'
import { may } from '../../lib/permissions.ts'
import { navigation, settingsNavigation } from '../navigation.ts'
import type { Entry } from './entries.ts'

interface Command extends Entry {
  least: Role | Scope
  /** What people also call it. */
  words: string
}

const action = (label: string, href: string, icon: Entry['icon'], least: Command['least'], words: string): Command => ({
  key: `action ${label}`,
  label,
  href,
  icon,
  least,
  words,
  detail: '',
})

/** What people come to do, each at the page where it is done. */
const actions: readonly Command[] = [
  action('Add printer', '/printers?add=true', 'plus', 'write', 'new connect machine'),
  action('Queue a job', '/files', 'plus', 'write', 'new print start file'),
  action('Upload print files', '/files', 'upload', 'write', 'gcode 3mf add slice'),
  action('Add an order', '/orders/new', 'plus', 'write', 'new customer'),
  action('Import orders', '/orders/import', 'upload', 'write', 'csv shop'),
  action('Map order lines to SKUs', '/orders/unmapped', 'order', 'viewer', 'unmapped listings'),
  action('Look into failures', '/failures', 'warning', 'viewer', 'failed prints stopped'),
  action('Open the wall display', '/printers/wall', 'wall', 'viewer', 'screen tv kiosk'),
  action('Scan a label', '/scan', 'camera', 'viewer', 'qr code barcode'),
  action('Connect a hub', '/hubs', 'plus', 'admin', 'add join new'),
  action('Invite a person', '/settings/members', 'plus', 'admin', 'add member user colleague'),
  action('Make an API key', '/settings/api-keys', 'plus', 'admin', 'add new token'),
  action('Add a webhook', '/settings/webhooks', 'plus', 'admin', 'new event endpoint'),
  action('Be notified on this device', '/settings/notifications', 'bell', 'viewer', 'push alert channel rule'),
  action('Add an automation rule', '/settings/automation', 'automation', 'admin', 'new when then trigger action'),
  action('Change password', '/settings/profile', 'user', 'viewer', 'passkey second factor'),
]

const pages: readonly Command[] = [
  ...navigation.map((page) => ({ page, detail: '' })),
  ...settingsNavigation.map((page) => ({ page, detail: 'Settings' })),
].map(({ page: { label, icon, path, least }, detail }) => ({
  ...{ key: `page ${path}`, icon, label, href: path, detail, least },
  words: `page go to ${detail}`,
}))

/** The actions and pages of this role. */
export function commandsOf(session: Pick<Session, 'role' | 'scopes'>): { actions: Command[]; pages: Command[] } {
  const isFor = ({ least }: Command) => may(session, least)
  return { actions: actions.filter(isFor), pages: pages.filter(isFor) }
}

const mostShown = 5

/** Commands of which every word of the text begins a word of theirs, those whose name begins so first. */
export function matchCommands(commands: readonly Command[], text: string): Entry[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean)
  const first = wanted[0] ?? ''
  const found = commands.filter(({ label, words }) => {
    const own = `${label} ${words}`.toLowerCase().split(/\s+/)
    return wanted.every((word) => own.some((each) => each.startsWith(word)))
  })
  const begins = ({ label }: Command) => (label.toLowerCase().startsWith(first) ? 0 : 1)
  return found.sort((a, b) => begins(a) - begins(b)).slice(0, mostShown)
}

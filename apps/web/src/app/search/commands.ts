import type { Role, Scope } from '../../lib/api/api-routes.ts'
import type { Session } from '../../lib/api/api-schema.generated.ts'
import { t } from '../../lib/i18n/t.ts'
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
  action(t('Add printer'), '/printers?add=true', 'plus', 'write', t('new connect machine')),
  action(t('Queue a job'), '/files', 'plus', 'write', t('new print start file')),
  action(t('Upload print files'), '/files', 'upload', 'write', t('gcode 3mf add slice')),
  action(t('Add an order'), '/orders/new', 'plus', 'write', t('new customer')),
  action(t('Import orders'), '/orders/import', 'upload', 'write', t('csv shop')),
  action(t('Map order lines to SKUs'), '/orders/unmapped', 'order', 'viewer', t('unmapped listings')),
  action(t('Look into failures'), '/failures', 'warning', 'viewer', t('failed prints stopped')),
  action(t('Open the wall display'), '/printers/wall', 'wall', 'viewer', t('screen tv kiosk')),
  action(t('Scan a label'), '/scan', 'camera', 'viewer', t('qr code barcode')),
  action(t('Connect a hub'), '/hubs', 'plus', 'admin', t('add join new')),
  action(t('Invite a person'), '/settings/members', 'plus', 'admin', t('add member user colleague')),
  action(t('Make an API key'), '/settings/api-keys', 'plus', 'admin', t('add new token')),
  action(t('Set up a broker'), '/settings/home-assistant', 'home', 'admin', t('mqtt home assistant smart plug power')),
  action(t('Connect a shop'), '/settings/shops', 'plus', 'admin', t('woocommerce shopify etsy orders store')),
  action(t('Add a webhook'), '/settings/webhooks', 'plus', 'admin', t('new event endpoint')),
  action(t('Be notified on this device'), '/settings/notifications', 'bell', 'viewer', t('push alert channel rule')),
  action(t('Add an automation rule'), '/settings/automation', 'automation', 'admin', t('new when then trigger action')),
  action(t('Change password'), '/settings/profile', 'user', 'viewer', t('passkey second factor')),
]

const pages: readonly Command[] = [
  ...navigation.map((page) => ({ page, detail: '' })),
  ...settingsNavigation.map((page) => ({ page, detail: t('Settings') })),
].map(({ page: { label, icon, path, least }, detail }) => ({
  ...{ key: `page ${path}`, icon, label, href: path, detail, least },
  words: t('page go to {detail}', { detail }),
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

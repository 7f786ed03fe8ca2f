import type { DiscoveredPrinter, PrinterDetail } from '../api/api-schema.generated.ts'
import { t } from '../i18n/t.ts'

export type ConnectionType = PrinterDetail['connection_type']

interface ConnectionField {
  name: string
  label: string
  kind: 'text' | 'secret' | 'port'
  isRequired?: boolean
  /** Where a person reads it. */
  description?: string
}

interface Family {
  label: string
  /** What must be done at the printer before. */
  preparation?: string
  fields: readonly ConnectionField[]
}

const address = (description = t('IP address or name in the network of the hub')): ConnectionField => ({
  name: 'address',
  label: t('Address'),
  kind: 'text',
  isRequired: true,
  description,
})
const port = (usual: number | string): ConnectionField => ({
  name: 'port',
  label: t('Port'),
  kind: 'port',
  description: t('Only if it is not {usual}', { usual }),
})

/** How hubs talk to printers, and what each way needs to know. The service and the hub have the last word. */
export const families: Record<ConnectionType, Family> = {
  bambu: {
    label: 'Bambu Lab',
    preparation: t('On the printer, switch on LAN mode and Developer mode (Settings, Network or General).'),
    fields: [
      address(t('Shown on the printer under Settings, Network')),
      {
        name: 'serial',
        label: t('Serial number'),
        kind: 'text',
        isRequired: true,
        description: t('On a label and under Settings, Device'),
      },
      {
        name: 'access_code',
        label: t('Access code'),
        kind: 'secret',
        isRequired: true,
        description: t('Eight characters, beside the LAN mode switch'),
      },
      port(8883),
    ],
  },
  moonraker: {
    label: 'Klipper (Moonraker)',
    fields: [
      address(),
      port(7125),
      {
        name: 'api_key',
        label: t('API key'),
        kind: 'secret',
        description: t('Not needed where Moonraker trusts the hub'),
      },
    ],
  },
  octoprint: {
    label: 'OctoPrint',
    preparation: t('In OctoPrint, make an application key under Settings, Application Keys.'),
    fields: [
      address(t('Host, with a path where OctoPrint stands behind one')),
      port(t('80; OctoPrint without OctoPi uses 5000')),
      { name: 'api_key', label: t('API key'), kind: 'secret', isRequired: true },
    ],
  },
  prusalink: {
    label: 'PrusaLink',
    preparation: t('User and password stand on the printer under Settings, Network, PrusaLink.'),
    fields: [
      address(),
      port(80),
      { name: 'username', label: t('User'), kind: 'text', description: t('maker, if nothing else is set') },
      { name: 'password', label: t('Password'), kind: 'secret' },
      {
        name: 'api_key',
        label: t('API key'),
        kind: 'secret',
        description: t('In place of user and password: older firmware, and PrusaLink on a Raspberry Pi'),
      },
    ],
  },
  elegoo: {
    label: 'Elegoo',
    fields: [
      address(),
      port(t('the usual one; it is found out')),
      {
        name: 'access_code',
        label: t('Access code'),
        kind: 'secret',
        description: t('Centauri Carbon 2 only, as its screen shows it'),
      },
      { name: 'serial', label: t('Serial number'), kind: 'text', description: t('Read from the printer when empty') },
    ],
  },
  creality: {
    label: 'Creality',
    preparation: t('For K1, K2, Ender-3 V3 and Hi with their own firmware. With root access, choose Klipper.'),
    fields: [
      address(),
      port(9999),
      { name: 'slot', label: t('Slot'), kind: 'text', description: t('With a material box: such as 1A, or external') },
    ],
  },
  virtual: { label: t('Virtual (simulated by the hub)'), fields: [] },
}

export const familyOrder: readonly ConnectionType[] = [
  'bambu',
  'moonraker',
  'octoprint',
  'prusalink',
  'elegoo',
  'creality',
  'virtual',
]

/** Everything typed about a connection, of whichever family; a text per field. */
export type ConnectionTexts = Record<string, string>

/** What the family's fields say as the API takes it: ports as numbers, nothing that is empty or of another family. */
export function connectionOf(type: ConnectionType, texts: ConnectionTexts): Record<string, unknown> {
  const given = families[type].fields
    .map(({ name, kind }) => [name, (texts[name] ?? '').trim(), kind] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value, kind]) => [name, kind === 'port' && /^\d+$/.test(value) ? Number(value) : value])
  return Object.fromEntries(given)
}

/** A person sees from these that something is missing before anything is sent; field → sentence. */
export function missingFields(type: ConnectionType, texts: ConnectionTexts): Record<string, string> {
  const missing = families[type].fields.filter(
    ({ name, isRequired }) => isRequired === true && (texts[name] ?? '').trim() === '',
  )
  return Object.fromEntries(missing.map(({ name, label }) => [name, t('{label} is needed', { label })]))
}

/** What a found printer says of its own connection. */
export function textsOfFound(found: Pick<DiscoveredPrinter, 'address' | 'port' | 'serial'>): ConnectionTexts {
  return {
    ...(found.address !== null && { address: found.address }),
    ...(found.port !== null && { port: String(found.port) }),
    ...(found.serial !== null && { serial: found.serial }),
  }
}

import type { DiscoveredPrinter, PrinterDetail } from '../api/api-schema.generated.ts'

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

const address = (description = 'IP address or name in the network of the hub'): ConnectionField => ({
  name: 'address',
  label: 'Address',
  kind: 'text',
  isRequired: true,
  description,
})
const port = (usual: number | string): ConnectionField => ({
  name: 'port',
  label: 'Port',
  kind: 'port',
  description: `Only if it is not ${usual}`,
})

/** How hubs talk to printers, and what each way needs to know. The service and the hub have the last word. */
export const families: Record<ConnectionType, Family> = {
  bambu: {
    label: 'Bambu Lab',
    preparation: 'On the printer, switch on LAN mode and Developer mode (Settings, Network or General).',
    fields: [
      address('Shown on the printer under Settings, Network'),
      {
        name: 'serial',
        label: 'Serial number',
        kind: 'text',
        isRequired: true,
        description: 'On a label and under Settings, Device',
      },
      {
        name: 'access_code',
        label: 'Access code',
        kind: 'secret',
        isRequired: true,
        description: 'Eight characters, beside the LAN mode switch',
      },
      port(8883),
    ],
  },
  moonraker: {
    label: 'Klipper (Moonraker)',
    fields: [
      address(),
      port(7125),
      { name: 'api_key', label: 'API key', kind: 'secret', description: 'Not needed where Moonraker trusts the hub' },
    ],
  },
  octoprint: {
    label: 'OctoPrint',
    preparation: 'In OctoPrint, make an application key under Settings, Application Keys.',
    fields: [
      address('Host, with a path where OctoPrint stands behind one'),
      port('80; OctoPrint without OctoPi uses 5000'),
      { name: 'api_key', label: 'API key', kind: 'secret', isRequired: true },
    ],
  },
  prusalink: {
    label: 'PrusaLink',
    preparation: 'User and password stand on the printer under Settings, Network, PrusaLink.',
    fields: [
      address(),
      port(80),
      { name: 'username', label: 'User', kind: 'text', description: 'maker, if nothing else is set' },
      { name: 'password', label: 'Password', kind: 'secret' },
      {
        name: 'api_key',
        label: 'API key',
        kind: 'secret',
        description: 'In place of user and password: older firmware, and PrusaLink on a Raspberry Pi',
      },
    ],
  },
  elegoo: {
    label: 'Elegoo',
    fields: [
      address(),
      port('the usual one; it is found out'),
      {
        name: 'access_code',
        label: 'Access code',
        kind: 'secret',
        description: 'Centauri Carbon 2 only, as its screen shows it',
      },
      { name: 'serial', label: 'Serial number', kind: 'text', description: 'Read from the printer when empty' },
    ],
  },
  creality: {
    label: 'Creality',
    preparation: 'For K1, K2, Ender-3 V3 and Hi with their own firmware. With root access, choose Klipper.',
    fields: [
      address(),
      port(9999),
      { name: 'slot', label: 'Slot', kind: 'text', description: 'With a material box: such as 1A, or external' },
    ],
  },
  virtual: { label: 'Virtual (simulated by the hub)', fields: [] },
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
  return Object.fromEntries(missing.map(({ name, label }) => [name, `${label} is needed`]))
}

/** What a found printer says of its own connection. */
export function textsOfFound(found: Pick<DiscoveredPrinter, 'address' | 'port' | 'serial'>): ConnectionTexts {
  return {
    ...(found.address !== null && { address: found.address }),
    ...(found.port !== null && { port: String(found.port) }),
    ...(found.serial !== null && { serial: found.serial }),
  }
}

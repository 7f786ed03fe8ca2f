import type { PrinterDetail } from '../../lib/api/api-schema.generated.ts'

export type ConnectionType = PrinterDetail['connection_type']

export interface ConnectionField {
  name: 'address' | 'port' | 'serial' | 'access_code' | 'api_key' | 'username' | 'password'
  label: string
  /** Where to find it, or what holds without it. */
  hint?: string
  isRequired?: true
  isSecret?: true
}

interface ConnectionKind {
  label: string
  fields: readonly ConnectionField[]
}

const address: ConnectionField = {
  name: 'address',
  label: 'Address',
  hint: 'Host name or IP address',
  isRequired: true,
}
const port = (standard: string): ConnectionField => ({ name: 'port', label: 'Port', hint: `${standard} when empty` })

/** What each way to talk to a printer needs to know; nothing else is asked for. */
export const connectionKinds: Record<ConnectionType, ConnectionKind> = {
  virtual: { label: 'Virtual (simulated by the hub)', fields: [] },
  bambu: {
    label: 'Bambu Lab (LAN)',
    fields: [
      address,
      { name: 'serial', label: 'Serial number', hint: 'On its screen: Settings, Device', isRequired: true },
      {
        name: 'access_code',
        label: 'Access code',
        hint: 'On its screen, with LAN mode and developer mode switched on',
        isRequired: true,
        isSecret: true,
      },
    ],
  },
  prusalink: {
    label: 'PrusaLink',
    fields: [
      address,
      port('80'),
      { name: 'username', label: 'User', hint: 'maker when empty' },
      { name: 'password', label: 'Password', hint: 'On its screen: Settings, Network, PrusaLink', isSecret: true },
      { name: 'api_key', label: 'API key', hint: 'In place of user and password, for older firmware', isSecret: true },
    ],
  },
  moonraker: {
    label: 'Klipper (Moonraker)',
    fields: [
      address,
      port('7125'),
      { name: 'api_key', label: 'API key', hint: 'Only where the hub is not a trusted client', isSecret: true },
    ],
  },
  octoprint: {
    label: 'OctoPrint',
    fields: [
      address,
      port('80'),
      { name: 'api_key', label: 'API key', hint: 'In the settings of OctoPrint', isRequired: true, isSecret: true },
    ],
  },
  elegoo: {
    label: 'Elegoo',
    fields: [
      address,
      { name: 'access_code', label: 'Access code', hint: 'Centauri Carbon 2 only; 123456 when empty', isSecret: true },
      { name: 'serial', label: 'Serial number', hint: 'Centauri Carbon 2 only; read from it when empty' },
    ],
  },
  creality: { label: 'Creality', fields: [address, port('9999')] },
}

export const connectionTypes = Object.keys(connectionKinds) as ConnectionType[]

/** What was typed for this kind of connection, without empty fields and without those of other kinds. */
export function connectionOf(type: ConnectionType, typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = connectionKinds[type].fields
    .map(({ name }) => [name, (typed[name] ?? '').trim()] as const)
    .filter(([, value]) => value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name, name === 'port' ? portOf(value) : value]))
}

/** What is no number is sent as it is typed, so that whoever reads it can say so. */
function portOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}

/** What is missing, by field. */
export function missingFields(type: ConnectionType, typed: Readonly<Record<string, string>>): Record<string, string> {
  const missing = connectionKinds[type].fields.filter(
    ({ name, isRequired }) => isRequired && (typed[name] ?? '').trim() === '',
  )
  return Object.fromEntries(missing.map(({ name, label }) => [name, `${label} is needed`]))
}

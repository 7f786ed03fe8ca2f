import type { PrinterRow } from '../../../db/rows.generated.ts'
import type { ConnectionType } from './connection-settings.ts'

/** What of a connection tells which printer it reaches, as its row keeps it beside the sealed whole. */
type ConnectionIdentity = Pick<PrinterRow, 'connection_serial' | 'connection_host' | 'connection_port'>

/** Port at which each family listens when no port is given. */
const ownPorts: Partial<Record<ConnectionType, readonly number[]>> = {
  octoprint: [80],
  moonraker: [7125],
  prusalink: [80],
  bambu: [8883],
  elegoo: [3030, 1883],
  creality: [9999],
}

/** Fields that are missing or make no sense are null: the connection is checked elsewhere. */
export function connectionIdentity(type: ConnectionType, connection: Record<string, unknown>): ConnectionIdentity {
  const { serial, mainboard_id, address, port } = connection
  const place = typeof address === 'string' ? readAddress(address) : undefined
  const named = place?.port ?? (typeof port === 'number' && Number.isInteger(port) ? port : null)
  return {
    connection_serial: textIn(serial) ?? textIn(mainboard_id),
    connection_host: place?.host ?? null,
    connection_port: named === null || named < 1 || named > 65_535 || isOwnPort(type, named) ? null : named,
  }
}

export function isOwnPort(type: ConnectionType, port: number): boolean {
  return ownPorts[type]?.includes(port) === true
}

/** Compared in upper case: people type what a label shows. */
function textIn(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.trim().slice(0, 128).toUpperCase() || null
}

/** A host, `host:port`, or an address with a path, as the hub understands it. */
export function readAddress(typed: string): { host: string; port: number | null } | undefined {
  const trimmed = typed.trim()
  const url = URL.parse(/^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
  if (!url?.hostname) return undefined
  const typedPort = /^(?:https?:\/\/)?[^/]*:(\d{1,5})(?:\/|$)/i.exec(trimmed)?.[1]
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: typedPort === undefined ? null : Number(typedPort) }
}

import type { PrinterSettings } from '@printyard/protocol/messages'
import Type from 'typebox'
import type { FieldErrors } from '../../../kernel/errors.ts'

export const connectionTypes = [
  'virtual',
  'octoprint',
  'moonraker',
  'prusalink',
  'bambu',
  'elegoo',
  'creality',
] as const
export type ConnectionType = PrinterSettings['connection_type']

/** The settings of a connection, as people give them. */
export const ConnectionSettings = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  maxProperties: 40,
  writeOnly: true,
  description:
    'Connection of the hub to the printer: `address` (required but for `virtual`), and those that the connection type needs of ' +
    '`port`, `serial`, `api_key`, `username`, `password`, `access_code`, `pinned_fingerprint`. Stored encrypted, never answered. At most 16 KB',
  examples: [{ address: '192.0.2.40', serial: '01P00A000000000', access_code: '12345678' }],
})

/** Far more than any driver reads; what is sealed in a row and sent to the hub needs some bound. */
const mostConnectionBytes = 16 * 1024

/** Answers what is wrong with the settings of a connection, by field; undefined when nothing is. */
export function connectionErrors(type: ConnectionType, connection: Record<string, unknown>): FieldErrors | undefined {
  if (Buffer.byteLength(JSON.stringify(connection)) > mostConnectionBytes) {
    return { connection: ['must be at most 16 KB of JSON'] }
  }
  if (type === 'virtual') return undefined
  const { address } = connection
  if (address === undefined) return { 'connection.address': ['is required'] }
  if (typeof address !== 'string') return { 'connection.address': ['must be a string'] }
  if (address.trim() === '' || address.length > 255) {
    return { 'connection.address': ['must have 1 to 255 characters'] }
  }
  return undefined
}
